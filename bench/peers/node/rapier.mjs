// Rapier runs a scene file through Rapier, compiled to WebAssembly with SIMD by its authors.
// README.md of bench/peers says why the settings are what they are.
import RAPIER from '@dimforge/rapier3d-simd-compat'
import {commandLine, readScene, run, wallNormals} from './scene.mjs'

const {mode, file, dump} = commandLine('rapier', ['plain', 'ccd', 'ccd-planes'])
const scene = readScene(file)
const warn = console.warn
console.warn = () => {} // init warns of an argument that the package itself passes
await RAPIER.init()
console.warn = warn

const [gx, gy, gz] = scene.gravity
const world = new RAPIER.World({x: gx, y: gy, z: gz})
world.timestep = scene.dt

// Rapier slows whatever is faster than 400 of its units of length a second. The limit has no setting here, but the unit has:
// scenes with fast bodies get a larger one, and the tolerances that are counted in it stay what they were.
const fastest = Math.max(...scene.spheres.map(b => Math.hypot(b.vx, b.vy, b.vz)))
if (fastest > 200) {
	world.lengthUnit = 10
	world.integrationParameters.normalizedAllowedLinearError /= 10
	world.integrationParameters.normalizedPredictionDistance /= 10
}

// Of the two restitutions and frictions of a pair Rapier takes the mean.
const surface = collider => collider.setRestitution(scene.restitution).setFriction(scene.friction)

// Walls are thick boxes: half-spaces meet every body and take up to three times as long.
const [hx, hy, hz] = scene.half
for (const [x, y, z] of wallNormals(scene)) {
	if (mode === 'ccd-planes') {
		const body = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(-x * hx, -y * hy, -z * hz))
		world.createCollider(surface(new RAPIER.ColliderDesc(new RAPIER.HalfSpace({x, y, z}))), body)
		continue
	}
	const body = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(-4 * x * hx, -4 * y * hy, -4 * z * hz))
	world.createCollider(surface(RAPIER.ColliderDesc.cuboid(3 * hx, 3 * hy, 3 * hz)), body)
}
const bodies = scene.spheres.map(b => {
	const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic()
		.setTranslation(b.x, b.y, b.z).setLinvel(b.vx, b.vy, b.vz)
		.setLinearDamping(0).setAngularDamping(0)
		.lockRotations() // spheres of a scene don't rotate
		.setCanSleep(false)
		.setCcdEnabled(mode !== 'plain'))
	world.createCollider(surface(RAPIER.ColliderDesc.ball(b.radius).setMass(b.mass)), body)
	return body
})

run({
	engine: 'rapier', version: RAPIER.version(), mode, file, dump, scene,
	step: () => world.step(),
	motion: (i, out) => {
		const p = bodies[i].translation(), v = bodies[i].linvel()
		out.set([p.x, p.y, p.z, v.x, v.y, v.z])
	},
})
