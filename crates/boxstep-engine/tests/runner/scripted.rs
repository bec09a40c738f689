//! Hooks that a script host runs, in the midst of a tick: the host is the test.

use crate::support::word;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::protocol::{Answer, BlockedOn, Next, ObjectCall, Order, Request, Scheduler as _, TaskId, Wake};
use boxstep_engine::runner::HOOK_WITHIN;
use boxstep_engine::trace::{Event, Footer, Header, Kind, Paths, Sink};
use boxstep_engine::{CallbackId, Engine};
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};

const FUNCTION: u32 = CallbackId::OUTSIDE + 1;

#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Sink for Seen {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], paths: &Paths) {
        let text = |e: &Event| match &e.kind {
            Kind::Delegation(told) => {
                let [what, how, why] = ["what", "how", "why"].map(|field| word(told, field));
                let how = if how.is_empty() { how } else { format!(" {how}") };
                let why = if why.is_empty() { why } else { format!(": {why}") };
                format!("{} {what}{how}{why}", paths.text(e.path))
            }
            Kind::Raised { method: what, error } => format!("{} raised in {what}: {error}", paths.text(e.path)),
            other => word(other, "kind"),
        };
        self.0.lock().unwrap().extend(events.iter().map(text));
    }
    fn end(&mut self, _: &Footer) {}
}

struct Host {
    engine: Engine,
    seen: Seen,
}

/// A hook that is to be run.
#[derive(Debug)]
struct Hook {
    task: TaskId,
    number: u32,
    name: String,
    args: Vec<Value>,
}

const ALL: [&str; 7] =
    ["entered_scope", "activated", "deactivated", "left_scope", "wants_to_be_activated", "update", "on_delegate_ended"];

impl Host {
    /// A runner of behaviors, each with its delegates; the first is the root. Their `init` is over, and they have these hooks.
    fn new(behaviors: &[(&str, &[&str])], hooks: &[&str]) -> Self {
        let seen = Seen::default();
        let mut engine = Engine::traced(Config::default(), vec![Box::new(seen.clone())]);
        let names = |all: &[&str]| Value::list(all.iter().map(|name| Value::from(*name)));
        let one = |(name, delegates): &(&str, &[&str])| Value::list([Value::from(*name), names(delegates), names(&[])]);
        let described = Value::map([
            ("behaviors", Value::list(behaviors.iter().map(one))),
            ("root", behaviors[0].0.into()),
            ("period", Value::Float(0.1)),
        ]);
        let call = ObjectCall {
            kind: "run".into(),
            handle: Vec::new(),
            operation: "newRunner".into(),
            args: vec![described, Value::Int(FUNCTION.into())],
        };
        let made = engine.request(TaskId::FOREIGN, Request::Object(Box::new(call)));
        assert_eq!(made, Answer::Value(Value::list([Value::Int(0)])));
        let mut host = Self { engine, seen };
        for number in 0..behaviors.len() {
            let init = host.hook("init");
            assert_eq!(init.number as usize, number);
            host.returns(&init, names(hooks));
        }
        host
    }

    /// The next hook.
    fn any(&mut self) -> Hook {
        let job = match self.engine.next() {
            Next::Job(job) => job,
            other => panic!("{other:?}; {:?}", self.seen.0.lock().unwrap()),
        };
        let Order::Deliver { callback, args } = job.order else { panic!() };
        assert_eq!(callback.0, FUNCTION);
        let [Value::Str(what), Value::Int(0), Value::Int(number), Value::Str(name), Value::Float(_), ..] = &args[..]
        else {
            panic!("{args:?}")
        };
        assert_eq!(&**what, "hook");
        Hook { task: job.task, number: *number as u32, name: name.to_string(), args: args[5..].to_vec() }
    }

    #[track_caller]
    fn hook(&mut self, name: &str) -> Hook {
        let hook = self.any();
        assert_eq!(hook.name, name, "{hook:?}");
        hook
    }

    fn ask(&mut self, hook: &Hook, request: &str, args: &[Value]) -> Answer {
        self.ask_as(hook.task, hook.number, request, args)
    }

    fn ask_as(&mut self, task: TaskId, number: u32, request: &str, args: &[Value]) -> Answer {
        let call = ObjectCall {
            kind: "behavior".into(),
            handle: vec![0, number],
            operation: request.into(),
            args: args.to_vec(),
        };
        self.engine.request(task, Request::Object(Box::new(call)))
    }

    fn returns(&mut self, hook: &Hook, value: Value) {
        self.engine.request(hook.task, Request::Returned(Value::list([Value::from("value"), value])));
    }

    fn raises(&mut self, hook: &Hook, kind: &str) {
        let said = Value::list(["raised".into(), kind.into(), "no".into(), "Traceback\n".into()]);
        self.engine.request(hook.task, Request::Returned(said));
    }

