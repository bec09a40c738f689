//! `ALMotion`: joints, tasks, stiffness, walking.
//!
//! Source: the API pages of ALMotion in the NAOqi documentation (stiffness, joint, locomotion, general tools,
//! self-collision, idle and whole body control).

mod chain;
mod collision;
mod ends;
mod feet;
mod footsteps;
mod guard;
mod interpolate;
pub(crate) mod joints;
mod mass;
mod pace;
pub(crate) mod position;
pub(crate) mod power;
mod reach;
pub(crate) mod walk;
mod whole_body;

use super::body::SimBody;
use super::world::World;
use crate::table::{
    Call, Const, Reply, Service, acts, answers, bad, done, gets, known, nao6, ok, robot, runs, service, sets, unknown,
};
use boxstep_engine::CallId;
use boxstep_engine::services::ServiceCx;
use boxstep_motion::JointPath;
use boxstep_types::{Time, Value};
use footsteps::FootStep;
use joints::{Joint, Task, Track};
use std::sync::Arc;
use walk::Walk;
use whole_body::WholeBody;
pub(crate) use whole_body::keeps_balance;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALMotion",
    "Joints, stiffness, walk, balance",
    &[
        runs("wakeUp", "Stiffens the robot and stands it up", robot("()v"), power::wake_up),
        runs("rest", "Goes to a resting posture and lets go", robot("()v (s)v"), power::rest),
        runs("robotIsWakeUp", "Whether the robot is awake", robot("()b"), power::robot_is_wake_up),
        runs("setStiffnesses", "Sets stiffness at once", robot("(mm)v"), power::set_stiffnesses),
        runs("getStiffnesses", "Stiffness of joints", robot("(m)[f]"), power::get_stiffnesses),
        runs(
            "stiffnessInterpolation",
            "Moves stiffness over time; waits",
            robot("(mmm)v"),
            power::stiffness_interpolation,
        ),
        runs(
            "angleInterpolation",
            "Moves joints through angles at times; waits",
            robot("(mmmb)v"),
            interpolate::angle_interpolation,
        ),
        runs(
            "angleInterpolationWithSpeed",
            "Moves joints at a part of full speed; waits",
            robot("(mmf)v (mmmm)v"),
            interpolate::angle_interpolation_with_speed,
        ),
        runs(
            "angleInterpolationBezier",
            "Moves joints along Bezier curves; waits",
            robot("([s]mm)v"),
            interpolate::angle_interpolation_bezier,
        ),
        runs("setAngles", "Sends joints towards angles; does not wait", robot("(mmf)v"), interpolate::set_angles),
        runs("changeAngles", "Sends joints by so much; does not wait", robot("(mmf)v"), interpolate::change_angles),
        runs("getAngles", "Angles commanded or sensed", robot("(mb)[f]"), interpolate::get_angles),
        runs("openHand", "Opens a hand; waits", robot("(s)v"), interpolate::open_hand),
        runs("closeHand", "Closes a hand; waits", robot("(s)v"), interpolate::close_hand),
        runs("getBodyNames", "Joints of a chain", robot("(s)[s]"), get_body_names),
        runs("getJointNames", "Old name of getBodyNames", robot("(s)[s]"), get_body_names),
        runs("getLimits", "Smallest, largest, speed, torque of joints", robot("(s)m"), get_limits),
        runs("move", "Walks at a speed, m/s and rad/s", robot("(fff)v (fffm)v"), walk::move_at),
        runs("moveTo", "Walks to a place; waits", robot("(fff)v (ffff)v (fffm)v (m)v (mm)v"), walk::move_to),
        runs("moveToward", "Walks at a part of full speed", robot("(fff)v (fffm)v"), walk::move_toward),
        runs("stopMove", "Stops walking", robot("()v"), walk::stop_move),
        runs("moveInit", "Takes the walking posture", robot("()v"), move_init),
        runs("waitUntilMoveIsFinished", "Waits for the walk", robot("()v"), walk::wait_until_move_is_finished),
        runs("moveIsActive", "Whether it walks", robot("()b"), walk::move_is_active),
        runs("getMoveConfig", "Walk settings", robot("(s)m"), pace::get_move_config),
        runs("getRobotPosition", "x, y, angle in the world", robot("(b)[f]"), position::get_robot_position),
        runs(
            "getNextRobotPosition",
            "Position after the steps under way",
            robot("()[f]"),
            position::get_next_robot_position,
        ),
        runs("getRobotVelocity", "Speed", robot("()[f]"), position::get_robot_velocity),
        gets("getMoveArmsEnabled", "Whether an arm swings while walking", robot("(s)b"), "moveArms", YES),
        runs("setMoveArmsEnabled", "Whether the arms swing while walking", robot("(bb)v"), set_move_arms_enabled),
        runs("walkTo", "Old name of moveTo", robot("(fff)v (fffm)v (m)v (mm)v"), walk::move_to),
        runs("walkInit", "Old name of moveInit", robot("()v"), move_init),
        runs("setWalkTargetVelocity", "Old form of moveToward", robot("(ffff)v (ffffm)v (ffffmm)v"), walk::move_toward),
        runs("stopWalk", "Old name of stopMove", robot("()v"), walk::stop_move),
        runs(
            "waitUntilWalkIsFinished",
            "Old name of waitUntilMoveIsFinished",
            robot("()v"),
            walk::wait_until_move_is_finished,
        ),
        runs("walkIsActive", "Old name of moveIsActive", robot("()b"), walk::move_is_active),
        runs("setWalkArmsEnable", "Old name of setMoveArmsEnabled", unknown("(mm)m"), set_move_arms_enabled),
        runs("setWalkArmsEnabled", "Old name of setMoveArmsEnabled", robot("(bb)v"), set_move_arms_enabled),
        runs("getWalkArmsEnable", "Old name of getMoveArmsEnabled", unknown("()m"), get_walk_arms_enable),
        runs("getWalkArmsEnabled", "Old name of getMoveArmsEnabled", robot("()m"), get_walk_arms_enable),
        runs(
            "setFootSteps",
            "Walks given steps: legs, steps, times, clear",
            robot("([s]m[f]b)v (mmm)v (mmmmm)v"),
            footsteps::set_foot_steps,
        ),
        runs(
            "setFootStepsWithSpeed",
            "Walks given steps: legs, steps, parts of the speed, clear",
            robot("([s]m[f]b)v (mmmmm)v"),
            footsteps::set_foot_steps_with_speed,
        ),
        runs("getFootSteps", "Steps under way", robot("()m"), footsteps::get_foot_steps),
        runs("clearFootSteps", "Ends the steps", unknown("()v"), footsteps::clear_foot_steps),
        runs("getFootGaitConfig", "Old name of getMoveConfig", robot("(s)m"), pace::get_foot_gait_config),
        runs("killMove", "Ends the walk at once", robot("()v"), walk::kill_move),
        runs("killWalk", "Old name of killMove", robot("()v"), walk::kill_move),
        sets("setBreathEnabled", "Breathes with a chain", robot("(sb)v"), "breath"),
        gets("getBreathEnabled", "Whether a chain breathes", robot("(s)b"), "breath", NO),
        sets("setBreathConfig", "Speed and size of the breath", robot("(m)v"), "breathConfig"),
        runs("getBreathConfig", "Speed and size of the breath", robot("()m"), get_breath_config),
        sets("setIdlePostureEnabled", "Goes to a neutral posture when idle", robot("(sb)v"), "idle"),
        gets("getIdlePostureEnabled", "Whether it does", robot("(s)b"), "idle", NO),
        runs(
            "setCollisionProtectionEnabled",
            "Keeps an arm from running into the body",
            robot("(sb)b"),
            collision::set_protection,
        ),
        runs("getCollisionProtectionEnabled", "Whether it does", robot("(s)b"), collision::get_protection),
        runs(
            "isCollision",
            "Whether an arm runs into the body: none, near, collision",
            robot("(s)s"),
            collision::is_collision,
        ),
        sets(
            "setExternalCollisionProtectionEnabled",
            "Keeps from hitting other things",
            robot("(sb)v"),
            "externalCollision",
        ),
        gets("getExternalCollisionProtectionEnabled", "Whether it does", robot("(s)b"), "externalCollision", YES),
        answers(
            "getChainClosestObstaclePosition",
            "Nearest obstacle of a chain",
            robot("(si)[f] (m)[f]"),
            Const::Empty,
        ),
        sets("setOrthogonalSecurityDistance", "Distance kept ahead, metres", robot("(f)v"), "orthogonalDistance"),
        gets(
            "getOrthogonalSecurityDistance",
            "Distance kept ahead, metres",
            robot("()f"),
            "orthogonalDistance",
            Const::Float(0.1),
        ),
        sets(
            "setTangentialSecurityDistance",
            "Distance kept at the sides, metres",
            robot("(f)v"),
            "tangentialDistance",
        ),
        gets(
            "getTangentialSecurityDistance",
            "Distance kept at the sides, metres",
            robot("()f"),
            "tangentialDistance",
            Const::Float(0.1),
        ),
        sets("setFallManagerEnabled", "Protects itself when falling", robot("(b)v"), "fallManager"),
        gets("getFallManagerEnabled", "Whether it does", robot("()b"), "fallManager", YES),
        sets("setSmartStiffnessEnabled", "Lowers torque when still", robot("(b)v"), "smartStiffness"),
        gets("getSmartStiffnessEnabled", "Whether it does", robot("()b"), "smartStiffness", YES),
        sets("setPushRecoveryEnabled", "Steps when pushed", robot("(b)v"), "pushRecovery"),
        gets("getPushRecoveryEnabled", "Whether it does", robot("()b"), "pushRecovery", YES),
        sets("setDiagnosisEffectEnabled", "Reacts to hardware faults", robot("(b)v"), "diagnosisEffect"),
        gets("getDiagnosisEffectEnabled", "Whether it does", robot("()b"), "diagnosisEffect", YES),
        runs("getRobotConfig", "What the body has", robot("()m"), get_robot_config),
        runs("getSummary", "Joints, stiffness, commands and angles as text", robot("()s"), get_summary),
        runs("getMass", "Mass, kg", robot("(s)f"), mass::get_mass),
        runs("getCOM", "Centre of mass", robot("(sib)[f]"), mass::get_com),
        runs("getSensorNames", "Sensors", robot("()[s]"), get_sensor_names),
        answers("getMotionCycleTime", "Milliseconds of a cycle", robot("()i"), Const::Int(20)),
        sets("setMotionConfig", "Motion settings", robot("(m)v"), "config"),
        runs("getTaskList", "Motions under way", robot("()m"), get_task_list),
        runs("areResourcesAvailable", "Whether joints are free", robot("([s])b"), are_resources_available),
        runs("killTask", "Ends a motion", robot("(i)b"), kill_task),
        runs("killTasksUsingResources", "Ends the motions of joints", robot("([s])v"), kill_tasks_using_resources),
        runs("killAll", "Ends every motion", robot("()v"), kill_all),
        runs(
            "positionInterpolation",
            "Moves an end through positions; waits",
            robot("(simimb)v"),
            interpolate::position_interpolation,
        ),
        runs(
            "positionInterpolations",
            "Moves several ends through positions; waits",
            robot("([s]immmb)v (mmmmm)v (mmmm)v (mmmmmmm)v"),
            interpolate::position_interpolation,
        ),
        runs("setPosition", "Sends an end towards a position", robot("(si[f]fi)v"), interpolate::set_position),
        runs("setPositions", "Sends ends towards positions", robot("(mmmfm)v"), interpolate::set_position),
        runs("changePosition", "Sends an end by so much", robot("(si[f]fi)v"), interpolate::change_position),
        runs("getPosition", "Position of an end", robot("(sib)[f]"), ends::get_position),
        runs(
            "transformInterpolation",
            "Moves an end through transforms; waits",
            robot("(simimb)v"),
            interpolate::transform_interpolation,
        ),
        runs(
            "transformInterpolations",
            "Moves several ends through transforms; waits",
            robot("([s]immmb)v (mmmmm)v (mmmm)v (mmmmmmm)v"),
            interpolate::transform_interpolation,
        ),
        runs("setTransform", "Sends an end towards a transform", robot("(si[f]fi)v"), interpolate::set_transform),
        runs("setTransforms", "Sends ends towards transforms", robot("(mmmfm)v"), interpolate::set_transform),
        runs("changeTransform", "Sends an end by a transform", robot("(si[f]fi)v"), interpolate::change_transform),
        runs("getTransform", "Transform of an end", robot("(sib)[f]"), ends::get_transform),
        runs("wbEnable", "Balances with the whole body", robot("(b)v"), whole_body::enable),
        runs("wbFootState", "How a foot is held: Fixed, Plane, Free", robot("(ss)v"), whole_body::foot_state),
        runs("wbEnableBalanceConstraint", "Keeps the balance", robot("(bs)v"), whole_body::enable_balance),
        runs("wbGoToBalance", "Shifts the weight; waits", robot("(sf)v (mmm)v"), whole_body::go_to_balance),
        runs(
            "wbGoToBalanceWithSpeed",
            "Shifts the weight at a part of full speed; waits; whether it is there",
            nao6("(sf)b"),
            whole_body::go_to_balance_with_speed,
        ),
        runs("wbEnableEffectorControl", "Leads an end", robot("(sb)v"), whole_body::enable_effector_control),
        runs("wbSetEffectorControl", "Moves an end that is led", robot("(sm)v"), whole_body::set_effector_control),
        runs("wbEnableEffectorOptimization", "Optimises an end", robot("(sb)v"), whole_body::enable_optimization),
        known("updateTrackerTarget", "Moves the head towards a target", robot("(ffib)v (mmmmm)v (mmmmmm)v")),
        sets("setOffsetFromFloor", "Height of the floor", unknown("(m)m"), "offset"),
        sets("_setAnimationModeEnabled", "Undocumented", robot("(b)v"), "animationMode"),
        acts(
            "_lookAt",
            "Undocumented",
            robot("([f]if)v"),
            "look",
            "look (an undocumented call; the body does not move)",
            Const::Null,
        ),
        acts("_stopLookAt", "Undocumented", robot("(b)v"), "look", "look no more", Const::Null),
        runs("getManageWholeBody", "Whether it balances the whole body", unknown("()m"), whole_body::is_enabled),
    ],
)
.events(&[
    "ALMotion/MoveFailed",
    "ALMotion/RobotIsFalling",
    "ALMotion/RobotPushed",
    "ALMotion/Safety/ChainVelocityClipped",
    "ALMotion/Safety/MoveFailed",
    "ALMotion/Safety/PushRecovery",
    "ALMotion/Safety/RobotOnASlope",
    "ALMotion/Stiffness/restFinished",
    "ALMotion/Stiffness/restStarted",
    "ALMotion/Stiffness/wakeUpFinished",
    "ALMotion/Stiffness/wakeUpStarted",
    "robotHasFallen",
    "robotIsFallen",
    "robotIsWakeUp",
])];

