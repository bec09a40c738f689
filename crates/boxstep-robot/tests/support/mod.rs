//! A scripted robot: services with NAOqi's signatures, on the loopback interface, with the answers that a test sets.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use boxstep_qi::{BuiltObject, Call, Object, ObjectBuilder, Options, Reply, Server, Session, Turns, Value};
use boxstep_robot::naoqi::preflight::Reach;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Services, and the descriptions of their methods.
pub type Table = &'static [(&'static str, &'static [&'static str])];

/// The services of a robot that is ready for a behavior.
pub const SERVICES: Table = &[
    ("ALSystem", &["systemVersion::()->s", "robotName::()->s"]),
    (
        "ALMotion",
        &[
            "robotIsWakeUp::()->b",
            "getRobotConfig::()->m",
            "getBodyNames::(s)->[s]",
            "getStiffnesses::(m)->[f]",
            "setStiffnesses::(mm)->v",
            "wakeUp::()->v",
            "rest::()->v",
            "stopMove::()->v",
            "moveIsActive::()->b",
            "waitUntilMoveIsFinished::()->v",
            "killAll::()->v",
            "killTasksUsingResources::([s])->v",
            "moveTo::(fff)->v",
        ],
    ),
    ("ALBattery", &["getBatteryCharge::()->i"]),
    (
        "ALMemory",
        &[
            "getData::(s)->m",
            "getListData::(m)->m",
            "getDataListName::()->m",
            "raiseEvent::(sm)->v",
            "subscriber::(s)->o",
        ],
    ),
    ("ALBodyTemperature", &["getTemperatureDiagnosis::()->m"]),
    ("ALAutonomousLife", &["getState::()->s", "setState::(s)->v"]),
    ("ALBehaviorManager", &["getRunningBehaviors::()->[s]", "getDefaultBehaviors::()->[s]", "stopAllBehaviors::()->v"]),
    ("ALTextToSpeech", &["getLanguage::()->s", "getAvailableLanguages::()->[s]", "say::(s)->v", "stopAll::()->v"]),
    ("ALAnimatedSpeech", &["say::(s)->v", "_stopAll::(b)->v"]),
    ("ALAudioPlayer", &["playFile::(s)->v", "stopAll::()->v"]),
    ("ALTracker", &["stopTracker::()->v"]),
    ("ALRobotPosture", &["goToPosture::(sf)->b", "stopMove::()->v"]),
];

/// The calls and the answers.
#[derive(Default)]
struct State {
    answers: HashMap<String, Result<Value, String>>,
    /// What its memory has; if it has nothing, `answers` are those of the memory, too.
    memory: HashMap<String, Value>,
    hangs: HashSet<String>,
    held: Vec<Reply>,
    heard: Vec<String>,
    /// The connection of each call.
    over: Vec<String>,
    /// It rests when its Life ends.
    lies_down: bool,
    /// Its Life cannot be switched off, and it does not report that.
    stays_in_life: bool,
    /// The subscribers of its memory.
    subscribers: Vec<(String, Arc<BuiltObject>)>,
}

/// The state that a robot and its services share.
#[derive(Default)]
struct Mind {
    state: Mutex<State>,
    changed: Condvar,
}

/// A robot; dropping it disconnects it.
pub struct Robot {
    server: Server,
    mind: Arc<Mind>,
}

impl Robot {
    /// A robot that is awake, well and idle.
    pub fn ready() -> Robot {
        Robot::with(SERVICES)
    }