    fn seen(&mut self) -> Vec<String> {
        self.engine.flush_trace();
        std::mem::take(&mut *self.seen.0.lock().unwrap())
    }
}

fn ok(value: Value) -> Value {
    Value::list([Value::from("ok"), value])
}

#[test]
fn a_request_that_leads_to_other_hooks_is_answered_when_they_have_returned() {
    let mut host =
        Host::new(&[("R", &["P"]), ("P", &[])], &["wants_to_be_activated", "activated", "on_delegate_ended"]);
    let root = host.hook("activated");
    let answer = host.ask(&root, "offer", &["P".into(), Value::Int(5)]);
    assert!(matches!(answer, Answer::Blocked(_)), "{answer:?}");
    let wants = host.hook("wants_to_be_activated");
    assert_eq!(wants.number, 1);
    host.returns(&wants, true.into());
    let leaf = host.hook("activated");
    assert_eq!((leaf.number, &leaf.args[..]), (1, &[Value::Int(5)][..]));
    // It ends itself; who has delegated is told in the same tick, once its own call has returned.
    assert_eq!(host.ask(&leaf, "complete", &["done".into()]), Answer::Value(ok(Value::Null)));
    host.returns(&leaf, Value::Null);
    match host.engine.next() {
        Next::Resume(task, Wake::Returned(value)) => {
            assert_eq!((task, value), (root.task, ok(Value::list([Value::Int(2)]))));
        }
        other => panic!("{other:?}"),
    }
    host.returns(&root, Value::Null);
    let told = host.hook("on_delegate_ended");
    assert_eq!(told.args, [Value::Int(2), Value::list(["done".into(), "done".into(), Value::Null])]);
    host.returns(&told, Value::Null);
    assert_eq!(
        host.seen(),
        [
            "R entered",
            "R/P entered",
            "R activated",
            "R delegated",
            "R/P activated",
            "R/P ended done",
            "R/P deactivated",
        ]
    );
}

#[test]
fn every_hook_comes_with_what_it_is_told_and_those_that_a_class_has_not_do_not_come() {
    let mut host = Host::new(&[("R", &[])], &ALL);
    let mut came = Vec::new();
    for _ in 0..4 {
        let hook = host.any();
        if hook.name == "update" && came.len() == 3 {
            host.ask(&hook, "complete", &[Value::Null]);
        }
        host.returns(&hook, Value::Null);
        came.push(hook.name);
    }
    assert_eq!(came, ["entered_scope", "activated", "update", "update"]);
    assert_eq!(host.hook("deactivated").args, [Value::list(["done".into(), Value::Null, Value::Null])]);
    let mut host = Host::new(&[("R", &[])], &[]);
    // No script is to be run.
    host.engine.run_until(Time::from_millis(500)).unwrap();
}

#[test]
fn an_exception_fails_the_behavior_with_its_words() {
    let mut host = Host::new(&[("R", &[])], &["activated"]);
    let root = host.hook("activated");
    host.raises(&root, "ValueError");
    host.seen.0.lock().unwrap().clear();
    let _ = host.engine.next();
    let seen = host.seen();
    assert!(seen.contains(&"R raised in activated: ValueError: no".to_owned()), "{seen:?}");
    assert!(seen.contains(&"R ended failed: ValueError: no".to_owned()), "{seen:?}");
}

#[test]
fn a_hook_that_takes_too_long_is_given_up_and_the_tick_goes_on() {
    let mut host = Host::new(&[("R", &[])], &["activated"]);
    let root = host.hook("activated");
    let until = Some(Time::from_millis(60_000));
    assert!(matches!(
        host.engine.request(root.task, Request::Block { until, on: BlockedOn::Sleep }),
        Answer::Blocked(_)
    ));
    match host.engine.next() {
        Next::Resume(task, Wake::Interrupted) => assert_eq!(task, root.task),
        other => panic!("{other:?}"),
    }
    assert_eq!(host.engine.now(), HOOK_WITHIN);
    assert_eq!(host.ask(&root, "is_active", &[]), Answer::Interrupted);
    host.returns(&root, Value::Null);
    let _ = host.engine.next();
    assert!(
        host.seen().iter().any(|line| line.starts_with("R ended failed: TimeoutError: activated took longer than"))
    );
}