/// The state of the body.
#[derive(Debug)]
pub(crate) struct Motion {
    pub(crate) joints: Vec<Joint>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) awake: bool,
    pub(crate) walk: Walk,
    /// The steps that were asked for.
    steps: Vec<FootStep>,
    /// Where the left and the right foot are after them.
    planned: Option<[walk::Pose; 2]>,
    /// The angles of the legs before the first of them.
    stance: Option<Vec<(usize, f64)>>,
    whole_body: WholeBody,
}

/// The work of a motion task.
#[derive(Debug)]
pub(crate) enum TaskWork {
    /// Curves, by joint; relative ones start at the joint's current value.
    Paths { paths: Vec<(usize, JointPath)>, relative: bool },
    /// Target angles, at a fraction of the speed of the slowest joint.
    Speed { targets: Vec<(usize, f64)>, fraction: f64 },
    /// Stiffness over time, by joint.
    Stiffness(Vec<(usize, JointPath)>),
    /// The task was started: its curves are with the joints.
    Running,
}

/// What follows when a task is complete.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TaskEnd {
    /// The call returns.
    Done,
    /// The call returns whether the weight is where it should be.
    Balanced,
    /// Joints may have lost their stiffness.
    Stiffness,
    /// The robot is awake.
    Awake,
    /// The robot is at rest and without stiffness.
    Rest,
    /// A posture was reached or not, which is what the call returns.
    Posture(Arc<str>),
}

