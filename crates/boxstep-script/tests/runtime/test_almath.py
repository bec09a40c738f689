"""`almath`: known values, and laws that hold for any pose and transform."""
import math
import random
import unittest

from boxstep_runtime import almath


class Basics(unittest.TestCase):
    def test_pose(self):
        start, goal = almath.Pose2D([1.0, 2.0, almath.PI / 2]), almath.Pose2D(1.0, 3.0, almath.PI)
        self.assertTrue(start.diff(goal).isNear(almath.Pose2D(1.0, 0.0, almath.PI / 2), 1e-12))
        self.assertTrue((start * start.diff(goal)).isNear(goal, 1e-12))
        self.assertTrue((start * start.inverse()).isNear(almath.Pose2D(), 1e-12))
        self.assertEqual((start + almath.Pose2D(1, 1, 0)).toVector(), [2.0, 3.0, almath.PI / 2])
        self.assertEqual((goal - start).y, 1.0)
        self.assertEqual((2 * almath.Pose2D(1, 2, 3)).toVector(), [2.0, 4.0, 6.0])
        self.assertEqual((almath.Pose2D(1, 2, 3) / 2).x, 0.5)
        self.assertAlmostEqual(almath.Pose2D(3, 4, 1).norm(), 5.0)
        self.assertRaises(RuntimeError, almath.Pose2D, 1, 2)

    def test_angles(self):
        for angle, wanted in ((0, 0), (4, 4 - 2 * almath.PI), (-4, 2 * almath.PI - 4), (20, 20 - 6 * almath.PI)):
            self.assertAlmostEqual(almath.modulo2PI(angle), wanted)
        self.assertAlmostEqual(180 * almath.TO_RAD, almath.PI)
        self.assertAlmostEqual(almath.PI * almath.TO_DEG, 180)
        self.assertEqual(almath.clipData(0, 1, 3), (True, 1))

    def test_transforms(self):
        pose = almath.Pose2D(1, 2, 0.5)
        transform = almath.transformFromPose2D(pose)
        self.assertEqual(len(transform.toVector()), 16)
        self.assertTrue(almath.Transform(transform.toVector()).isNear(transform, 0))
        self.assertEqual(almath.position3DFromTransform(transform).toVector(), [1.0, 2.0, 0.0])
        self.assertTrue(almath.pose2DFromTransform(transform).isNear(pose, 1e-12))
        self.assertTrue((transform * transform.inverse()).isNear(almath.Transform(), 1e-12))
        self.assertAlmostEqual(transform.determinant(), 1)
        position = almath.Position6D(0.1, 0.2, 0.3, 0.4, -0.5, 0.6)
        back = almath.position6DFromTransform(almath.transformFromPosition6D(position))
        self.assertTrue(back.isNear(position, 1e-12))
        moved = almath.transformFromPose2D(almath.Pose2D(1, 0, almath.PI / 2)) * almath.Position3D(1, 0, 0)
        self.assertTrue(moved.isNear(almath.Position3D(1, 1, 0), 1e-12))

    def test_copies(self):
        for kind in (almath.Pose2D, almath.Position2D, almath.Position3D, almath.Position6D, almath.Velocity3D, almath.Velocity6D,
                     almath.Rotation3D, almath.Rotation, almath.Quaternion, almath.Transform, almath.PositionAndVelocity):
            made = kind([0.1 + i for i in range(len(kind.fields))])
            copy = kind(made)
            self.assertEqual(copy, made)
            setattr(copy, kind.fields[0], 7)
            self.assertNotEqual(copy, made)
        both = almath.TransformAndVelocity6D(almath.Transform(1, 2, 3))
        copy = almath.TransformAndVelocity6D(both)
        copy.T.r1_c4 = 5
        self.assertEqual((both.T.r1_c4, copy.T.r2_c4), (1, 2))

    def test_printed_matrices(self):
        self.assertEqual(str(almath.Transform(0.5, 0, -2)), "[[1, 0, 0, 0.5]\n [0, 1, 0, 0]\n [0, 0, 1, -2]\n [0, 0, 0, 1]]")
        self.assertEqual(str(almath.Rotation()), "[[1, 0, 0]\n [0, 1, 0]\n [0, 0, 1]]")
        self.assertTrue(str(almath.TransformAndVelocity6D()).startswith("[[1, 0"))

    def test_flat_names_and_lists(self):
        self.assertEqual(almath.Transform_fromRotX(0.3), almath.Transform.fromRotX(0.3))
        self.assertEqual(almath.Rotation_fromAngleDirection(0.3, 0, 0, 1), almath.Rotation.fromAngleDirection(0.3, 0, 0, 1))
        for name in ("Transform_from3DRotation Transform_fromPosition Rotation_from3DRotation Pose2D_fromPolarCoordinates "
                     "Quaternion_fromAngleAndAxisRotation Position2D_fromPolarCoordinates").split():
            self.assertTrue(callable(getattr(almath, name)), name)
        numbers = almath.vectorFloat([1.0, 2.0])
        numbers.push_back(3.0)
        self.assertEqual((numbers.size(), list(numbers), almath.vectorPose2D().empty()), (3, [1.0, 2.0, 3.0], True))
        self.assertAlmostEqual(almath.determinant(almath.Transform_fromRotZ(0.3)), 1)
        self.assertEqual(almath.Transform(1, 0, 0).squaredDistance(almath.Transform(3, 0, 0)), 4)

    def test_dubins(self):
        around = almath.getDubinsSolutions(almath.Pose2D(0, -0.4, 0), 0.04)
        self.assertEqual(len(around), 3)
        self.assertTrue(around[-1].isNear(almath.Pose2D(0, -0.4, 0)))
        ahead = almath.getDubinsSolutions(almath.Pose2D(2, 0, 0), 0.1)
        self.assertTrue(ahead[0].isNear(almath.Pose2D(), 1e-9) and ahead[1].isNear(almath.Pose2D(2, 0, 0), 1e-9))
        chooses = random.Random(2)
        for _ in range(100):
            goal = almath.Pose2D(chooses.uniform(1, 2), chooses.uniform(-2, 2), chooses.uniform(-3, 3))
            leaves, arrives, last = almath.getDubinsSolutions(goal, 0.2)
            line = leaves.diff(arrives)
            # The line goes ahead, and both arcs keep to a circle that touches the poses at their ends.
            self.assertTrue(line.x >= 0 and abs(line.y) < 1e-9 and abs(line.theta) < 1e-9)
            for a, b in ((almath.Pose2D(), leaves), (arrives, last)):
                arc = a.diff(b)
                self.assertAlmostEqual(abs(arc.y), 0.2 * (1 - math.cos(arc.theta)), places=6)
                self.assertAlmostEqual(abs(arc.x), 0.2 * abs(math.sin(arc.theta)), places=6)
        self.assertRaises(RuntimeError, almath.getDubinsSolutions, almath.Pose2D(0.1, 0, 0), 0.1)

    def test_a_single_number_is_that_of_every_field(self):
        self.assertEqual(almath.Position3D(0.5).toVector(), [0.5, 0.5, 0.5])


