//! Where a real robot and its joints are.

use boxstep_dynamics::{Isometry3, Model, Translation3, UnitQuaternion};
use boxstep_qi::{Remote, Session, Value as Wire};
use boxstep_robot::naoqi::NaoqiHandle;
use boxstep_ros2::posture::{Posture, standing};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

/// How long a real robot may take to say where it is.
const ANSWER: Duration = Duration::from_millis(500);

/// Asks a real robot where it is, as the driver does.
pub(super) struct RealJoints {
    handle: NaoqiHandle,
    motion: Found,
}

/// The robot's service of motion.
enum Found {
    Unknown,
    /// It is looked for.
    Awaited(Receiver<Option<Motion>>),
    Known(Motion),
}

/// The service, and the names of the robot's joints.
struct Motion {
    service: Remote,
    names: Vec<String>,
}

impl RealJoints {
    pub(super) fn new(handle: NaoqiHandle) -> Self {
        Self { handle, motion: Found::Unknown }
    }

    /// Returns where the robot is; `None` if it does not answer.
    pub(super) fn posture(&mut self, model: &Model) -> Option<Posture> {
        self.look_for()?;
        let Found::Known(motion) = &self.motion else { return None };
        let asked = motion.ask(model);
        if asked.is_none() {
            // The robot may be another one after a lost connection.
            self.motion = Found::Unknown;
        }
        asked
    }

    /// Looks for the service on a thread of its own: that may take several answers, and nobody waits for them here.
    fn look_for(&mut self) -> Option<()> {
        if let Found::Unknown = self.motion {
            let session = self.handle.session()?;
            let (found, awaited) = channel();
            // Nobody waits for it if the run is over.
            let look = move || drop(found.send(Motion::of(&session)));
            std::thread::Builder::new().name("joints".to_owned()).spawn(look).ok()?;
            self.motion = Found::Awaited(awaited);
        }
        if let Found::Awaited(awaited) = &self.motion {
            self.motion = match awaited.try_recv() {
                Ok(Some(motion)) => Found::Known(motion),
                Err(TryRecvError::Empty) => return None,
                Ok(None) | Err(TryRecvError::Disconnected) => Found::Unknown,
            };
        }
        Some(())
    }
}

impl Motion {
    fn of(session: &Session) -> Option<Self> {
        let service = session.service("ALMotion").ok()?;
        let names = service.call_within("getBodyNames", &["Body".into()], ANSWER).ok()?;
        let names =
            names.plain().as_slice()?.iter().filter_map(|name| Some(name.plain().as_str()?.to_owned())).collect();
        Some(Self { service, names })
    }

    fn ask(&self, model: &Model) -> Option<Posture> {
        let found = numbers(&self.service.call_within("getAngles", &["Body".into(), true.into()], ANSWER).ok()?)?;
        let mut angles = model.awake();
        for (name, angle) in self.names.iter().zip(&found) {
            if let Some(joint) = model.body().joint_index(name).and_then(|joint| angles.get_mut(joint)) {
                *joint = *angle;
            }
        }
        let place = self.service.call_within("getPosition", &["Torso".into(), 1_i64.into(), true.into()], ANSWER).ok();
        let torso = match place.as_ref().and_then(numbers).as_deref() {
            Some([x, y, z, roll, pitch, yaw]) => Isometry3::from_parts(
                Translation3::new(*x, *y, *z),
                UnitQuaternion::from_euler_angles(*roll, *pitch, *yaw),
            ),
            _ => standing(model, &angles),
        };
        Some(Posture { angles, torso })
    }
}

/// Returns the numbers of a list.
fn numbers(list: &Wire) -> Option<Vec<f64>> {
    let number = |value: &Wire| {
        let plain = value.plain();
        plain.as_f64().or_else(|| plain.as_i64().map(|number| number as f64))
    };
    list.plain().as_slice()?.iter().map(number).collect()
}