impl Motion {
    /// Makes the state of a robot that stands, awake.
    pub(crate) fn new(body: &SimBody) -> Self {
        let joint =
            |i| Joint { command: Track::Still(body.start(i)), stiffness: Track::Still(1.0), limp: None, later: None };
        let joints = (0..body.len()).map(joint).collect();
        Self {
            joints,
            tasks: Vec::new(),
            awake: true,
            walk: Walk::default(),
            steps: Vec::new(),
            planned: None,
            stance: None,
            whole_body: WholeBody::default(),
        }
    }
}

/// Handles the end of a task: its call, if it still waits, gets its answer.
pub(crate) fn finish(w: &mut World, cx: &mut ServiceCx<'_>, ended: TaskEnd, call: Option<CallId>, reached: bool) {
    match ended {
        TaskEnd::Awake => return power::awake(w, cx, call, true),
        TaskEnd::Rest => return power::awake(w, cx, call, false),
        TaskEnd::Posture(ref name) => return super::posture::ended(w, cx, name, call, reached),
        TaskEnd::Stiffness => power::settle(w, cx.now()),
        TaskEnd::Done | TaskEnd::Balanced => {}
    }
    if let Some(call) = call {
        let answer = if ended == TaskEnd::Balanced { reached.into() } else { Value::Null };
        cx.complete(call, Ok(answer));
    }
}

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