#[test]
fn asking_for_something_begins_the_time_anew() {
    let mut host = Host::new(&[("R", &["P"]), ("P", &[])], &["activated", "wants_to_be_activated"]);
    let root = host.hook("activated");
    let three = |host: &mut Host, hook: &Hook| {
        let until = Some(host.engine.now() + Time::from_millis(3_000));
        host.engine.request(hook.task, Request::Block { until, on: BlockedOn::Sleep });
        assert!(matches!(host.engine.next(), Next::Resume(_, Wake::TimedOut)));
    };
    three(&mut host, &root);
    host.ask(&root, "ask", &["P".into()]);
    let wants = host.hook("wants_to_be_activated");
    three(&mut host, &wants);
    host.returns(&wants, true.into());
    assert!(matches!(host.engine.next(), Next::Resume(_, Wake::Returned(_))));
    three(&mut host, &root);
    assert_eq!(host.ask(&root, "is_active", &[]), Answer::Value(ok(true.into())));
}

#[test]
fn what_comes_while_a_hook_runs_is_an_input_of_the_next_tick() {
    let mut host = Host::new(&[("R", &[])], &["activated", "update"]);
    let root = host.hook("activated");
    host.ask(&root, "subscribe", &["memory".into(), "Touched".into()]);
    host.returns(&root, Value::Null);
    let update = host.hook("update");
    assert_eq!(update.args, [Value::list([])]);
    host.returns(&update, Value::Null);
    let update = host.hook("update");
    let event = Control::Event { key: "Touched".into(), value: Value::Int(7) };
    host.engine.control(Time::ZERO, event).unwrap();
    // It is raised while the update goes on.
    let until = Some(host.engine.now() + Time::from_millis(10));
    host.engine.request(update.task, Request::Block { until, on: BlockedOn::Sleep });
    assert!(matches!(host.engine.next(), Next::Resume(..)));
    host.returns(&update, Value::Null);
    let update = host.hook("update");
    let events = update.args[0].as_list().unwrap();
    assert_eq!(events[0].as_list().unwrap()[..4], ["memory".into(), "Touched".into(), Value::Null, Value::Int(7)]);
}

#[test]
fn a_stop_waits_for_the_hook_that_runs() {
    let mut host = Host::new(&[("R", &[])], &["activated", "deactivated"]);
    let root = host.hook("activated");
    host.engine.control(Time::ZERO, Control::Stop).unwrap();
    assert!(!host.seen().iter().any(|line| line.contains("ended")));
    host.returns(&root, Value::Null);
    let end = host.hook("deactivated");
    assert_eq!(end.args[0].as_list().unwrap()[0], "cancelled".into());
    host.returns(&end, Value::Null);
    assert!(matches!(host.engine.next(), Next::Ended));
    assert!(host.engine.outcome().is_some());
}

#[test]
fn only_the_hook_that_runs_may_ask() {
    let mut host = Host::new(&[("R", &["P"]), ("P", &[])], &["activated", "wants_to_be_activated"]);
    let root = host.hook("activated");
    let outside = |answer: Answer| matches!(answer, Answer::Error(why) if why.contains("only in its own hooks"));
    assert!(outside(host.ask_as(TaskId::FOREIGN, 0, "complete", &[Value::Null])));
    assert!(outside(host.ask_as(root.task, 1, "complete", &[Value::Null])));
    host.ask(&root, "ask", &["P".into()]);
    let wants = host.hook("wants_to_be_activated");
    let refused = Value::list(["refused".into(), "Asking".into(), "it cannot make requests while it is asked".into()]);
    assert_eq!(host.ask(&wants, "cancel_self", &[]), Answer::Value(refused));
    host.returns(&wants, true.into());
    assert!(matches!(host.engine.next(), Next::Resume(..)));
    host.returns(&root, Value::Null);
    assert_eq!(host.ask_as(root.task, 0, "complete", &[Value::Null]), Answer::Interrupted);
}

#[test]
fn when_nothing_runs_scripts_any_more_every_behavior_in_python_fails() {
    let mut host = Host::new(&[("R", &[])], &["activated", "update", "deactivated"]);
    let root = host.hook("activated");
    host.engine.scripts_died("the process ended");
    host.engine.request(
        root.task,
        Request::Raised(boxstep_engine::protocol::ScriptError {
            kind: "ProcessEnded".into(),
            message: "the process ended".into(),
            line: None,
            traceback: "".into(),
        }),
    );
    let next = host.engine.next();
    assert!(!matches!(next, Next::Job(_)), "{next:?}");
    assert!(host.seen().iter().any(|line| line.starts_with("R ended failed: ProcessEnded")));
}

#[test]
fn a_hook_that_was_revoked_is_given_up() {
    let mut host = Host::new(&[("R", &[])], &["activated"]);
    let root = host.hook("activated");
    host.engine.revoke(root.task);
    let _ = host.engine.next();
    let seen = host.seen();
    assert!(
        seen.iter().any(|line| line.starts_with("R ended failed: TimeoutError: activated does not come to an end")),
        "{seen:?}"
    );
}
