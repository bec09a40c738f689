//! `ALMotion`: joints, tasks, stiffness, walking.
//!
//! Pages: the API pages of ALMotion in the NAOqi documentation (stiffness, joint, locomotion, general
//! tools, self-collision, idle and whole body control).

mod interpolate;
pub(crate) mod joints;
pub(crate) mod power;
pub(crate) mod walk;

use super::body::SimBody;
use super::table::{
    ANY, Call, Const, Method, Reply, Service, act, bad, code, done, failed, get, ok, put, quiet, say, service, try_put,
};
use super::world::World;
use boxstep_engine::CallId;
use boxstep_engine::services::ServiceCx;
use boxstep_motion::JointPath;
use boxstep_types::{Time, Value};
use joints::{Joint, Task, Track};
use std::sync::Arc;
use walk::Walk;

/// The body's state.
#[derive(Debug)]
pub(crate) struct Motion {
    pub(crate) joints: Vec<Joint>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) awake: bool,
    pub(crate) walk: Walk,
}

/// What a task does.
#[derive(Debug)]
pub(crate) enum Work {
    /// Curves, by joint; relative ones begin where the joint stands.
    Paths { paths: Vec<(usize, JointPath)>, relative: bool },
    /// To angles, at a fraction of the speed of the slowest joint.
    Speed { targets: Vec<(usize, f64)>, fraction: f64 },
    /// Stiffness over time, by joint.
    Stiffness(Vec<(usize, JointPath)>),
    /// It was started: the joints have it.
    Running,
}

/// What follows when a task is over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ended {
    /// The call returns.
    Done,
    /// Joints may have lost their stiffness.
    Stiffness,
    /// The robot is awake.
    Awake,
    /// The robot is at rest and limp.
    Rest,
    /// A posture was reached, or not: the call returns which.
    Posture(Arc<str>),
}

impl Motion {
    /// A robot that stands, awake.
    pub(crate) fn new(body: &SimBody) -> Self {
        let joint =
            |i| Joint { command: Track::Still(body.start(i)), stiffness: Track::Still(1.0), limp: None, later: None };
        let joints = (0..body.len()).map(joint).collect();
        Self { joints, tasks: Vec::new(), awake: true, walk: Walk::default() }
    }
}

/// A task is over: its call, if it still waits, gets its answer.
pub(crate) fn finish(w: &mut World, cx: &mut ServiceCx<'_>, ended: Ended, call: Option<CallId>, reached: bool) {
    match ended {
        Ended::Awake => return power::awake(w, cx, call, true),
        Ended::Rest => return power::awake(w, cx, call, false),
        Ended::Posture(name) => return super::posture::ended(w, cx, &name, call, reached),
        Ended::Stiffness => power::settle(w, cx.now()),
        Ended::Done => {}
    }
    if let Some(call) = call {
        cx.complete(call, Ok(Value::Null));
    }
}

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