    /// A robot with these services only.
    pub fn with(services: Table) -> Robot {
        let server = Server::listen("127.0.0.1:0").unwrap();
        let robot = Robot { server, mind: Arc::default() };
        let strings = |list: &[&str]| Value::list(list.iter().map(|text| Value::from(*text)));
        robot.says("ALSystem.systemVersion", "2.5.7.1");
        robot.says("ALSystem.robotName", "nao");
        robot.says("ALMotion.robotIsWakeUp", true);
        let config = [strings(&["Model Type", "Head Version"]), strings(&["naoH25", "VERSION_50"])];
        robot.says("ALMotion.getRobotConfig", Value::list(config));
        robot.says("ALMotion.getBodyNames", strings(&["HeadYaw", "HeadPitch", "LKneePitch"]));
        robot.says("ALMotion.getStiffnesses", Value::list([1.0, 1.0, 1.0].map(Value::from)));
        robot.says("ALMotion.moveIsActive", false);
        robot.says("ALBattery.getBatteryCharge", 87);
        robot.says("ALMemory.getData", false);
        robot.says("ALMemory.getListData", Value::list([38.0, 41.0, 39.0].map(Value::from)));
        robot.says("ALBodyTemperature.getTemperatureDiagnosis", Value::list([]));
        robot.says("ALAutonomousLife.getState", "disabled");
        robot.says("ALBehaviorManager.getRunningBehaviors", strings(&["boot/always"]));
        robot.says("ALBehaviorManager.getDefaultBehaviors", strings(&["boot/always"]));
        robot.says("ALTextToSpeech.getLanguage", "English");
        robot.says("ALTextToSpeech.getAvailableLanguages", strings(&["English", "French"]));
        for (name, methods) in services {
            robot.offer(name, methods);
        }
        robot
    }

