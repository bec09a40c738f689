//! The services of a run, as clients use them. The engine's clock is virtual and moves whenever there is nothing else
//! to do, so nothing here takes time.

use boxstep_bodies::BodyKind;
use boxstep_engine::Engine;
use boxstep_engine::config::{Config, Control, NoLibrary};
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::shared::{Host, NoScripts, Shared};
use boxstep_engine::trace::{ClockKind, Header};
use boxstep_qi::{Error, ObjectBuilder, Remote, Server, Session, Signature, Value, args};
use boxstep_robot::serve::Serving;
use boxstep_services::{SimOptions, SimRobot};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long a test waits for what must come.
pub const SOON: Duration = Duration::from_secs(20);

pub struct Robot {
    pub engine: Shared<Engine>,
    pub serving: Serving,
    driver: Option<std::thread::JoinHandle<()>>,
}

impl Robot {
    pub fn new(body: BodyKind) -> Robot {
        let robot = SimRobot::new(SimOptions { body: body.body(), ..SimOptions::default() });
        let offers = robot.services().collect::<Vec<_>>();
        let header = Header { product: "test".to_owned(), body: body.to_string(), ..Header::new(ClockKind::Virtual) };
        let mut engine = Engine::new(Config::default(), Box::new(robot), Box::new(NoLibrary), &header, Vec::new());
        engine.keep_open(true);
        let engine = Shared::new(engine);
        let server = Server::listen("127.0.0.1:0").unwrap();
        let serving = Serving::start(engine.clone(), server, &offers).unwrap();
        let drives = engine.clone();
        let driver = std::thread::spawn(move || NoScripts.drive(&drives).unwrap());
        Robot { engine, serving, driver: Some(driver) }
    }

    pub fn session(&self) -> Session {
        Session::connect(&self.serving.address().to_string()).unwrap()
    }
}

impl Drop for Robot {
    fn drop(&mut self) {
        self.serving.close();
        self.engine.poke(|engine| {
            let now = engine.now();
            engine.control(now, Control::Stop).unwrap();
        });
        self.driver.take().unwrap().join().unwrap();
    }
}

pub fn words(result: Result<Value, Error>) -> String {
    result.unwrap_err().to_string()
}

fn memory_signal(session: &Session, key: &str) -> (Remote, boxstep_qi::Subscription, Receiver<Value>) {
    let memory = session.service("ALMemory").unwrap();
    let subscriber = memory.call("subscriber", &args![key]).unwrap();
    let subscriber = subscriber.as_object().unwrap().remote().unwrap().clone();
    let (tell, told) = channel();
    let listening = subscriber.subscribe("signal", move |args| tell.send(args[0].plain().clone()).unwrap()).unwrap();
    (subscriber, listening, told)
}