const METHODS: &[Method] = &[
    code("angleInterpolation", 4, 4),
    code("angleInterpolationBezier", 3, 3),
    code("angleInterpolationWithSpeed", 3, 4),
    code("areResourcesAvailable", 1, 1),
    code("changeAngles", 3, 3),
    code("closeHand", 1, 1),
    code("getAngles", 1, 2),
    code("getBodyNames", 1, 1),
    code("getJointNames", 1, 1),
    code("getLimits", 1, 1),
    code("getMoveConfig", 1, 1),
    code("getNextRobotPosition", 0, 0),
    code("getPosition", 3, 3),
    code("getRobotConfig", 0, 0),
    code("getRobotPosition", 0, 1),
    code("getRobotVelocity", 0, 0),
    code("getStiffnesses", 1, 1),
    code("getSummary", 0, 0),
    code("getTaskList", 0, 0),
    code("getTransform", 3, 3),
    code("killAll", 0, 0),
    code("killMove", 0, 0),
    code("killTask", 1, 1),
    code("killTasksUsingResources", 1, 1),
    code("killWalk", 0, 0),
    code("move", 3, 4),
    code("moveInit", 0, 0),
    code("moveIsActive", 0, 0),
    code("moveTo", 1, 5),
    code("moveToward", 3, 4),
    code("openHand", 1, 1),
    code("rest", 0, 1),
    code("robotIsWakeUp", 0, 0),
    code("setAngles", 3, 3),
    code("setStiffnesses", 2, 2),
    code("setWalkTargetVelocity", 4, 6),
    code("stiffnessInterpolation", 3, 3),
    code("stopMove", 0, 0),
    code("stopWalk", 0, 0),
    code("waitUntilMoveIsFinished", 0, 0),
    code("waitUntilWalkIsFinished", 0, 0),
    code("wakeUp", 0, 0),
    code("walkInit", 0, 0),
    code("walkIsActive", 0, 0),
    code("walkTo", 1, 4),
    code("getBreathConfig", 0, 0),
    get("getBreathEnabled", "breath", 1, NO),
    get("getCollisionProtectionEnabled", "collision", 1, YES),
    get("getDiagnosisEffectEnabled", "diagnosisEffect", 0, YES),
    get("getExternalCollisionProtectionEnabled", "externalCollision", 1, YES),
    get("getFallManagerEnabled", "fallManager", 0, YES),
    get("getIdlePostureEnabled", "idle", 1, NO),
    get("getManageWholeBody", "wholeBody", 0, NO),
    get("getMoveArmsEnabled", "moveArms", 1, YES),
    get("getOrthogonalSecurityDistance", "orthogonalDistance", 0, Const::Float(0.1)),
    get("getPushRecoveryEnabled", "pushRecovery", 0, YES),
    get("getSmartStiffnessEnabled", "smartStiffness", 0, YES),
    get("getTangentialSecurityDistance", "tangentialDistance", 0, Const::Float(0.1)),
    code("getWalkArmsEnabled", 0, 0),
    code("getWalkArmsEnable", 0, 0),
    put("setBreathConfig", "breathConfig", 1),
    put("setBreathEnabled", "breath", 2),
    try_put("setCollisionProtectionEnabled", "collision", 2),
    put("setDiagnosisEffectEnabled", "diagnosisEffect", 1),
    put("setExternalCollisionProtectionEnabled", "externalCollision", 2),
    put("setFallManagerEnabled", "fallManager", 1),
    put("setIdlePostureEnabled", "idle", 2),
    put("setMotionConfig", "config", 1),
    code("setMoveArmsEnabled", 2, 2),
    put("setOrthogonalSecurityDistance", "orthogonalDistance", 1),
    put("setPushRecoveryEnabled", "pushRecovery", 1),
    put("setSmartStiffnessEnabled", "smartStiffness", 1),
    put("setTangentialSecurityDistance", "tangentialDistance", 1),
    code("setWalkArmsEnable", 2, 2),
    code("setWalkArmsEnabled", 2, 2),
    // Undocumented, but scripts call them.
    act("_lookAt", 1, ANY, "look", "look (an undocumented call; the body does not move)", Const::Null),
    act("_stopLookAt", 0, ANY, "look", "look no more", Const::Null),
    put("_setAnimationModeEnabled", "animationMode", 1),
    put("wbEnable", "wholeBody", 1),
    put("setOffsetFromFloor", "offset", 1),
    quiet("wbEnableBalanceConstraint", 2, 2),
    quiet("wbEnableEffectorControl", 2, 2),
    quiet("wbEnableEffectorOptimization", 2, 2),
    quiet("wbFootState", 2, 2),
    quiet("wbSetEffectorControl", 2, 2),
    say("getChainClosestObstaclePosition", 1, 2, Const::Empty),
    say("getFootGaitConfig", 1, 1, Const::Empty),
    say("getFootSteps", 0, 0, Const::Empty),
    say("getMotionCycleTime", 0, 0, Const::Int(20)),
    say("isCollision", 1, 1, Const::Str("none")),
    say("wbGoToBalance", 2, 3, Const::Null),
];

pub(crate) static SERVICE: Service = Service {
    code: call,
    events: &[
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
    ],
    ..service("ALMotion", METHODS)
};