fn get_body_names(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    let names = w.body.body_names(name);
    if names.is_empty() {
        return bad(w.body.no_joint(name));
    }
    ok(Value::list(names.into_iter().map(Value::from)))
}

fn get_limits(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let joints = w.body.joints_of(call.args, 0)?;
    let row = |j: usize| {
        let (min, max) = w.body.limits(j);
        Value::list([min, max, w.body.speed(j), w.body.torque(j)].map(Value::Float))
    };
    ok(Value::list(joints.into_iter().map(row)))
}

/// Answers the sensors besides those of joints: touch, the inertial unit, sonars.
fn get_sensor_names(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let touch = w.body.touch().iter().map(|sensor| sensor.device).filter(|device| !device.is_empty());
    let sonars = w.body.build().sonars.iter().copied();
    let inertial =
        ["AccelerometerX", "AccelerometerY", "AccelerometerZ", "AngleX", "AngleY", "GyroscopeX", "GyroscopeY"];
    let inertial = inertial.iter().map(|axis| format!("InertialSensor/{axis}"));
    ok(touch.chain(sonars).map(str::to_owned).chain(inertial).collect::<Vec<String>>())
}

fn get_robot_config(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let (names, values): (Vec<Value>, Vec<Value>) = w.body.config().map(|(n, v)| (n.into(), v)).unzip();
    ok(Value::list([Value::List(names.into()), Value::List(values.into())]))
}

