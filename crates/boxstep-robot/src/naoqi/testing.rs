//! A stand-in robot for tests: a few services on the loopback interface, which record their calls.

use boxstep_qi::{
    Answer, BuildError, BuiltObject, Call, Credentials, ObjectBuilder, ObjectValue, Options, Reply, Server, Turns,
    Value,
};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A recorded call of a stand-in: `ALMotion.moveTo`, and the arguments.
pub type RecordedCall = (String, Vec<Value>);

/// A robot that does nothing and records everything.
pub struct StandIn {
    server: Server,
    world: Arc<World>,
}

/// The state that all services of a stand-in share.
#[derive(Default)]
pub struct World {
    state: Mutex<StandInState>,
    changed: Condvar,
}

#[derive(Default)]
struct StandInState {
    asked: Vec<RecordedCall>,
    /// Unanswered calls: the name, and the reply.
    open: Vec<(String, Reply)>,
    keys: BTreeMap<String, Arc<BuiltObject>>,
    data: BTreeMap<String, Value>,
    /// Methods that are never answered.
    silent: Vec<String>,
    /// Methods that fail, and their messages.
    failing: BTreeMap<String, String>,
}

impl World {
    fn state(&self) -> MutexGuard<'_, StandInState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, what: &str, args: &[Value]) {
        self.state().asked.push((what.to_owned(), args.to_vec()));
        self.changed.notify_all();
    }

    fn end(&self, which: impl Fn(&str) -> bool) {
        let mut state = self.state();
        let (ended, open) = std::mem::take(&mut state.open).into_iter().partition(|(what, _)| which(what));
        state.open = open;
        drop(state);
        let ended: Vec<(String, Reply)> = ended;
        ended.into_iter().for_each(|(_, reply)| reply.value(Value::Void));
        self.changed.notify_all();
    }

    fn key(&self, key: &str) -> Option<Arc<BuiltObject>> {
        let mut state = self.state();
        if !state.keys.contains_key(key) {
            let object = ObjectBuilder::new("A key.").signal("signal", "(m)").build().ok()?;
            state.keys.insert(key.to_owned(), object);
        }
        state.keys.get(key).cloned()
    }

    fn raise(&self, key: &str, value: Value) {
        self.state().data.insert(key.to_owned(), value.clone());
        if let Some(object) = self.key(key) {
            // A key without listeners notifies nobody.
            let _ = object.emit("signal", &[value.dynamic()]);
        }
        self.changed.notify_all();
    }
}

/// The action of a method.
#[derive(Clone, Copy)]
enum Does {
    /// Returns immediately.
    Nothing,
    /// Continues until it is stopped.
    Lasts,
    /// Continues even if it is canceled.
    Stubborn,
    /// Ends the open calls whose names have one of these prefixes.
    Ends(&'static [&'static str]),
    Text(&'static str),
    /// Returns the name of the topic whose text it gets.
    Topic,
    Joints,
    True,
}

const MOTION: &[(&str, Does)] = &[
    ("angleInterpolationBezier::([s]mm)->v", Does::Lasts),
    ("angleInterpolation::(mmmb)->v", Does::Lasts),
    ("angleInterpolationWithSpeed::(mmf)->v", Does::Lasts),
    ("setAngles::(mmf)->v", Does::Nothing),
    ("moveTo::(fff)->v", Does::Lasts),
    ("moveToward::(fff)->v", Does::Nothing),
    ("stopMove::()->v", Does::Ends(&["ALMotion.move"])),
    ("killMove::()->v", Does::Ends(&["ALMotion.move"])),
    ("killTasksUsingResources::([s])->v", Does::Ends(&["ALMotion.angle"])),
    ("setBreathEnabled::(sb)->v", Does::Nothing),
    ("wakeUp::()->v", Does::Nothing),
    ("getBodyNames::(s)->[s]", Does::Joints),
    ("areResourcesAvailable::([s])->b", Does::True),
];

