// Bullet runs a scene file through Bullet, writes the dump, and prints one line of JSON: how long the step call took.
// README.md of bench/peers describes both formats and says why the settings are what they are.
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string &what) {
	std::fprintf(stderr, "bullet: %s\n", what.c_str());
	std::exit(1);
}

struct Sphere {
	double x, y, z, vx, vy, vz, radius, mass;
};

struct Scene {
	double hx, hy, hz, gx, gy, gz, restitution, friction, dt;
	int steps, every, openTop;
	std::vector<Sphere> spheres;
};

Scene read(const char *name) {
	std::FILE *in = std::fopen(name, "r");
	if (!in) fail(std::string("can't read ") + name);
	Scene s;
	int n;
	if (std::fscanf(in, "%d %lf %lf %lf %lf %lf %lf %lf %lf %lf %d %d %d", &n, &s.hx, &s.hy, &s.hz, &s.gx, &s.gy, &s.gz,
	                &s.restitution, &s.friction, &s.dt, &s.steps, &s.every, &s.openTop) != 13)
		fail(std::string(name) + ": line 1 isn't that of a scene");
	for (int i = 0; i < n; i++) {
		Sphere b;
		if (std::fscanf(in, "%lf %lf %lf %lf %lf %lf %lf %lf", &b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz, &b.radius, &b.mass) != 8)
			fail(std::string(name) + ": line " + std::to_string(i + 2) + " isn't that of a sphere");
		s.spheres.push_back(b);
	}
	std::fclose(in);
	return s;
}

double median(std::vector<double> t) {
	if (t.empty()) return 0;
	std::sort(t.begin(), t.end());
	return (t[(t.size() - 1) / 2] + t[t.size() / 2]) / 2;
}

void writeFrame(std::FILE *out, const std::vector<btRigidBody *> &bodies) {
	std::vector<double> frame;
	for (const btRigidBody *b : bodies) {
		const btVector3 &p = b->getWorldTransform().getOrigin(), &v = b->getLinearVelocity();
		for (double x : {p.x(), p.y(), p.z(), v.x(), v.y(), v.z()}) frame.push_back(x);
	}
	if (std::fwrite(frame.data(), sizeof(double), frame.size(), out) != frame.size()) fail("can't write the dump");
}

} // namespace

int main(int argc, char **argv) {
	if (argc != 4) fail("usage: bullet plain|ccd SCENE DUMP");
	const std::string mode = argv[1];
	if (mode != "plain" && mode != "ccd" && mode != "ccd-planes") fail("no mode " + mode);
	const bool ccd = mode != "plain";
	const Scene s = read(argv[2]);
	const int n = int(s.spheres.size());

	// Pools large enough for every pair, so that no step goes to the heap for them.
	btDefaultCollisionConstructionInfo pools;
	pools.m_defaultMaxPersistentManifoldPoolSize = 16 * n + 4096;
	pools.m_defaultMaxCollisionAlgorithmPoolSize = 16 * n + 4096;
	btDefaultCollisionConfiguration configuration(pools);
	btCollisionDispatcher dispatcher(&configuration);
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
	world.setGravity(btVector3(s.gx, s.gy, s.gz));
	world.getSolverInfo().m_restitutionVelocityThreshold = 0;

	// Bullet multiplies the two restitutions and frictions of a pair.
	const btScalar restitution = std::sqrt(s.restitution), friction = std::sqrt(s.friction);

	// With CCD, Bullet casts every sphere through what its path's bounds meet, and those of a plane are endless: thick boxes
	// take half the time there, and a third for many spheres. Without CCD planes are better, since they push back what has come through.
	const btVector3 half(s.hx, s.hy, s.hz);
	for (const btVector3 &normal : {btVector3(1, 0, 0), btVector3(-1, 0, 0), btVector3(0, 0, 1), btVector3(0, 0, -1),
	                                btVector3(0, 1, 0), btVector3(0, -1, 0)}) {
		if (s.openTop && normal.y() < 0) continue;
		btCollisionShape *shape;
		btTransform at;
		at.setIdentity();
		if (mode == "ccd") { // and not "ccd-planes"
			shape = new btBoxShape(half * 3);
			at.setOrigin(normal * half * -4);
		} else {
			shape = new btStaticPlaneShape(normal, -normal.absolute().dot(half));
		}
		auto *body = new btRigidBody(0, nullptr, shape);
		body->setWorldTransform(at);
		body->setRestitution(restitution);
		body->setFriction(friction);
		world.addRigidBody(body);
	}
	std::vector<btRigidBody *> bodies;
	for (const Sphere &b : s.spheres) {
		auto *body = new btRigidBody(btScalar(b.mass), nullptr, new btSphereShape(btScalar(b.radius)), btVector3(0, 0, 0));
		btTransform at;
		at.setIdentity();
		at.setOrigin(btVector3(b.x, b.y, b.z));
		body->setWorldTransform(at);
		body->setInterpolationWorldTransform(at);
		body->setLinearVelocity(btVector3(b.vx, b.vy, b.vz));
		body->setAngularFactor(0); // spheres of a scene don't rotate
		body->setRestitution(restitution);
		body->setFriction(friction);
		body->setDamping(0, 0);
		body->setActivationState(DISABLE_DEACTIVATION);
		if (ccd) {
			// Bodies that move by more than their radius are cast, as spheres of 0.9 of it: smaller ones keep more energy and
			// overlap more, larger ones the other way round.
			body->setCcdMotionThreshold(btScalar(b.radius));
			body->setCcdSweptSphereRadius(btScalar(0.9 * b.radius));
		}
		world.addRigidBody(body);
		bodies.push_back(body);
	}

	std::FILE *out = std::fopen(argv[3], "wb");
	if (!out) fail(std::string("can't write ") + argv[3]);
	writeFrame(out, bodies);
	std::vector<double> times;
	double total = 0;
	for (int step = 1; step <= s.steps; step++) {
		const auto start = std::chrono::steady_clock::now();
		world.stepSimulation(btScalar(s.dt), 0); // 0 substeps: one step of just this length
		times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
		total += times.back();
		if (step % s.every == 0) writeFrame(out, bodies);
	}
	if (std::fclose(out) != 0) fail("can't write the dump");

	std::string name = argv[2];
	name = name.substr(name.find_last_of('/') + 1);
	name = name.substr(0, name.find_last_of('.'));
	std::printf("{\"engine\":\"bullet\",\"version\":\"%d.%d\",\"mode\":\"%s\",\"scene\":\"%s\",\"n\":%d,\"steps\":%d,"
	            "\"ms_per_step_median\":%.6f,\"ms_per_step_later\":%.6f,\"ms_per_step_mean\":%.6f,\"ms_total\":%.6f}\n",
	            btGetVersion() / 100, btGetVersion() % 100, mode.c_str(), name.c_str(), n, s.steps, median(times),
	            median({times.begin() + times.size() / 2, times.end()}), times.empty() ? 0 : total / times.size(), total);
	std::fflush(stdout);
	std::_Exit(0); // the system takes back the memory faster than a million deletes
}
