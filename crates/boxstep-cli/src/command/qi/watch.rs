//! `boxstep qi watch`

use super::{ConnectedRobot, member_of, received};
use crate::args::{Member, WatchArgs};
use crate::failure::Failure;
use crate::robot_word::{Form, Words};
use crate::terminal::Reader;
use crate::{exit, output};
use boxstep_qi::{Error, ObjectValue, Remote, Subscription, args};
use boxstep_types::Value;
use serde_json::json;
use std::io::Write as _;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How many events may wait to be printed; further events wait in the socket.
const WAITING: usize = 1024;

enum Message {
    Event(Duration, Vec<Value>),
    Gone(Error),
}

pub(super) fn run(args: &WatchArgs) -> Result<i32, Failure> {
    let form = if args.memory.is_some() { Form::Alone } else { Form::Signal };
    let words = Words::take(form, args.robot.robot.as_deref(), args.words.clone())?;
    let signal = words.rest.first().map(|text| member_of(text)).transpose()?;
    let robot = ConnectedRobot::connect(words.robot.as_deref(), &args.robot.access)?;
    let (sender, receiver) = sync_channel(WAITING);
    let begin = Instant::now();
    // Keep the object: the robot drops the subscriber of a key with its last handle.
    let (object, _subscription, name) = match (&args.memory, &signal) {
        (Some(key), _) => {
            let (object, subscription) = of_key(&robot, key, sender.clone(), begin)?;
            (object, subscription, key.clone())
        }
        (None, Some(signal)) => {
            let service = robot.service(&signal.service)?;
            let subscription = listen(&service, &signal.name, sender.clone(), begin);
            let subscription = subscription.map_err(|e| robot.member_failure(&service, signal, &e))?;
            (service, subscription, format!("{}.{}", signal.service, signal.name))
        }
        (None, None) => return Err(Failure::Usage("a signal or --memory is missing".to_owned())),
    };
    // The thread that closes a socket must not wait for the printing thread.
    for connection in [robot.session.connection(), object.connection()] {
        let sender = sender.clone();
        connection.on_close(move |gone| {
            let gone = Message::Gone(gone.clone().into());
            let _ = std::thread::Builder::new().name("qi-gone".to_owned()).spawn(move || sender.send(gone));
        });
    }
    let mut left = args.count.map(std::num::NonZeroU64::get);
    let mut out = output::stdout_for(Reader::json_if(args.json));
    while left != Some(0) {
        match receiver.recv() {
            Ok(Message::Event(at, values)) => {
                let t = at.as_secs_f64();
                if args.json {
                    writeln!(out, "{}", json!({"t": (t * 1e3).round() / 1e3, "of": name, "args": values}))?;
                } else {
                    let values = values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
                    writeln!(out, "{t:>9.3}  {values}")?;
                }
                out.flush()?;
                if out.is_closed() {
                    break; // nobody reads any more (`… | head`)
                }
                left = left.map(|left| left - 1);
            }
            Ok(Message::Gone(error)) => return Err(robot.failed(&error)),
            Err(_) => break,
        }
    }
    Ok(exit::OK)
}

fn listen(remote: &Remote, signal: &str, sender: SyncSender<Message>, begin: Instant) -> Result<Subscription, Error> {
    remote.subscribe(signal, move |args| {
        // The receiver is gone when the command is over.
        let _ = sender.send(Message::Event(begin.elapsed(), args.iter().map(received).collect()));
    })
}

/// Subscribes to a key of the robot's memory, which has an object for each key with subscribers.
fn of_key(
    robot: &ConnectedRobot,
    key: &str,
    sender: SyncSender<Message>,
    begin: Instant,
) -> Result<(Remote, Subscription), Failure> {
    let memory = robot.service("ALMemory")?;
    let member = Member { service: "ALMemory".to_owned(), name: "subscriber".to_owned() };
    let given = memory.call("subscriber", &args![key]).map_err(|e| robot.member_failure(&memory, &member, &e))?;
    let object = given.as_object().and_then(ObjectValue::remote).cloned();
    let object =
        object.ok_or_else(|| Failure::Run(format!("{}: ALMemory.subscriber answered with no object", robot.name)))?;
    let subscription = listen(&object, "signal", sender, begin).map_err(|e| robot.failed(&e))?;
    Ok((object, subscription))
}