fn call(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    match call.method {
        "getAngles" => interpolate::angles(w, cx, call),
        "getBodyNames" | "getJointNames" => {
            let name = args.text(0, "name")?;
            let names = w.body.body_names(name);
            if names.is_empty() {
                return bad(w.body.no_joint(name));
            }
            ok(Value::list(names.into_iter().map(Value::from)))
        }
        "getLimits" => {
            let joints = w.body.joints_of(args, 0)?;
            let row = |j: usize| {
                let (min, max) = w.body.limits(j);
                // The torque limit is not public; 0 says so.
                Value::list([min, max, w.body.speed(j), 0.0].map(Value::Float))
            };
            ok(Value::list(joints.into_iter().map(row)))
        }
        "getRobotConfig" => {
            let (names, values): (Vec<Value>, Vec<Value>) = w.body.config().map(|(n, v)| (n.into(), v)).unzip();
            ok(Value::list([Value::List(names.into()), Value::List(values.into())]))
        }
        "getSummary" => ok(summary(w, cx.now())),
        "getPosition" | "getTransform" => place(w, cx, call),
        "getTaskList" => {
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
        "areResourcesAvailable" => {
            let (joints, held) = (w.body.joints_of(args, 0)?, joints::booked(w));
            ok(!joints.iter().any(|j| held.contains(&w.body.leader(*j))))
        }
        "killTask" => {
            let id = args.int(0, "task")?;
            let moved = walk::kill_task(w, cx, id);
            ok(joints::kill(w, cx, None, |t| i64::from(t.call.0) == id) || moved)
        }
        "killTasksUsingResources" => {
            let joints: Vec<usize> = w.body.joints_of(args, 0)?.iter().map(|j| w.body.leader(*j)).collect();
            joints::kill(w, cx, None, |t| t.joints.iter().any(|j| joints.contains(j)));
            done()
        }
        "killAll" => {
            walk::halt_all(w, cx);
            done()
        }
        "moveInit" | "walkInit" => done(),
        "setMoveArmsEnabled" | "setWalkArmsEnable" | "setWalkArmsEnabled" => {
            let (left, right) = (args.flag(0, "left arm")?, args.flag(1, "right arm")?);
            for (name, on) in [("LArm", left), ("RArm", right), ("Arms", left && right)] {
                w.settings.insert(format!("ALMotion/moveArms/{name}"), on.into());
            }
            done()
        }
        "getWalkArmsEnable" | "getWalkArmsEnabled" => {
            let on = |name: &str| w.setting("ALMotion", &format!("moveArms/{name}")).is_none_or(Value::truthy);
            ok(Value::list([on("LArm").into(), on("RArm").into()]))
        }
        "getBreathConfig" => ok(w.setting("ALMotion", "breathConfig").cloned().unwrap_or_else(|| {
            Value::list([
                Value::list(["Bpm".into(), Value::Float(12.0)]),
                Value::list(["Amplitude".into(), Value::Float(0.5)]),
            ])
        })),
        "wakeUp" | "rest" | "robotIsWakeUp" | "setStiffnesses" | "stiffnessInterpolation" | "getStiffnesses" => {
            power::call(w, cx, call)
        }
        name if name.starts_with("angle")
            || matches!(name, "setAngles" | "changeAngles" | "openHand" | "closeHand") =>
        {
            interpolate::call(w, cx, call)
        }
        _ => walk::call(w, cx, call),
    }
}

/// A table of the joints, for people.
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

/// Where a part of the body is. Only what needs no forward kinematics is known: the robot itself.
fn place(w: &World, cx: &ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (name, frame) = (call.args.text(0, "name")?, call.args.int(1, "frame")?);
    if !matches!(name, "Torso" | "Robot") || !(0..=2).contains(&frame) {
        return failed(format!("the simulation knows only where the Torso is, not `{name}`"));
    }
    let pose = match (frame, name) {
        // World: where the robot walked to. Torso and robot frames: here.
        (1, _) => w.motion.walk.at(cx.now()),
        _ => walk::Pose::default(),
    };
    let height = if name == "Torso" && frame != 0 { w.body.build().torso_height } else { 0.0 };
    let (sin, cos) = pose.theta.sin_cos();
    let numbers: Vec<f64> = if call.method == "getPosition" {
        vec![pose.x, pose.y, height, 0.0, 0.0, pose.theta]
    } else {
        vec![cos, -sin, 0.0, pose.x, sin, cos, 0.0, pose.y, 0.0, 0.0, 1.0, height, 0.0, 0.0, 0.0, 1.0]
    };
    ok(numbers)
}

/// All joints but wheels with their real angles, by name, in the body's order.
pub(crate) fn sample(w: &World, now: Time) -> Vec<(Arc<str>, f64)> {
    let joints = (0..w.motion.joints.len()).filter(|i| !w.body.is_wheel(*i));
    joints.map(|i| (w.body.joint_name(i), joints::actual(w, i, now))).collect()
}

/// The same joints, and where they are told to be.
pub(crate) fn sample_commands(w: &World, now: Time) -> Vec<(Arc<str>, f64)> {
    let joints = (0..w.motion.joints.len()).filter(|i| !w.body.is_wheel(*i));
    joints.map(|i| (w.body.joint_name(i), joints::command(w, i, now))).collect()
}

/// A call was given up.
pub(crate) fn cancel(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId) {
    joints::kill(w, cx, Some(call), |t| t.call == call);
    walk::cancel(w, cx, call);
}