fn get_summary(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(summary(w, cx.now()))
}

fn get_task_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let row = |t: &Task| {
        Value::list([
            Value::from(t.name),
            i64::from(t.call.0).into(),
            Value::Int(0),
            Value::list(t.joints.iter().map(|j| Value::Str(w.body.joint_name(*j)))),
        ])
    };
    ok(Value::list(w.motion.tasks.iter().map(row)))
}

fn are_resources_available(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (joints, held) = (w.body.joints_of(call.args, 0)?, joints::booked(w));
    ok(!joints.iter().any(|j| held.contains(&w.body.leader(*j))))
}

fn kill_task(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let id = call.args.int(0, "task")?;
    let moved = walk::kill_task(w, cx, id);
    ok(joints::kill(w, cx, None, |t| i64::from(t.call.0) == id) || moved)
}

fn kill_tasks_using_resources(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let joints: Vec<usize> = w.body.joints_of(call.args, 0)?.iter().map(|j| w.body.leader(*j)).collect();
    joints::kill(w, cx, None, |t| t.joints.iter().any(|j| joints.contains(j)));
    done()
}

fn kill_all(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    walk::halt_all(w, cx);
    done()
}

fn move_init(_: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    done()
}

fn set_move_arms_enabled(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let (left, right) = (args.flag(0, "left arm")?, args.flag(1, "right arm")?);
    for (name, on) in [("LArm", left), ("RArm", right), ("Arms", left && right)] {
        w.settings.insert(format!("ALMotion/moveArms/{name}"), on.into());
    }
    done()
}

fn get_walk_arms_enable(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let on = |name: &str| w.setting("ALMotion", &format!("moveArms/{name}")).is_none_or(Value::truthy);
    ok(Value::list([on("LArm").into(), on("RArm").into()]))
}

fn get_breath_config(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.setting("ALMotion", "breathConfig").cloned().unwrap_or_else(|| {
        Value::list([
            Value::list(["Bpm".into(), Value::Float(12.0)]),
            Value::list(["Amplitude".into(), Value::Float(0.5)]),
        ])
    }))
}

/// Returns a table of the joints, for people.
fn summary(w: &World, now: Time) -> String {
    let mut text = format!("{:<16}{:>10}{:>12}{:>12}\n", "Joint", "Stiffness", "Command", "Sensor");
    for (i, _) in w.motion.joints.iter().enumerate() {
        text += &format!(
            "{:<16}{:>10.2}{:>12.4}{:>12.4}\n",
            w.body.joint_name(i),
            power::stiffness(w, i, now),
            joints::command(w, i, now),
            joints::actual(w, i, now)
        );
    }
    text
}

/// Returns the names and actual angles of all joints except wheels, in the body's order.
pub(crate) fn sample(w: &World, now: Time) -> Vec<(Arc<str>, f64)> {
    let joints = (0..w.motion.joints.len()).filter(|i| !w.body.is_wheel(*i));
    joints.map(|i| (w.body.joint_name(i), joints::actual(w, i, now))).collect()
}

/// Returns the names and commanded angles of the same joints.
pub(crate) fn sample_commands(w: &World, now: Time) -> Vec<(Arc<str>, f64)> {
    let joints = (0..w.motion.joints.len()).filter(|i| !w.body.is_wheel(*i));
    joints.map(|i| (w.body.joint_name(i), joints::command(w, i, now))).collect()
}

/// Handles the cancellation of a call.
pub(crate) fn cancel(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId) {
    joints::kill(w, cx, Some(call), |t| t.call == call);
    walk::cancel(w, cx, call);
}