#[test]
fn every_service_of_the_robot_is_there_with_naoqis_types() {
    let robot = Robot::new(BodyKind::Pepper);
    let session = robot.session();
    let names: Vec<String> = session.services().unwrap().into_iter().map(|s| s.name).collect();
    assert!(names.len() > 38, "{names:?}");
    for name in &names {
        session.service(name).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    for own in ["ALFrameManager", "ALResourceManager", "ALBehaviorManager", "ALTabletService"] {
        assert!(names.iter().any(|n| n == own), "{own}");
    }
    let speech = session.service("ALTextToSpeech").unwrap();
    let says: Vec<String> = speech.meta().methods_named("say").map(|(_, m)| m.parameters.to_string()).collect();
    assert_eq!(says, ["(s)", "(ss)"]);
    let motion = session.service("ALMotion").unwrap();
    let (_, angles) = motion.meta().methods_named("getAngles").next().unwrap();
    assert_eq!((angles.parameters.to_string().as_str(), angles.returns.to_string().as_str()), ("(mb)", "[f]"));
    let pings: Vec<u32> = motion.meta().methods_named("ping").map(|(id, _)| id).collect();
    assert_eq!(pings, [104], "as on a robot");
    let tablet = session.service("ALTabletService").unwrap();
    assert_eq!(tablet.meta().signal("onTouchDown").unwrap().1.signature.to_string(), "(ff)");
}

#[test]
fn arguments_and_answers_have_the_types_of_the_method() {
    let robot = Robot::new(BodyKind::Nao);
    let motion = robot.session().service("ALMotion").unwrap();
    motion.call("setAngles", &args!["HeadYaw", 0.5, 1.0]).unwrap();
    // The clock moves until the head has come to rest, before anything else is done.
    let call = motion.call("angleInterpolation", &args!["HeadYaw", 0.25, 1.0, true]).unwrap();
    assert_eq!(call, Value::Void);
    let angles = motion.call("getAngles", &args!["HeadYaw", true]).unwrap();
    assert_eq!(angles.signature(), Signature::parse("[f]").unwrap());
    assert!((angles.as_slice().unwrap()[0].as_f64().unwrap() - 0.25).abs() < 1e-6);
    let rested = robot.session().service("ALTextToSpeech").unwrap().call("getLanguage", &[]).unwrap();
    assert_eq!(rested.as_str(), Some("English"));
}

#[test]
fn errors_have_messages() {
    let robot = Robot::new(BodyKind::Nao);
    let session = robot.session();
    let motion = session.service("ALMotion").unwrap();
    let odd = words(motion.call("setAngles", &args!["NoJoint", 0.5, 1.0]));
    assert!(odd.contains("ALMotion.setAngles") && odd.contains("NoJoint"), "{odd}");
    assert!(motion.call("dance", &[]).is_err(), "the client sees that there is no such method");
    let memory = session.service("ALMemory").unwrap();
    let none = words(memory.call("getData", &args!["NoKey"]));
    assert!(none.contains("there is no data with the key `NoKey`"), "{none}");
    let gone = words(session.service("ALTabletService").map(|_| Value::Void));
    assert!(gone.contains("ALTabletService"), "{gone}");
}

#[test]
fn memory_events_reach_subscribers_until_they_release_the_object() {
    let robot = Robot::new(BodyKind::Nao);
    let (one, other) = (robot.session(), robot.session());
    let (subscriber, listening, told) = memory_signal(&one, "Mood");
    let memory = other.service("ALMemory").unwrap();
    for i in 0..100 {
        memory.call("raiseEvent", &args!["Mood", i]).unwrap();
    }
    for i in 0..100 {
        assert_eq!(told.recv_timeout(SOON).unwrap().as_i64(), Some(i));
    }
    assert_eq!(memory.call("getData", &args!["Mood"]).unwrap().as_i64(), Some(99));
    assert_eq!(robot.engine.lock().sizes()[9], 1);
    drop((listening, subscriber));
    // The post that releases the object comes before this call, and ends the subscription.
    until(|| robot.engine.lock().sizes()[9] == 0);
}

#[test]
fn a_listener_of_the_log_is_an_object_with_methods_and_a_signal() {
    let robot = Robot::new(BodyKind::Nao);
    let session = robot.session();
    let manager = session.service("LogManager").unwrap();
    let listener = manager.call("getListener", &[]).unwrap().as_object().unwrap().remote().unwrap().clone();
    listener.call("addFilter", &args!["app.*", 6]).unwrap();
    let (tell, told) = channel();
    let listening =
        listener.subscribe("onLogMessage", move |args| tell.send(args[0].plain().clone()).unwrap()).unwrap();
    let logger = session.service("ALLogger").unwrap();
    logger.call("debug", &args!["core", "not for us"]).unwrap();
    logger.call("debug", &args!["app.talk", "hello"]).unwrap();
    let message = told.recv_timeout(SOON).unwrap();
    let word = |key: &str| message.get(key).and_then(|value| value.plain().as_str().map(str::to_owned));
    assert_eq!((word("category"), word("message")), (Some("app.talk".to_owned()), Some("hello".to_owned())));
    let odd = words(listener.call("setLevel", &args![9]));
    assert!(odd.contains("a level is 0 to 6, not 9"), "{odd}");
    drop((listening, listener));
    until(|| robot.engine.lock().sizes()[9] == 0);
}

#[test]
fn a_watched_condition_is_an_object_with_a_signal() {
    let robot = Robot::new(BodyKind::Nao);
    let session = robot.session();
    let watcher = session.service("ALExpressionWatcher").unwrap();
    let condition = watcher.call("add", &args!["'Mood' >= 2", 1]).unwrap();
    let condition = condition.as_object().unwrap().remote().unwrap().clone();
    let (tell, told) = channel();
    let listening = condition.subscribe("signal", move |args| tell.send(args[0].plain().as_bool()).unwrap()).unwrap();
    let memory = session.service("ALMemory").unwrap();
    for mood in [1, 2, 3, 0] {
        memory.call("raiseEvent", &args!["Mood", mood]).unwrap();
    }
    assert_eq!([(); 2].map(|()| told.recv_timeout(SOON).unwrap()), [Some(true), Some(false)]);
    let odd = words(watcher.call("add", &args!["'Mood' #", 1]));
    assert!(odd.contains("at character 8: the operator `#` is not known"), "{odd}");
    drop((listening, condition));
    until(|| robot.engine.lock().sizes()[9] == 0);
}

#[test]
fn services_of_clients_are_used_from_inside_the_run() {
    let robot = Robot::new(BodyKind::Nao);
    let services = robot.serving.client_services();
    assert!(!services.has("Greeter") && !services.has("ALMotion"), "the robot's own are not a client's");
    let session = robot.session();
    let greeter = ObjectBuilder::new("")
        .method("greet::(s)->s", |args| Ok(format!("hello {}", args[0].as_str().unwrap_or("?")).into()))
        .signal("greeted", "(s)")
        .build()
        .unwrap();
    let offered = session.register("Greeter", greeter.clone()).unwrap();
    assert!(services.has("Greeter"));
    let (tell, told) = channel();
    let answer = |method: &str| {
        let tell = tell.clone();
        services.call("Greeter", method, &["you".into()], Box::new(move |answer| tell.send(answer).unwrap()));
        told.recv_timeout(SOON).unwrap()
    };
    assert_eq!(answer("greet"), Ok("hello you".into()));
    assert!(answer("sing").unwrap_err().contains("sing"));
    let (emitted, heard) = channel();
    let listener = std::sync::Arc::new(move |value: &boxstep_types::Value| emitted.send(value.clone()).unwrap());
    let listening = services.subscribe("Greeter", "greeted", listener.clone()).unwrap();
    greeter.emit("greeted", &args!["all"]).unwrap();
    assert_eq!(heard.recv_timeout(SOON).unwrap(), boxstep_types::Value::list(["all".into()]));
    assert!(services.subscribe("Greeter", "sung", listener).is_err());
    drop((listening, offered));
    session.close();
    until(|| !services.has("Greeter"));
}

/// Polls until the condition holds.
pub fn until(so: impl Fn() -> bool) {
    let late = std::time::Instant::now() + SOON;
    while !so() {
        assert!(std::time::Instant::now() < late, "it does not come");
        std::thread::yield_now();
    }
}

#[test]
fn a_waiting_call_blocks_nobody_and_can_be_canceled() {
    let robot = Robot::new(BodyKind::Nao);
    let session = robot.session();
    let memory = session.service("ALMemory").unwrap();
    let waits: Vec<_> = (0..200).map(|_| memory.start("getDataOnChange", &args!["Later", 0]).unwrap()).collect();
    // All of these calls are in progress, and others are answered.
    memory.call("insertData", &args!["Other", "x"]).unwrap();
    assert_eq!(robot.engine.lock().sizes()[10], 200);
    let mut waits = waits.into_iter();
    let first = waits.next().unwrap();
    first.cancel();
    assert!(matches!(first.wait(), Err(Error::Canceled)));
    until(|| robot.engine.lock().sizes()[10] == 199);
    memory.call("insertData", &args!["Later", "now"]).unwrap();
    for wait in waits {
        wait.wait_for(SOON).unwrap();
    }
    assert_eq!(robot.engine.lock().sizes()[10], 0);
}

#[test]
fn calls_and_subscriptions_end_with_their_client() {
    let robot = Robot::new(BodyKind::Nao);
    let session = robot.session();
    let memory = session.service("ALMemory").unwrap();
    let waits = memory.start("getDataOnChange", &args!["Later", 0]).unwrap();
    let held = memory_signal(&session, "Mood");
    until(|| robot.engine.lock().sizes()[9..11] == [1, 1]);
    session.close();
    until(|| robot.engine.lock().sizes()[9..11] == [0, 0]);
    drop((waits, held));
    assert!(robot.session().service("ALMotion").unwrap().call("ping", &[]).unwrap().as_bool().unwrap());
}

#[test]
fn posts_have_numbers_by_which_they_are_waited_for_and_stopped() {
    let robot = Robot::new(BodyKind::Nao);
    let session = robot.session();
    let memory = session.service("ALMemory").unwrap();
    let post = |name: &str| {
        let call = Value::list([Value::from("getDataOnChange"), Value::from(name), Value::from(0)]);
        memory.call("pCall", &args![call]).unwrap().plain().as_i64().unwrap()
    };
    let call = post("Later");
    assert_eq!(memory.call("isRunning", &args![call]).unwrap(), Value::Bool(true));
    assert_eq!(memory.call("wait", &args![call, 5]).unwrap(), Value::Bool(true), "the time passed first");
    let waits = memory.start("wait", &args![call, 0]).unwrap();
    memory.call("stop", &args![call]).unwrap();
    assert_eq!(waits.wait_for(SOON).unwrap(), Value::Bool(false));
    assert_eq!(memory.call("isRunning", &args![call]).unwrap(), Value::Bool(false));
    assert_eq!(memory.call("wait", &args![call, 0]).unwrap(), Value::Bool(false));
    let odd = words(memory.call("pCall", &args!["getData"]));
    assert!(odd.contains("a list of a method's name"), "{odd}");
}

#[test]
fn a_service_of_a_client_is_called_back_with_key_value_and_message() {
    let robot = Robot::new(BodyKind::Nao);
    let session = robot.session();
    let (tell, told) = channel();
    let module = ObjectBuilder::new("")
        .method("heard::(sms)->v", move |args| {
            tell.send((args[0].clone(), args[1].plain().clone(), args[2].clone())).unwrap();
            Ok(Value::Void)
        })
        .build()
        .unwrap();
    let offered = session.register("MyModule", module).unwrap();
    let memory = session.service("ALMemory").unwrap();
    memory.call("subscribeToEvent", &args!["Mood", "MyModule", "heard"]).unwrap();
    memory.call("raiseEvent", &args!["Mood", 3]).unwrap();
    let heard = told.recv_timeout(SOON).unwrap();
    assert_eq!((heard.0.as_str(), heard.1.as_i64(), heard.2.as_str()), (Some("Mood"), Some(3), Some("")));
    memory.call("unsubscribeToEvent", &args!["Mood", "MyModule"]).unwrap();
    memory.call("raiseEvent", &args!["Mood", 4]).unwrap();
    memory.call("subscribeToEvent", &args!["Mood", "MyModule", "message", "heard"]).unwrap();
    memory.call("raiseEvent", &args!["Mood", 5]).unwrap();
    let heard = told.recv_timeout(SOON).unwrap();
    assert_eq!((heard.1.as_i64(), heard.2.as_str()), (Some(5), Some("message")), "4 was not for us");
    let nobody = words(memory.call("subscribeToEvent", &args!["Mood", "Nobody", "heard"]));
    assert!(nobody.contains("there is no module Nobody"), "{nobody}");
    drop(offered);
    session.close();
    until(|| robot.engine.lock().sizes()[9] == 0);
}

#[test]
fn signals_arrive_from_the_call_after_the_subscription_on() {
    let robot = Robot::new(BodyKind::Pepper);
    let session = robot.session();
    let tablet = session.service("ALTabletService").unwrap();
    let (tell, told) = channel();
    let listening =
        tablet.subscribe("onTouchDown", move |args| tell.send((args[0].as_f64(), args[1].as_f64())).unwrap()).unwrap();
    tablet.call("hide", &[]).unwrap();
    let touch = |robot: &Robot| {
        robot.engine.poke(|engine| {
            let value = boxstep_types::Value::list([0.5.into(), 0.25.into()]);
            let now = engine.now();
            engine.control(now, Control::Event { key: "ALTabletService.onTouchDown".to_owned(), value }).unwrap();
        });
    };
    touch(&robot);
    assert_eq!(told.recv_timeout(SOON).unwrap(), (Some(0.5), Some(0.25)));
    drop(listening);
    until(|| robot.engine.lock().sizes()[9] == 0);
}

/// Every method without parameters answers with the type in the table, so that nothing is lost on the way to a client.
#[test]
fn methods_without_parameters_answer_with_their_type() {
    for body in BodyKind::ALL {
        let robot = Robot::new(body);
        let session = robot.session();
        let mut wrong = Vec::new();
        for info in session.services().unwrap() {
            let service = session.service(&info.name).unwrap();
            for (id, method) in &service.meta().methods {
                if *id < 113 || method.parameters.to_string() != "()" || info.name == "ServiceDirectory" {
                    continue;
                }
                if let Err(e) = service.call_within(&method.name, &[], SOON)
                    && e.to_string().contains("not of its type")
                {
                    wrong.push(e.to_string());
                }
            }
        }
        assert_eq!(wrong, Vec::<String>::new(), "{body}");
    }
}

#[test]
fn a_hundred_clients_are_served() {
    let robot = Robot::new(BodyKind::Nao);
    let sessions: Vec<Session> = (0..100).map(|_| robot.session()).collect();
    let calls: Vec<_> = sessions
        .iter()
        .enumerate()
        .map(|(i, session)| {
            let memory = session.service("ALMemory").unwrap();
            memory.start("insertData", &args![format!("k{i}"), i as i64]).unwrap()
        })
        .collect();
    for call in calls {
        call.wait_for(SOON).unwrap();
    }
    let memory = sessions[0].service("ALMemory").unwrap();
    for i in 0..100 {
        assert_eq!(memory.call("getData", &args![format!("k{i}")]).unwrap().as_i64(), Some(i));
    }
}
