//! Messages on the wire, and clocks.

use boxstep_fleet::clock::{ClockFilter, Exchange, FleetTime, MOST_SLEW, SlewClock};
use boxstep_fleet::digest::Digest;
use boxstep_fleet::message::{CHUNK, MOST_BYTES, Message, WireError};
use boxstep_types::{Random, Time};

#[test]
fn a_message_comes_out_as_it_went_in() {
    let digest = Digest::of(b"file");
    for message in [
        Message::Ask,
        Message::Ping { sent: Time(-5) },
        Message::Pong { sent: Time(1), received: FleetTime(i64::MIN), answered: FleetTime(i64::MAX) },
        Message::Chunk { digest, offset: 7, bytes: (0..=255).cycle().take(CHUNK).collect() },
        Message::Want { digest, offset: u64::MAX, count: 8 },
        Message::Stop { number: u64::MAX, performance: None, by: "Anna\n\u{1b}[2J".to_owned() },
    ] {
        let bytes = message.encode();
        assert!(bytes.len() <= MOST_BYTES);
        assert_eq!(Message::decode(&bytes), Ok(message));
    }
}

#[test]
fn other_bytes_are_refused() {
    let whole = Message::Want { digest: Digest::of(b""), offset: 0, count: 1 }.encode();
    for end in 0..whole.len() {
        assert!(Message::decode(&whole[..end]).is_err(), "{end}");
    }
    assert_eq!(Message::decode(&vec![0; MOST_BYTES + 1]), Err(WireError::TooLarge));
    assert_eq!(Message::decode(b"{\"version\":2,\"message\":\"ask\"}\n"), Err(WireError::Version(2)));
    let more = [whole.as_slice(), b"more"].concat();
    assert!(matches!(Message::decode(&more), Err(WireError::Malformed(_))));
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random.next_u64() % 4 {
            let at = random.next_u64() as usize % bytes.len();
            bytes[at] = random.next_u64() as u8;
        }
        // It does not matter what it is, only that it is one or none.
        let _ = Message::decode(&bytes);
    }
}

#[test]
fn the_clock_is_known_better_than_by_any_single_exchange() {
    let mut random = Random::new(3);
    // The leader's clock is 250 ms ahead and 80 millionths faster.
    let fleet = |local: f64| FleetTime(((local + 0.25 + local * 80e-6) * 1e9) as i64);
    let time = |seconds: f64| Time((seconds * 1e9) as i64);
    let mut filter = ClockFilter::default();
    let mut worst: f64 = 0.0;
    for step in 0..600 {
        let sent = f64::from(step) * 0.2;
        let (there, back) = (0.001 + random.unit() * 0.02, 0.001 + random.unit() * 0.079);
        let (received, returned) = (fleet(sent + there), sent + there + back);
        filter.add(Exchange { sent: time(sent), received, answered: received, returned: time(returned) });
        let estimate = filter.estimate().unwrap();
        let off = (estimate.fleet_time(time(returned)).0 - fleet(returned).0).abs() as f64 / 1e9;
        assert!(off <= 0.041, "never worse than half of the slowest exchange: {off}");
        if step > 100 {
            worst = worst.max(off);
            assert!(off <= estimate.error.as_secs_f64() + 0.001, "as exact as it says");
        }
    }
    assert!(worst < 0.004, "{worst}");
    let drift = filter.estimate().unwrap().drift * 1e6;
    assert!((drift - 80.0).abs() < 40.0, "{drift}");
}

#[test]
fn exchanges_that_cannot_be_are_ignored() {
    let mut filter = ClockFilter::default();
    let exchange = |sent, received, answered, returned| Exchange {
        sent: Time(sent),
        received: FleetTime(received),
        answered: FleetTime(answered),
        returned: Time(returned),
    };
    for odd in [
        exchange(10, 0, 0, 5),
        exchange(0, 9, 5, 10),
        exchange(i64::MIN, i64::MAX, i64::MAX, i64::MAX),
        exchange(0, 0, 100, 10),
    ] {
        filter.add(odd);
        assert_eq!(filter.exchanges(), 0, "{odd:?}");
    }
    filter.add(exchange(0, 5, 5, 10));
    assert_eq!(filter.estimate().unwrap().fleet_time(Time(10)), FleetTime(10));
}

#[test]
fn the_clock_of_a_run_never_jumps() {
    let mut clock = SlewClock::starting(Time(0));
    let (mut last, mut random) = (Time::ZERO, Random::new(5));
    for step in 1..2000 {
        let now = Time(step * 50_000_000);
        let run = clock.at(now);
        let passed = (run.0 - last.0) as f64 / 50e6;
        assert!((1.0 - MOST_SLEW - 1e-6..=1.0 + MOST_SLEW + 1e-6).contains(&passed), "{passed}");
        last = run;
        // The target jumps about; in the second half it stands still, and is reached.
        let jump = if step < 1000 { random.next_u64() as i64 % 1_000_000_000 } else { 300_000_000 };
        clock.follow(now, Time(now.0 + jump), 1e-4);
    }
    let now = Time(2000 * 50_000_000);
    assert!((clock.at(now).0 - now.0 - 300_000_000).abs() < 1_000_000);
}

#[test]
fn no_message_makes_a_leader_or_a_member_panic() {
    let mut random = Random::new(11);
    let words: [&[u8]; 3] = [
        b"{\"version\":1,\"message\":\"ask\"}\n",
        b"{\"version\":1,\"message\":{\"ping\":{\"sent\":-9223372036854775808}}}\n",
        b"{\"version\":1,\"message\":{\"stop\":{\"number\":1,\"by\":\"x\"}}}\n",
    ];
    for _ in 0..3000 {
        let mut bytes = Vec::new();
        for _ in 0..random.next_u64() % 40 {
            let piece: Vec<u8> = match random.next_u64() % 4 {
                0 => words[random.next_u64() as usize % 3].to_vec(),
                _ => random.next_u64().to_le_bytes().to_vec(),
            };
            bytes.extend([piece.len() as u8, random.next_u64() as u8, random.next_u64() as u8]);
            bytes.extend(piece);
        }
        boxstep_fleet::testing::hostile_messages(&bytes);
    }
}

#[test]
fn a_clock_that_has_jumped_is_learned_anew() {
    let mut random = Random::new(4);
    let time = |seconds: f64| Time((seconds * 1e9) as i64);
    let mut filter = ClockFilter::default();
    for step in 0..600 {
        // The laptop sleeps for a minute, and its clock with it.
        let ahead = if step < 300 { 2.0 } else { 62.0 };
        let sent = f64::from(step) * 0.2;
        let (there, back) = (0.001 + random.unit() * 0.02, 0.001 + random.unit() * 0.079);
        let received = FleetTime(time(sent + there + ahead).0);
        let exchange = Exchange { sent: time(sent), received, answered: received, returned: time(sent + there + back) };
        assert_eq!(filter.add(exchange), step == 300, "{step}");
        let off = filter.estimate().unwrap().fleet_time(exchange.returned).seconds_since(FleetTime(0))
            - (sent + there + back + ahead);
        assert!(off.abs() < 0.041, "{off}");
    }
    assert_eq!(filter.exchanges(), 300);
}
