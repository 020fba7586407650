// What the runners in Node share: reading a scene, timing its steps, writing the dump, and printing the line of JSON.
// README.md of bench/peers describes both formats.
import {closeSync, openSync, readFileSync, writeSync} from 'node:fs'
import {basename, extname} from 'node:path'

/** Reads the command line `MODE SCENE DUMP`, where MODE has to be one of modes. */
export function commandLine(engine, modes) {
	const [mode, scene, dump] = process.argv.slice(2)
	if (!modes.includes(mode) || !dump) {
		console.error(`usage: node ${engine}.mjs ${modes.join('|')} SCENE DUMP`)
		process.exit(2)
	}
	return {mode, file: scene, dump}
}

/** Reads a scene file. */
export function readScene(file) {
	const lines = readFileSync(file, 'utf8').trim().split('\n').map(l => l.trim().split(/\s+/).map(Number))
	const [n, hx, hy, hz, gx, gy, gz, restitution, friction, dt, steps, every, openTop] = lines[0]
	const spheres = lines.slice(1).map(([x, y, z, vx, vy, vz, radius, mass]) => ({x, y, z, vx, vy, vz, radius, mass}))
	if (spheres.length !== n || lines.flat().some(Number.isNaN)) throw new Error(`${file} isn't a scene`)
	return {half: [hx, hy, hz], gravity: [gx, gy, gz], restitution, friction, dt, steps, every, openTop: openTop === 1, spheres}
}

/** The normals of the walls of a scene, facing inwards. */
export function wallNormals(scene) {
	const normals = [[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0]]
	return scene.openTop ? normals : [...normals, [0, -1, 0]]
}

/**
 * Takes the steps of a scene, writes a frame at the start and after every so many steps, and prints the line.
 * Only step is timed; motion(i, out) puts position and velocity of sphere i into the six numbers of out.
 */
export function run({engine, version, mode, file, dump, scene, step, motion}) {
	const n = scene.spheres.length
	const out = openSync(dump, 'w')
	const frame = new DataView(new ArrayBuffer(n * 48))
	const six = new Float64Array(6)
	const writeFrame = () => {
		for (let i = 0; i < n; i++) {
			motion(i, six)
			for (let k = 0; k < 6; k++) frame.setFloat64(i * 48 + k * 8, six[k], true)
		}
		for (let at = 0; at < frame.byteLength;) at += writeSync(out, frame, at)
	}
	writeFrame()
	const times = []
	for (let i = 1; i <= scene.steps; i++) {
		const start = process.hrtime.bigint()
		step()
		times.push(Number(process.hrtime.bigint() - start) / 1e6)
		if (i % scene.every === 0) writeFrame()
	}
	closeSync(out)
	const total = times.reduce((a, b) => a + b, 0)
	console.log(JSON.stringify({
		engine, version, mode, scene: basename(file, extname(file)), n, steps: times.length,
		ms_per_step_median: median(times), ms_per_step_later: median(times.slice(times.length >> 1)),
		ms_per_step_mean: times.length ? total / times.length : 0, ms_total: total,
	}))
}

function median(times) {
	if (times.length === 0) return 0
	const t = times.toSorted((a, b) => a - b)
	return (t[(t.length - 1) >> 1] + t[t.length >> 1]) / 2
}
