//! What tests and fuzzers share.

use crate::clock::FleetTime;
use crate::digest::Digest;
use crate::elsewhere::{Ended, Task, TaskNews};
use crate::leader::Leader;
use crate::member::Member;
use crate::message::{
    Answers, ClockQuality, CueSignal, Delegations, Fired, MemberInfo, MemberState, Message, PerformanceState, Phase,
    Recording, SceneStart, Status,
};
use crate::network::PeerId;
use crate::show::Lost;
use crate::simulation::ModelShow;
use crate::store::MemoryStore;
use boxstep_types::{Random, Time, Value};

/// Reads bytes as messages, each after its length, and gives them to a leader and a member, with other times and peers
/// each. Bytes that are no message choose one with odd contents.
///
/// # Panics
/// If either of them panics.
pub fn hostile_messages(mut bytes: &[u8]) {
    let model = ModelShow::new(2, &[1.0, 2.0], Lost::Hold);
    let leader = Leader::new(model.show.clone(), model.files.clone(), 1, 5.0, Time::ZERO);
    let mut leader = leader.collecting(MemoryStore::default());
    let info = MemberInfo { name: "robot1".to_owned(), body: "nao".to_owned(), ..MemberInfo::default() };
    let mut member = Member::new(PeerId(7), info, model.player(1), MemoryStore::default(), Time::ZERO);
    let mut now = 0i64;
    while let [length, peer, step, rest @ ..] = bytes {
        let (piece, next) = rest.split_at(rest.len().min(usize::from(*length)));
        bytes = next;
        // Time may stand still, and pass by hours.
        now = now.saturating_add(i64::from(*step).pow(3) * 1_000_000);
        let from = PeerId(u64::from(*peer % 4));
        let message = Message::decode(piece).unwrap_or_else(|_| odd(piece));
        leader.receive(Time(now), from, message.clone());
        member.receive(Time(now), from, message);
        member.tick(Time(now));
        leader.tick(Time(now));
        // Each hears what the other says.
        for (_, message) in leader.take_messages() {
            member.receive(Time(now), PeerId(1), message);
        }
        for (_, message) in member.take_messages() {
            leader.receive(Time(now), PeerId(7), message);
        }
    }
}

/// Makes a message of bytes that are none.
fn odd(bytes: &[u8]) -> Message {
    let seed = bytes.iter().fold(17u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    let mut random = Random::new(seed);
    let mut number = move || random.next_u64();
    let time = |n: u64| FleetTime([0, 1, -1, i64::MAX, i64::MIN, n as i64][n as usize % 6]);
    let index = |n: u64| [0, 1, 2, 3, u32::MAX, n as u32][n as usize % 6];
    let fired = |n: u64| Fired { number: n % 5, cue: index(n), at: time(n), value: Value::Null };
    match number() % 6 {
        0 => {
            let phase = match number() % 6 {
                0 => Phase::Preparing,
                1 => Phase::Holding { why: String::new() },
                2 => Phase::Over,
                3 => Phase::Stopped { by: String::new() },
                _ => Phase::Playing,
            };
            Message::Performance(Box::new(PerformanceState {
                performance: number() % 3,
                serial: number(),
                show: Digest::of(&[]),
                show_size: number(),
                phase,
                scene: Some(SceneStart { scene: index(number()), at: time(number()) }),
                signals: vec![CueSignal { by: PeerId(number() % 4), fired: fired(number()), due: time(number()) }],
                twins: vec![PeerId(number() % 8)],
            }))
        }
        1 => Message::Status(Box::new(Status {
            serial: number(),
            info: MemberInfo { name: format!("robot{}", number() % 3), ..MemberInfo::default() },
            performance: Some(number() % 3),
            state: [MemberState::Armed, MemberState::Free, MemberState::Playing][number() as usize % 3].clone(),
            loaded: Some(index(number())),
            started: Some(index(number())),
            done: Some(index(number())),
            position: Some(f64::NAN),
            clock: [None, Some(ClockQuality { round_trip: 1e300, ..ClockQuality::default() })][number() as usize % 2],
            fired: vec![fired(number())],
            trouble: Some(String::new()),
            recordings: vec![Recording { performance: 1, digest: Digest::of(&[]), size: number() }],
            records: Some(number() % 3),
        })),
        2 => Message::Delegations(Box::new(Delegations {
            performance: number() % 3,
            scene: index(number()),
            robot: index(number()),
            serial: number(),
            peer: Some(PeerId(7)).filter(|_| number() % 2 == 0),
            tasks: vec![Task { leaf: index(number()), ticket: number(), choice: index(number()) }],
            over: number() % 2 == 0,
        })),
        3 => Message::Answers(Box::new(Answers {
            performance: number() % 3,
            scene: index(number()),
            robot: index(number()),
            serial: number(),
            heard: number() % 3,
            refused: Some(String::new()).filter(|_| number() % 2 == 0),
            news: vec![TaskNews { leaf: index(number()), ticket: number() % 3, ended: Some(Ended::Done(Value::Null)) }],
        })),
        4 => Message::Pong { sent: Time(time(number()).0), received: time(number()), answered: time(number()) },
        _ => Message::Want { digest: Digest::of(&[]), offset: number(), count: index(number()) },
    }
}
