//! `boxstep robots`: the robots of the network, and what they say of themselves.

mod row;
mod table;

use crate::args::RobotsArgs;
use crate::failure::Failure;
use crate::robot_address::{self, strangers};
use crate::terminal::Reader;
use crate::{exit, known_robots, output};
use boxstep_qi::{Endpoint, Options, PORT, Trust};
use boxstep_robot::find::{Look, Mdns, Neighbors, browse, look};
use boxstep_robot::naoqi::ask::{Job, start};
use boxstep_types::Time;
use row::{Row, merged};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// How long connecting and each answer of the protocol itself may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);
/// How long each of the two rounds of questions to a robot may take.
const ASK_WITHIN: Duration = Duration::from_millis(2500);
/// How long all robots together may take after the last one was found.
const ALL_WITHIN: Duration = Duration::from_secs(7);
/// The longest time to listen.
const LONGEST: Duration = Duration::from_secs(3600);

/// Listens for robots, asks all of them at the same time, and lists them.
pub(crate) fn run(args: &RobotsArgs) -> Result<i32, Failure> {
    let named = args.robot.iter().map(|text| {
        let endpoint = robot_address::parse(text).map_err(|why| Failure::Usage(format!("--robot: {why}")))?;
        Ok(Row::named(text, endpoint))
    });
    let mut rows = named.collect::<Result<Vec<Row>, Failure>>()?;
    // As for other commands, the robot of the environment is one that is named.
    if args.robot.is_empty()
        && let Some(endpoint) = robot_address::of_environment()?
    {
        rows.push(Row::named(&endpoint.to_string(), endpoint));
    }
    rows.push(Row::here(Endpoint { tls: false, host: "127.0.0.1".to_owned(), port: PORT }));
    // The credentials are for the robots that are named: anybody can announce a robot.
    let (known, unknown) = (hasty(args.access.options()?), hasty(Options { trust: Trust::Anybody, ..strangers() }));
    let options = |row: &Row| if row.is_named() { known.clone() } else { unknown.clone() };
    let first = start(rows.iter().map(|row| asking(row, options(row))).collect());
    let (found, trouble) = listen(args.within.since(Time::ZERO).min(LONGEST));
    let more = found.more;
    let announced: Vec<Row> = found.robots.into_iter().filter_map(Row::announced).collect();
    let second = start(announced.iter().map(|row| asking(row, options(row))).collect());
    let until = Instant::now() + ALL_WITHIN;
    let looks = first.until(until).into_iter().chain(second.until(until));
    rows.extend(announced);
    for (row, look) in rows.iter_mut().zip(looks) {
        row.look = look.flatten().unwrap_or_else(|| Look::silent(row.look.endpoint.clone()));
    }
    let rows = merged(rows);
    if !rows.is_empty() {
        known_robots::keep(row::words(&rows).iter().map(String::as_str));
    }
    print(args, &rows, more, trouble.as_deref())?;
    let missed = rows.iter().any(|row| row.is_named() && !row.look.is_known());
    Ok(if rows.is_empty() || missed { exit::FAILED } else { exit::OK })
}

fn hasty(options: Options) -> Options {
    Options { connect_within: CONNECT_WITHIN, answer_within: CONNECT_WITHIN, threads: 4, ..options }
}

fn asking(row: &Row, options: Options) -> Job<Option<Look>> {
    let endpoints = row.endpoints.clone();
    Box::new(move || look(&endpoints, &options, ASK_WITHIN))
}

/// Collects what is announced, and why that may be incomplete.
fn listen(within: Duration) -> (Neighbors, Option<String>) {
    if within.is_zero() {
        return (Neighbors::default(), None);
    }
    match Mdns::browse() {
        Ok(mut mdns) => {
            let found = browse(&mut mdns, Instant::now() + within);
            let trouble = mdns.trouble();
            (found, trouble)
        }
        Err(e) => (Neighbors::default(), Some(e.to_string())),
    }
}

fn print(args: &RobotsArgs, rows: &[Row], more: bool, trouble: Option<&str>) -> Result<(), Failure> {
    let mut out = output::stdout_for(Reader::json_if(args.json));
    if args.json {
        writeln!(out, "{}", row::to_json(rows))?;
    } else {
        out.write_all(table::text(rows).as_bytes())?;
    }
    out.flush()?;
    drop(out);
    let mut err = crate::terminal::stderr();
    let mut say = |text: &str| drop(writeln!(err, "{text}"));
    if rows.is_empty() {
        say(table::NOTHING);
    }
    if more {
        say(&format!("more than {} robots are announced; these are the first", boxstep_robot::find::MOST));
    }
    if let Some(why) = trouble {
        say(&format!("not everything may have been heard: {}", boxstep_types::printable_line(why)));
    }
    Ok(())
}