class Laws(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(1)

    def transform(self, most=3.0):
        numbers = [self.random.uniform(-most, most) for _ in range(3)]
        return almath.Transform.fromPosition(*(numbers + [self.random.uniform(-1.5, 1.5) for _ in range(3)]))

    def each(self, check):
        for _ in range(200):
            check(self.transform(), self.transform())

    def near(self, a, b, epsilon=1e-6):
        self.assertTrue(a.isNear(b, epsilon), "%r and %r" % (a, b))

    def test_logarithm_and_exponential_are_inverse(self):
        self.each(lambda a, b: self.near(almath.velocityExponential(almath.transformLogarithm(a)), a))

    def test_the_exponential_is_many_small_steps(self):
        velocity = almath.Velocity6D(0.4, -0.2, 0.3, 0.5, -0.7, 0.9)
        steps, at = 20000, almath.Transform()
        small = almath.Transform.fromPosition(*[n / steps for n in velocity.toVector()])
        for _ in range(steps):
            at = at * small
        self.near(at, almath.velocityExponential(velocity), 1e-4)

    def test_half_turns_and_no_turn(self):
        for turn in (almath.Rotation(), almath.Rotation.fromRotX(math.pi), almath.Rotation.fromRotY(-math.pi),
                     almath.Rotation.fromAngleDirection(math.pi, 1, 1, -2), almath.Rotation.fromRotZ(1e-7),
                     almath.Rotation.fromRotX(0.009), almath.Rotation.fromRotY(0.011)):
            whole = almath.transformFromRotationPosition3D(turn, 1, 2, 3)
            self.near(almath.velocityExponential(almath.transformLogarithm(whole)), whole)
            self.near(almath.rotationFromQuaternion(almath.quaternionFromRotation(turn)), turn)

    def test_the_mean_is_between(self):
        def check(a, b):
            self.near(almath.transformMean(a, b, 0.0), a)
            self.near(almath.transformMean(a, b, 1.0), b)
            middle = almath.transformMean(a, b)
            self.near(middle * middle.diff(b), b)
            self.near(almath.transformLogarithm(a.diff(middle)), almath.transformLogarithm(middle.diff(b)), 1e-5)
        self.each(check)

    def test_forms_of_a_rotation_agree(self):
        def check(a, b):
            turn, position = almath.rotationFromTransform(a), almath.position3DFromTransform(b)
            quaternion = almath.quaternionFromTransform(a)
            self.near(almath.rotationFromQuaternion(quaternion), turn)
            self.near(almath.rotationFromRotation3D(almath.rotation3DFromTransform(a)), turn)
            angle, x, y, z = almath.angleAndAxisRotationFromQuaternion(quaternion)
            self.near(almath.Rotation.fromAngleDirection(angle, x, y, z) * position, turn * position)
            both = almath.quaternionFromTransform(a) * almath.quaternionFromTransform(b)
            self.near(almath.rotationFromQuaternion(both), turn * almath.rotationFromTransform(b))
            self.assertTrue(turn.isRotation() and a.isTransform())
        self.each(check)

    def test_a_matrix_becomes_a_rotation_again(self):
        turn = almath.Rotation.from3DRotation(0.3, -0.4, 0.5)
        bent = almath.Rotation([n * 1.1 + 0.01 for n in turn.toVector()])
        self.assertFalse(bent.isRotation())
        bent.normalizeRotation()
        self.assertTrue(bent.isRotation(1e-9) and bent.isNear(turn, 0.1))

    def test_another_reference_turns_and_does_not_move(self):
        def check(a, b):
            velocity = almath.transformLogarithm(b)
            turned = almath.changeReferenceVelocity6D(a, velocity)
            self.assertAlmostEqual(turned.norm(), velocity.norm())
            self.near(almath.changeReferenceTransposeVelocity6D(a, turned), velocity)
            p = almath.position3DFromTransform(b)
            self.near(almath.changeReferencePosition3D(a, p), a * p - almath.position3DFromTransform(a))
        self.each(check)

    def test_a_projection_is_the_nearest_rotation_about_the_axis(self):
        def check(a, b):
            axis, turn = almath.position3DFromTransform(b), almath.rotationFromTransform(a)
            found = almath.axisRotationProjection(axis, turn)
            self.near(found * axis, axis)
            for step in (-0.01, 0.01):
                other = found * almath.Rotation.fromAngleDirection(step, axis.x, axis.y, axis.z)
                self.assertLessEqual((turn - found).norm(), (turn - other).norm() + 1e-12)
        self.each(check)

    def test_an_orthogonal_space_has_the_direction_as_x(self):
        for x, y, z in ((1, 0, 0), (0, 0, 2), (0, 0, -1), (1, -2, 3)):
            axis = almath.Position3D(x, y, z)
            space = almath.orthogonalSpace(axis)
            self.assertTrue(space.isTransform(1e-9))
            self.near(space * almath.Position3D(1, 0, 0), axis.normalize())

    def test_functions_change_their_last_argument(self):
        transform, pose = self.transform(), almath.Pose2D(1, 2, 0.3)
        wanted, inverse = transform.inverse(), almath.Pose2D()
        almath.transformInvertInPlace(transform)
        self.near(transform, wanted)
        almath.pose2DInverse(pose, inverse)
        self.near(inverse, pose.inverse())
        almath.transformPreMultiply(wanted.inverse(), transform)
        self.near(transform, almath.Transform())


class Steps(unittest.TestCase):
    def test_mean_angles(self):
        self.assertAlmostEqual(almath.meanAngle([3.0, -3.0]), math.pi)
        self.assertAlmostEqual(almath.weightedMeanAngle([0.0, math.pi / 2], [1.0, 0.0]), 0.0)
        self.assertRaises(RuntimeError, almath.meanAngle, [0.0, math.pi])
        self.assertRaises(RuntimeError, almath.meanAngle, [])

    def test_a_step_is_clipped_to_the_ellipse(self):
        move = almath.Pose2D(0.03, 0.01, 0.2)
        self.assertFalse(almath.clipFootWithEllipse(0.04, 0.02, move))
        move = almath.Pose2D(0.08, 0.04, 0.2)
        self.assertTrue(almath.clipFootWithEllipse(0.04, 0.02, move))
        self.assertAlmostEqual((move.x / 0.04) ** 2 + (move.y / 0.02) ** 2, 1.0)
        self.assertAlmostEqual(move.x / move.y, 2.0)

    def test_feet_do_not_turn_into_each_other(self):
        box = [almath.Position2D(*corner) for corner in ((0.1, 0.05), (0.1, -0.05), (-0.05, -0.05), (-0.05, 0.05))]
        far = almath.Pose2D(0.0, -0.3, 0.5)
        self.assertFalse(almath.avoidFootCollision(box, box, True, far))
        self.assertEqual(far.theta, 0.5)
        near = almath.Pose2D(0.0, -0.11, 0.5)
        self.assertTrue(almath.avoidFootCollision(box, box, True, near))
        self.assertTrue(0.0 < near.theta < 0.2, near.theta)

    def test_masks(self):
        self.assertEqual(almath.AXIS_MASK_ALL, 63)
        self.assertEqual(almath.AXIS_MASK_VEL | almath.AXIS_MASK_ROT, almath.AXIS_MASK_ALL)
        self.assertEqual(almath.AXIS_MASK_WY, 16)


if __name__ == "__main__":
    unittest.main()