    /// Offers another service.
    pub fn offer(&self, service: &'static str, methods: &'static [&'static str]) {
        let mut object = ObjectBuilder::new(service).turns(Turns::AtOnce);
        for described in methods {
            let name = format!("{service}.{}", described.split("::").next().unwrap());
            let mind = self.mind.clone();
            object = object.method_later(described, move |call| answer(&mind, &name, call));
        }
        self.server.register(service, object.build().unwrap()).unwrap();
    }

    /// `Service.method` answers this from now on.
    pub fn says(&self, method: &str, value: impl Into<Value>) {
        self.mind.state.lock().unwrap().answers.insert(method.to_owned(), Ok(value.into()));
    }

    /// Its memory has this from now on, and nothing for keys of which nothing is said.
    pub fn remembers(&self, key: &str, value: impl Into<Value>) {
        self.mind.state.lock().unwrap().memory.insert(key.to_owned(), value.into());
    }

    /// `Service.method` fails from now on.
    pub fn fails(&self, method: &str, words: &str) {
        self.mind.state.lock().unwrap().answers.insert(method.to_owned(), Err(words.to_owned()));
    }

    /// `Service.method` never answers from now on.
    pub fn hangs(&self, method: &str) {
        self.mind.state.lock().unwrap().hangs.insert(method.to_owned());
    }

    /// From now on it rests when its Life ends.
    pub fn lies_down_without_life(&self) {
        self.mind.state.lock().unwrap().lies_down = true;
    }

    /// From now on its Life goes on, whatever it is told.
    pub fn stays_in_life(&self) {
        self.mind.state.lock().unwrap().stays_in_life = true;
    }

    /// Returns the calls that are not queries, in order.
    pub fn commands(&self) -> Vec<String> {
        const ASKS: [&str; 8] = ["get", "robotIs", "moveIs", "systemV", "robotName", "diskFree", "state", "packages"];
        let asks = |name: &str| ASKS.iter().any(|ask| name.contains(&format!(".{ask}"))) || name.ends_with(".services");
        self.mind.state.lock().unwrap().heard.iter().filter(|name| !asks(name)).cloned().collect()
    }

    /// Returns all calls with their connections, in order.
    pub fn heard(&self) -> Vec<(String, String)> {
        let state = self.mind.state.lock().unwrap();
        state.over.iter().cloned().zip(state.heard.iter().cloned()).collect()
    }

    /// Waits until this has been called.
    pub fn wait_for(&self, method: &str) {
        let state = self.mind.state.lock().unwrap();
        let long = Duration::from_secs(60);
        let heard = |state: &mut State| !state.heard.iter().any(|heard| heard.starts_with(method));
        let (state, late) = self.mind.changed.wait_timeout_while(state, long, heard).unwrap();
        assert!(!late.timed_out(), "{method} was never called: {:?}", state.heard);
    }

    /// Returns a session with the robot, with short timeouts.
    pub fn session(&self) -> Session {
        let patient = Duration::from_secs(20);
        let options = Options { answer_within: patient, ..Options::default() };
        Session::connect_with(&self.address(), options).unwrap()
    }

    /// Returns a link to the robot, and another one when that is lost.
    pub fn reach(&self) -> Reach {
        let (address, now) = (self.address(), Mutex::new(None::<Session>));
        Arc::new(move |_| {
            let mut now = now.lock().unwrap();
            if now.as_ref().is_none_or(|session| session.connection().gone().is_some()) {
                let answer_within = Duration::from_secs(20);
                *now = Some(Session::connect_with(&address, Options { answer_within, ..Options::default() })?);
            }
            Ok(now.clone().unwrap())
        })
    }

    pub fn address(&self) -> String {
        self.server.address().to_string()
    }

    /// Closes all connections, and accepts no new ones.
    pub fn vanishes(&self) {
        self.server.close();
    }
}

fn answer(mind: &Mind, name: &str, call: Call) {
    let mut state = mind.state.lock().unwrap();
    let args: Vec<String> = call.args.iter().map(shown).collect();
    state.heard.push(if args.is_empty() { name.to_owned() } else { format!("{name} {}", args.join(" ")) });
    state.over.push(call.caller.as_ref().map(|caller| caller.peer().to_owned()).unwrap_or_default());
    mind.changed.notify_all();
    let stays_in_life = state.stays_in_life;
    // The state changes even if the robot does not confirm it.
    let mut becomes = |method: &str, value: Value| drop(state.answers.insert(method.to_owned(), Ok(value)));
    match name {
        "ALMotion.wakeUp" => {
            becomes("ALMotion.robotIsWakeUp", true.into());
            becomes("ALMotion.getStiffnesses", Value::list([1.0, 1.0, 1.0].map(Value::from)));
        }
        "ALMotion.rest" => becomes("ALMotion.robotIsWakeUp", false.into()),
        "ALMotion.waitUntilMoveIsFinished" => becomes("ALMotion.moveIsActive", false.into()),
        "ALAutonomousLife.setState" if stays_in_life => {}
        "ALAutonomousLife.setState" => {
            becomes("ALAutonomousLife.getState", call.args[0].clone());
            if state.lies_down {
                state.answers.insert("ALMotion.robotIsWakeUp".to_owned(), Ok(false.into()));
            }
        }
        _ => {}
    }
    match name {
        "ALMemory.subscriber" => {
            let subscriber = ObjectBuilder::new("").signal("signal", "(m)").build().unwrap();
            state.subscribers.push((call.args[0].as_str().unwrap().to_owned(), subscriber.clone()));
            call.reply.finish(Ok(Value::from(subscriber as Arc<dyn Object>)));
            return;
        }
        "ALMemory.raiseEvent" => {
            let raised = |(key, _): &&(String, _)| Some(key.as_str()) == call.args[0].as_str();
            for (_, subscriber) in state.subscribers.iter().filter(raised) {
                subscriber.emit("signal", &[call.args[1].clone()]).unwrap();
            }
        }
        _ => {}
    }
    if state.hangs.contains(name) {
        state.held.push(call.reply);
        return;
    }
    let remembered = match name {
        "ALMemory.getListData" | "ALMemory.getData" if !state.memory.is_empty() => {
            let get = |key: &Value| state.memory.get(key.as_str().unwrap_or_default()).cloned().unwrap_or(Value::Void);
            let keys = call.args[0].plain();
            Some(Ok(keys.as_slice().map_or_else(|| get(keys), |keys| Value::list(keys.iter().map(get)))))
        }
        _ => None,
    };
    let answer = remembered.or_else(|| state.answers.get(name).cloned()).unwrap_or(Ok(Value::Void));
    drop(state);
    call.reply.finish(answer);
}

fn shown(value: &Value) -> String {
    let value = value.plain();
    match (value.as_str(), value.as_f64(), value.as_slice()) {
        _ if matches!(value, Value::Bool(_)) => format!("{}", value.as_bool() == Some(true)),
        (Some(text), ..) => text.to_owned(),
        (_, Some(number), _) => number.to_string(),
        (_, _, Some(items)) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" ")),
        _ => format!("{value:?}"),
    }
}