const OTHERS: &[(&str, &[(&str, Does)])] = &[
    (
        "ALTextToSpeech",
        &[
            ("say::(s)->v", Does::Lasts),
            ("stopAll::()->v", Does::Ends(&["ALTextToSpeech.say"])),
            ("getLanguage::()->s", Does::Text("French")),
        ],
    ),
    (
        "ALAudioPlayer",
        &[
            ("playFile::(s)->v", Does::Lasts),
            ("playWebStream::(sff)->v", Does::Lasts),
            ("stopAll::()->v", Does::Ends(&["ALAudioPlayer.play"])),
        ],
    ),
    (
        "ALRobotPosture",
        &[("goToPosture::(sf)->b", Does::Lasts), ("stopMove::()->v", Does::Ends(&["ALRobotPosture.goTo"]))],
    ),
    (
        "ALDialog",
        &[
            ("loadTopicContent::(s)->s", Does::Topic),
            ("activateTopic::(s)->v", Does::Nothing),
            ("setFocus::(s)->v", Does::Nothing),
            ("deactivateTopic::(s)->v", Does::Nothing),
            ("unloadTopic::(s)->v", Does::Nothing),
            ("subscribe::(s)->v", Does::Nothing),
            ("unsubscribe::(s)->v", Does::Nothing),
        ],
    ),
    ("ALTracker", &[("track::(s)->v", Does::Nothing), ("stopTracker::()->v", Does::Nothing)]),
    ("ALBehaviorManager", &[("startBehavior::(s)->v", Does::Nothing), ("stopBehavior::(s)->v", Does::Nothing)]),
    ("ALLeds", &[("rasta::(f)->v", Does::Lasts), ("rotateEyes::(iff)->v", Does::Stubborn)]),
    ("ALSystem", &[("systemVersion::()->s", Does::Text("2.5.7.1"))]),
    ("ALPhotoCapture", &[("takePicture::(ss)->v", Does::Nothing)]),
];

fn service(world: &Arc<World>, name: &str, methods: &[(&str, Does)]) -> ObjectBuilder {
    let mut builder = ObjectBuilder::new(name).turns(Turns::SideBySide);
    for (described, does) in methods {
        let what = format!("{name}.{}", described.split_once("::").map_or(*described, |(name, _)| name));
        let (world, does) = (world.clone(), *does);
        builder = builder.method_later(described, move |call: Call| {
            let (silent, failing) = {
                let state = world.state();
                (state.silent.contains(&what), state.failing.get(&what).cloned())
            };
            if let Some(words) = failing {
                world.note(&what, &call.args);
                return call.reply.failed(words);
            }
            if silent || matches!(does, Does::Lasts | Does::Stubborn) {
                let mine = what.clone();
                let there = Arc::downgrade(&world);
                call.reply.on_cancel(move |reply| {
                    if silent || matches!(does, Does::Stubborn) {
                        return;
                    }
                    reply.answer(Answer::Canceled);
                    if let Some(world) = there.upgrade() {
                        let mut state = world.state();
                        if let Some(at) = state.open.iter().position(|(what, _)| *what == mine) {
                            let _ended = state.open.remove(at);
                        }
                    }
                });
                // Opened before it is recorded, because a test that sees the record may end the call.
                world.state().open.push((what.clone(), call.reply));
                return world.note(&what, &call.args);
            }
            world.note(&what, &call.args);
            if let Does::Ends(words) = does {
                let silent = world.state().silent.clone();
                world.end(|open| words.iter().any(|word| open.starts_with(word)) && !silent.iter().any(|s| s == open));
            }
            call.reply.value(match does {
                Does::Text(text) => Value::from(text),
                Does::Topic => {
                    let text = call.args.first().and_then(Value::as_str).unwrap_or_default();
                    let name = text.split('~').nth(1).and_then(|rest| rest.split([' ', '(']).next());
                    Value::from(name.unwrap_or_default())
                }
                Does::True => Value::from(true),
                Does::Joints => {
                    let all = boxstep_bodies::BodyKind::Nao.body().joints.iter();
                    Value::list(all.map(|joint| Value::from(joint.name)))
                }
                _ => Value::Void,
            });
        });
    }
    builder
}

