//! Faults in each message of a session, in either direction. The session continues, or ends in time with an error that
//! gives the reason; and the server releases everything that belonged to it.

use crate::common;
use crate::common::{LONG, Probe, child, probe};
use boxstep_qi::{Error, Message, Object, ObjectValue, Options, Remote, Session, Value, args, read_message};
use std::io::Write;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread::spawn;
use std::time::{Duration, Instant};

/// What happens to one message.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The link is cut, after this many bytes of it.
    Cut(usize),
    /// The link is half open: nothing passes any more, in either direction, and nothing is closed.
    Silence,
    /// It does not begin with the magic bytes.
    Magic,
    /// It announces four gigabytes.
    Huge,
    /// Its payload is random bytes.
    Noise,
    /// Its payload is a signature so deep that it would overflow the stack.
    Deep,
    /// It does not arrive.
    Lost,
    /// It arrives twice.
    Twice,
    /// It arrives one byte at a time.
    Drip,
}

const FAULTS: [Fault; 11] = [
    Fault::Cut(0),
    Fault::Cut(3),
    Fault::Cut(28),
    Fault::Silence,
    Fault::Magic,
    Fault::Huge,
    Fault::Noise,
    Fault::Deep,
    Fault::Lost,
    Fault::Twice,
    Fault::Drip,
];

/// The timeout used in these tests.
const SHORT: Duration = Duration::from_millis(150);

struct Proxy {
    address: String,
    /// The number of messages that were passed on, to the server and from it.
    passed: Arc<[AtomicUsize; 2]>,
}

/// Passes messages on; the one after `after` messages in one direction (0: to the server) has the fault.
fn proxy(probe: &Probe, direction: usize, after: usize, fault: Fault) -> Proxy {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = probe.server.address();
    let passed = Arc::<[AtomicUsize; 2]>::default();
    let counts = Arc::clone(&passed);
    spawn(move || {
        let (client, _) = listener.accept().unwrap();
        let server = TcpStream::connect(server).unwrap();
        for stream in [&client, &server] {
            stream.set_nodelay(true).unwrap();
        }
        let silent = Arc::new(AtomicBool::new(false));
        for (i, (from, to)) in [(&client, &server), (&server, &client)].into_iter().enumerate() {
            let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
            let (silent, counts) = (Arc::clone(&silent), Arc::clone(&counts));
            let fault = (i == direction).then_some((after, fault));
            spawn(move || {
                pass(&from, &to, fault, &silent, &counts[i]);
                let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
            });
        }
    });
    Proxy { address, passed }
}

fn pass(
    mut from: &TcpStream,
    mut to: &TcpStream,
    fault: Option<(usize, Fault)>,
    silent: &AtomicBool,
    passed: &AtomicUsize,
) {
    loop {
        let Ok(message) = read_message(&mut from, 1 << 20) else { return };
        let before = passed.fetch_add(1, Ordering::AcqRel);
        if silent.load(Ordering::Acquire) {
            continue;
        }
        let whole = [&message.header.encode()[..], &message.payload].concat();
        let sent = match fault {
            Some((after, fault)) if after == before => match fault {
                Fault::Cut(bytes) => {
                    let _ = to.write_all(&whole[..bytes.min(whole.len())]);
                    return;
                }
                Fault::Silence => {
                    silent.store(true, Ordering::Release);
                    Ok(())
                }
                Fault::Lost => Ok(()),
                Fault::Twice => to.write_all(&[&whole[..], &whole].concat()),
                Fault::Drip => whole.iter().try_for_each(|byte| to.write_all(&[*byte])),
                spoiled => to.write_all(&spoil(&message, spoiled)),
            },
            _ => to.write_all(&whole),
        };
        if sent.is_err() {
            return;
        }
    }
}

fn spoil(message: &Message, fault: Fault) -> Vec<u8> {
    let mut header = message.header;
    let mut payload = message.payload.clone();
    match fault {
        Fault::Huge => header.size = u32::MAX,
        Fault::Noise => {
            let mut seed = 0x9e37_79b9_u32.wrapping_add(header.id);
            for byte in &mut payload {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *byte = (seed >> 24) as u8;
            }
        }
        Fault::Deep => {
            payload = [&100_000_u32.to_le_bytes()[..], &[b'['; 100_000]].concat();
            header.size = u32::try_from(payload.len()).unwrap();
        }
        _ => {}
    }
    let mut whole = [&header.encode()[..], &payload].concat();
    if fault == Fault::Magic {
        whole[0] ^= 0xff;
    }
    whole
}

fn missing(what: &str) -> Error {
    Error::Slow { what: what.to_owned(), after: SHORT }
}

fn remote(value: &Value) -> Result<Remote, Error> {
    value.as_object().and_then(ObjectValue::remote).cloned().ok_or_else(|| missing("an object"))
}

/// Does everything that a session can do once, each with a timeout.
fn everything(address: &str, probe: &Probe) -> Result<(), Error> {
    let session = Session::connect_with(address, Options { answer_within: SHORT, ..Options::default() })?;
    let service = session.service("Probe")?;
    service.call_within("add", &args![1, 2], SHORT)?;
    let (tell, told) = channel();
    let listening = service.subscribe("ping", move |args| drop(tell.send(args.to_vec())))?;
    probe.object.emit("ping", &args![1, "x"]).unwrap();
    told.recv_timeout(SHORT).map_err(|_| missing("an event"))?;
    service.property("volume")?;
    service.set_property("volume", 3)?;
    let child_there = remote(&service.call_within("child", &[], SHORT)?)?;
    child_there.call_within("name", &[], SHORT)?;
    let ours: Arc<dyn Object> = child();
    service.call_within("nameOf", &[Value::from(ours)], SHORT)?;
    let pending = service.start("until_canceled", &[])?;
    pending.cancel();
    match pending.wait_for(SHORT) {
        Err(Error::Canceled) => {}
        other => drop(other?),
    }
    service.post("nothing", &[])?;
    drop(listening);
    let mine = session.register("Mine", child())?;
    mine.unregister()?;
    session.services()?;
    Ok(())
}

