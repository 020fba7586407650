// Jolt runs a scene file through Jolt, compiled to WebAssembly by its authors.
// README.md of bench/peers says why the settings are what they are.
import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import initJolt from 'jolt-physics'
import {commandLine, readScene, run, wallNormals} from './scene.mjs'

const {mode, file, dump} = commandLine('jolt', ['plain', 'ccd'])
const scene = readScene(file)
const version = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('jolt-physics/package.json')))).version
const Jolt = await initJolt()
const n = scene.spheres.length

// Two layers, walls and spheres: walls don't look for one another.
const WALLS = 0, SPHERES = 1
const pairs = new Jolt.ObjectLayerPairFilterTable(2)
pairs.EnableCollision(SPHERES, SPHERES)
pairs.EnableCollision(WALLS, SPHERES)
const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2)
for (const layer of [WALLS, SPHERES]) layers.MapObjectToBroadPhaseLayer(layer, new Jolt.BroadPhaseLayer(layer))
const settings = new Jolt.JoltSettings()
settings.mObjectLayerPairFilter = pairs
settings.mBroadPhaseLayerInterface = layers
settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2)
settings.mMaxBodies = n + 16
settings.mMaxBodyPairs = 8 * n + 1024
// A gas has less than one contact a sphere at a time, a pile about three. The package has 10 MB of scratch memory for them,
// which it can't be told to enlarge: much more than this, and 10,000 spheres don't fit either.
settings.mMaxContactConstraints = Math.max(8192, 1.5 * n)
const jolt = new Jolt.JoltInterface(settings)
const system = jolt.GetPhysicsSystem()
const [gx, gy, gz] = scene.gravity
system.SetGravity(new Jolt.Vec3(gx, gy, gz))
const physics = system.GetPhysicsSettings()
physics.mMinVelocityForRestitution = 0
system.SetPhysicsSettings(physics)

// Of the two restitutions of a pair Jolt takes the larger, of the frictions the geometric mean.
const add = (shape, [x, y, z], layer, change) => {
	const dynamic = layer === SPHERES
	const body = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(x, y, z), new Jolt.Quat(0, 0, 0, 1),
		dynamic ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static, layer)
	body.mRestitution = scene.restitution
	body.mFriction = scene.friction
	change?.(body)
	const made = system.GetBodyInterface().CreateBody(body)
	system.GetBodyInterface().AddBody(made.GetID(), dynamic ? Jolt.EActivation_Activate : Jolt.EActivation_DontActivate)
	Jolt.destroy(body)
	return made
}

// Walls are planes, as the scene has them; they are a little faster than boxes, too.
const size = 8 * Math.max(...scene.half)
for (const normal of wallNormals(scene)) {
	const distance = normal.reduce((sum, x, k) => sum + Math.abs(x) * scene.half[k], 0)
	const plane = new Jolt.Plane(new Jolt.Vec3(...normal), distance)
	add(new Jolt.PlaneShape(plane, undefined, size), [0, 0, 0], WALLS)
}
const shapes = new Map() // spheres of a size share a shape
for (const {radius} of scene.spheres) if (!shapes.has(radius)) shapes.set(radius, new Jolt.SphereShape(radius))
const bodies = scene.spheres.map(b => add(shapes.get(b.radius), [b.x, b.y, b.z], SPHERES, body => {
	body.mLinearVelocity = new Jolt.Vec3(b.vx, b.vy, b.vz)
	body.mLinearDamping = 0
	body.mAngularDamping = 0
	body.mMaxLinearVelocity = 1e6
	body.mAllowSleeping = false
	body.mAllowedDOFs = Jolt.EAllowedDOFs_TranslationX | Jolt.EAllowedDOFs_TranslationY | Jolt.EAllowedDOFs_TranslationZ
	body.mMotionQuality = mode === 'ccd' ? Jolt.EMotionQuality_LinearCast : Jolt.EMotionQuality_Discrete
	body.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia
	body.mMassPropertiesOverride.mMass = b.mass
}))
system.OptimizeBroadPhase()

run({
	engine: 'jolt', version, mode, file, dump, scene,
	step: () => jolt.Step(scene.dt, 1),
	motion: (i, out) => {
		const p = bodies[i].GetPosition(), v = bodies[i].GetLinearVelocity()
		out.set([p.GetX(), p.GetY(), p.GetZ(), v.GetX(), v.GetY(), v.GetZ()])
	},
})