impl StandIn {
    /// Listens at a free port.
    ///
    /// # Errors
    /// Only those of the system.
    pub fn start() -> Result<Self, Box<dyn std::error::Error>> {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    /// Listens at an address.
    ///
    /// # Errors
    /// Only those of the system.
    pub fn start_at(address: SocketAddr) -> Result<Self, Box<dyn std::error::Error>> {
        let world = Arc::<World>::default();
        // A client that waits for the robot to return must find all services, however early it connects.
        let ready = Arc::new(OnceLock::new());
        let gate = ready.clone();
        let let_in = move |_: Option<&Credentials>| {
            gate.wait();
            Ok(())
        };
        let server = Server::listen_guarded(address, Options::default(), let_in)?;
        server.register("ALMotion", service(&world, "ALMotion", MOTION).build()?)?;
        for (name, methods) in OTHERS {
            server.register(name, service(&world, name, methods).build()?)?;
        }
        server.register("ALMemory", memory(&world)?)?;
        server.register("Objects", objects()?)?;
        let _first = ready.set(());
        Ok(Self { server, world })
    }

    /// Returns the address at which it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Returns the calls so far.
    pub fn asked(&self) -> Vec<RecordedCall> {
        self.world.state().asked.clone()
    }

    /// Returns the names of the calls so far.
    pub fn names(&self) -> Vec<String> {
        self.asked().into_iter().map(|(name, _)| name).collect()
    }

    /// Returns the names of the unanswered calls.
    pub fn open(&self) -> Vec<String> {
        self.world.state().open.iter().map(|(what, _)| what.clone()).collect()
    }

    /// Waits until the condition holds; returns false after 30 seconds.
    pub fn until(&self, so: impl Fn(&[RecordedCall]) -> bool) -> bool {
        let until = Instant::now() + Duration::from_secs(30);
        let mut state = self.world.state();
        loop {
            if so(&state.asked) {
                return true;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.world.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until a method has been called this many times.
    pub fn until_asked(&self, what: &str, times: usize) -> bool {
        self.until(|asked| asked.iter().filter(|(name, _)| name == what).count() >= times)
    }

    /// Ends the unanswered calls of this name; waits until there is one.
    pub fn end(&self, what: &str) {
        let mut state = self.world.state();
        while !state.open.iter().any(|(open, _)| open == what) {
            let waited = self.world.changed.wait_timeout(state, Duration::from_secs(30));
            let (next, slow) = waited.unwrap_or_else(PoisonError::into_inner);
            state = next;
            if slow.timed_out() {
                break;
            }
        }
        drop(state);
        self.world.end(|open| open == what);
    }

    /// Raises a memory event.
    pub fn raise(&self, key: &str, value: impl Into<Value>) {
        self.world.raise(key, value.into());
    }

    /// Never answers this method from now on, not even if it is stopped or canceled.
    pub fn silence(&self, what: &str) {
        self.world.state().silent.push(what.to_owned());
    }

    /// Answers this method with an error from now on.
    pub fn fail(&self, what: &str, words: &str) {
        self.world.state().failing.insert(what.to_owned(), words.to_owned());
    }

    /// Disconnects, as a robot that is switched off.
    pub fn close(&self) {
        self.server.close();
    }
}

fn memory(world: &Arc<World>) -> Result<Arc<BuiltObject>, BuildError> {
    let text = |args: &[Value], at: usize| args[at].as_str().unwrap_or_default().to_owned();
    let (raise, insert, get, of) = (world.clone(), world.clone(), world.clone(), world.clone());
    ObjectBuilder::new("ALMemory")
        .turns(Turns::SideBySide)
        .method("raiseEvent::(sm)->v", move |args| {
            raise.note("ALMemory.raiseEvent", args);
            raise.raise(&text(args, 0), args[1].plain().clone());
            Ok(Value::Void)
        })
        .method("insertData::(sm)->v", move |args| {
            insert.note("ALMemory.insertData", args);
            insert.state().data.insert(text(args, 0), args[1].plain().clone());
            Ok(Value::Void)
        })
        .method("getData::(s)->m", move |args| {
            let found = get.state().data.get(&text(args, 0)).cloned();
            found.map(Value::dynamic).ok_or_else(|| format!("no data at {}", text(args, 0)))
        })
        .method("subscriber::(s)->o", move |args| {
            of.note("ALMemory.subscriber", args);
            let object = of.key(&text(args, 0)).ok_or("no key")?;
            Ok(Value::Object(ObjectValue::Local(object)))
        })
        .build()
}

fn objects() -> Result<Arc<BuiltObject>, BuildError> {
    ObjectBuilder::new("Gives objects.")
        .method("make::(s)->o", |args| {
            let name = args[0].as_str().unwrap_or_default().to_owned();
            let made = ObjectBuilder::new("Made.")
                .method("name::()->s", move |_| Ok(Value::from(name.as_str())))
                .signal("called", "(i)")
                .build();
            Ok(Value::Object(ObjectValue::Local(made.map_err(|e| e.to_string())?)))
        })
        .build()
}