/// Waits until the server holds nothing of its clients any more.
fn is_let_go_of(probe: &Probe) -> bool {
    let ping = probe.object.meta().signal("ping").map(|(id, _)| id).unwrap();
    let until = Instant::now() + LONG;
    while probe.server.clients() > 0 || probe.object.signals().listeners(ping) > 0 {
        if Instant::now() > until {
            return false;
        }
        std::thread::yield_now();
    }
    probe.server.service("Mine").is_err()
}

#[test]
fn every_fault_ends_in_time_with_an_error() {
    // Count the messages of a session without faults. A very busy machine may be too slow for these timeouts.
    let counts = (0..20).find_map(|_| {
        let probe = probe();
        let quiet = proxy(&probe, 0, usize::MAX, Fault::Lost);
        everything(&quiet.address, &probe).ok()?;
        Some([0, 1].map(|i| quiet.passed[i].load(Ordering::Acquire)))
    });
    let counts = counts.unwrap();
    let cases: Vec<(usize, usize, Fault)> = (0..2)
        .flat_map(|direction| (0..counts[direction] + 1).map(move |after| (direction, after)))
        .flat_map(|(direction, after)| FAULTS.map(|fault| (direction, after, fault)))
        .collect();
    assert!(cases.len() > 400, "{counts:?}");
    eprintln!("{} sessions, of {} messages to the server and {} from it", cases.len(), counts[0], counts[1]);
    let next = AtomicUsize::new(0);
    let ended = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some((direction, after, fault)) = cases.get(next.fetch_add(1, Ordering::AcqRel)).copied() {
                    let probe = probe();
                    let began = Instant::now();
                    let result = everything(&proxy(&probe, direction, after, fault).address, &probe);
                    let what = format!("{fault:?} after {after} messages in direction {direction}: {result:?}");
                    assert!(began.elapsed() < LONG, "{what}");
                    match (&result, fault) {
                        (Ok(()), _) => {}
                        // A duplicate, or the same bytes later, does no harm, unless the machine was too slow.
                        (Err(e), Fault::Twice | Fault::Drip) => assert!(matches!(e, Error::Slow { .. }), "{what}"),
                        (Err(e), Fault::Cut(_)) => assert!(matches!(e, Error::Gone(_) | Error::Slow { .. }), "{what}"),
                        (Err(e), Fault::Silence | Fault::Lost) => {
                            assert!(matches!(e, Error::Slow { .. } | Error::Remote { .. }), "{what}");
                        }
                        (Err(e), _) => assert!(!e.to_string().is_empty()),
                    }
                    ended.fetch_add(usize::from(result.is_err()), Ordering::AcqRel);
                    assert!(is_let_go_of(&probe), "the server keeps something: {what}");
                    // The server still serves the next client.
                    let next = probe.session().service("Probe").unwrap();
                    assert_eq!(next.call("add", &args![2, 3]).unwrap(), Value::I32(5), "{what}");
                }
            });
        }
    });
    assert!(ended.load(Ordering::Acquire) > cases.len() / 3, "most faults were not seen");
}

#[test]
fn a_call_that_is_never_answered_holds_up_nothing_else() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let never = service.start("until_canceled", &[]).unwrap();
    assert_eq!(probe.canceled.recv_timeout(LONG).unwrap(), "began");
    for i in 0..100 {
        assert_eq!(service.call("add", &args![i, 1]).unwrap(), Value::I32(i + 1));
    }
    let error = service.call_within("until_canceled", &[], Duration::from_millis(20)).unwrap_err();
    assert!(matches!(error, Error::Slow { .. }), "{error}");
    assert_eq!(probe.canceled.recv_timeout(LONG).unwrap(), "began");
    // The client that stops waiting has canceled the call.
    assert_eq!(probe.canceled.recv_timeout(LONG).unwrap(), "canceled");
    never.cancel();
    assert!(matches!(never.wait(), Err(Error::Canceled)));
}

#[test]
fn a_client_that_stops_within_a_message_blocks_nobody() {
    let probe = probe();
    // Each client has authenticated, announced a megabyte, and sent one byte of it.
    let stopped: Vec<_> = (0..50)
        .map(|_| {
            let mut raw = common::raw::Raw::connect(probe.server.address());
            raw.authenticate(&boxstep_qi::Capabilities::ours());
            let header = boxstep_qi::Header {
                id: 2,
                size: 1 << 20,
                version: 0,
                kind: boxstep_qi::Kind::Call,
                flags: 0,
                address: common::raw::at(2, 1, 100),
            };
            raw.stream.write_all(&header.encode()).unwrap();
            raw.stream.write_all(&[0]).unwrap();
            raw
        })
        .collect();
    let service = probe.session().service("Probe").unwrap();
    for i in 0..100 {
        assert_eq!(service.call("add", &args![i, 1]).unwrap(), Value::I32(i + 1));
    }
    drop(stopped);
    drop(service);
    assert!(is_let_go_of(&probe));
}
