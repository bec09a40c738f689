//! The cost of a call, a post, an event and a connection between two ends of this library, compared with the same calls
//! from a bare blocking socket to the same server. Rounds are interleaved; the median is printed, with the lowest and
//! highest.
//!
//! Without `--bench`, as a test, it does a hundredth of the work once.
//!
//! `cargo bench -p boxstep-qi`; `-- tcp://HOST:PORT SERVICE` measures the method `add::(ii)->i` of another server
//! instead.

mod common;

use boxstep_qi::{ObjectBuilder, Server, Session, Turns, Value, args};
use common::{Bare, Failure, at, micros, rate, timed};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The amount of work.
struct Amount {
    rounds: usize,
    one_at_a_time: usize,
    together: i32,
    many: i32,
}

const MEASURED: Amount = Amount { rounds: 7, one_at_a_time: 3000, together: 20_000, many: 50_000 };
const TESTED: Amount = Amount { rounds: 1, one_at_a_time: 30, together: 200, many: 500 };

fn main() -> Result<(), Failure> {
    let (bench, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word == "--bench");
    // Further arguments of a test run are not for this program.
    let is_test = bench.is_empty();
    let amount = if is_test { &TESTED } else { &MEASURED };
    if let ([address, service], false) = (&words[..], is_test) {
        return measure(address, service, None, amount);
    }
    let noted = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&noted);
    let add =
        |args: &[Value]| Ok(Value::I32(args[0].as_i64().unwrap_or(0) as i32 + args[1].as_i64().unwrap_or(0) as i32));
    let object = ObjectBuilder::new("")
        .method("add::(ii)->i", add)
        .method("note::(i)->v", move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(Value::Void)
        })
        .signal("ping", "(i)")
        .build()?;
    let quick = ObjectBuilder::new("").turns(Turns::AtOnce).method("add::(ii)->i", add).build()?;
    let server = Server::listen("127.0.0.1:0")?;
    server.register("Bench", object.clone())?;
    server.register("Quick", quick)?;
    let address = server.address().to_string();
    println!("methods one after another, as is usual");
    measure(&address, "Bench", Some((&object, &noted)), amount)?;
    println!("methods answered by the thread that reads");
    measure(&address, "Quick", None, amount)
}

fn measure(
    address: &str,
    name: &str,
    ours: Option<(&boxstep_qi::BuiltObject, &AtomicU64)>,
    amount: &Amount,
) -> Result<(), Failure> {
    let &Amount { rounds, one_at_a_time, together, many } = amount;
    let service = Session::connect(address)?.service(name)?;
    let mut bare = Bare::connect(address, &service)?;
    let mut rows: Vec<(&str, &str, Vec<f64>)> = Vec::new();
    let mut put = |what, unit, value| match rows.iter_mut().find(|(w, ..)| *w == what) {
        Some((_, _, values)) => values.push(value),
        None => rows.push((what, unit, vec![value])),
    };
    let listened = Arc::new(AtomicU64::new(0));
    let listening = match ours {
        Some(_) => {
            let listened = Arc::clone(&listened);
            Some(service.subscribe("ping", move |_| {
                listened.fetch_add(1, Ordering::Relaxed);
            })?)
        }
        None => None,
    };
    for _ in 0..rounds {
        let times = timed(one_at_a_time, || service.call("add", &args![1, 2]).map(drop).map_err(Into::into))?;
        put("calls one at a time", "/s", rate(&times));
        put("  p50", "us", at(&times, 50));
        put("  p99", "us", at(&times, 99));
        let times = timed(one_at_a_time, || bare.call().map_err(Into::into))?;
        put("bare socket, one at a time", "/s", rate(&times));
        put("  bare p50", "us", at(&times, 50));
        put("  bare p99", "us", at(&times, 99));
        let begin = Instant::now();
        let pending: Result<Vec<_>, _> = (0..together).map(|i| service.start("add", &args![i, 1])).collect();
        for pending in pending? {
            pending.wait()?;
        }
        put("calls in flight together", "/s", f64::from(together) / begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        drop(Session::connect(address)?);
        put("connect and authenticate", "us", micros(begin.elapsed()));
        let Some((object, noted)) = ours else { continue };
        let (begin, before) = (Instant::now(), noted.load(Ordering::Relaxed));
        for i in 0..many {
            service.post("note", &args![i])?;
        }
        put("posts sent", "/s", f64::from(many) / begin.elapsed().as_secs_f64());
        while noted.load(Ordering::Relaxed) < before + many as u64 {
            std::thread::yield_now();
        }
        put("posts done", "/s", f64::from(many) / begin.elapsed().as_secs_f64());
        let (begin, before) = (Instant::now(), listened.load(Ordering::Relaxed));
        for i in 0..many {
            object.emit("ping", &args![i])?;
        }
        while listened.load(Ordering::Relaxed) < before + many as u64 {
            std::thread::yield_now();
        }
        put("events heard", "/s", f64::from(many) / begin.elapsed().as_secs_f64());
    }
    drop(listening);
    for (what, unit, mut values) in rows {
        values.sort_by(f64::total_cmp);
        let (low, high) = (values[0], values[values.len() - 1]);
        println!("{what:<28} {:>10.0} {unit:<3} ({low:.0}-{high:.0})", values[values.len() / 2]);
    }
    Ok(())
}
