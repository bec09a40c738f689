//! A robot of the list.

use boxstep_qi::{Endpoint, PORT, TLS_PORT};
use boxstep_robot::find::{Look, Neighbor, State};
use boxstep_robot::naoqi::preflight::Topic;
use serde_json::{Value as Json, json};

/// Who has said that there is a robot.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// The user, in these words.
    Named(String),
    /// It may be on this machine, where robots announce nothing.
    Here,
    Announced,
}

/// A robot of the list.
#[derive(Clone, Debug)]
pub(super) struct Row {
    source: Source,
    /// Where it is asked.
    pub(super) endpoints: Vec<Endpoint>,
    pub(super) neighbor: Option<Neighbor>,
    pub(super) look: Look,
}

impl Row {
    fn new(source: Source, endpoint: Endpoint) -> Row {
        Row { source, endpoints: vec![endpoint.clone()], neighbor: None, look: Look::silent(endpoint) }
    }

    pub(super) fn named(text: &str, endpoint: Endpoint) -> Row {
        Row::new(Source::Named(text.to_owned()), endpoint)
    }

    pub(super) fn here(endpoint: Endpoint) -> Row {
        Row::new(Source::Here, endpoint)
    }

    /// Returns `None` for a robot that announces no address.
    pub(super) fn announced(neighbor: Neighbor) -> Option<Row> {
        let endpoints = neighbor.endpoints();
        let look = Look::silent(endpoints.first()?.clone());
        Some(Row { source: Source::Announced, endpoints, neighbor: Some(neighbor), look })
    }

    pub(super) fn is_named(&self) -> bool {
        matches!(self.source, Source::Named(_))
    }

    /// Returns the word with which the user named it.
    fn word(&self) -> Option<&str> {
        match &self.source {
            Source::Named(text) => Some(text),
            Source::Here | Source::Announced => None,
        }
    }

    /// Returns what the robot calls itself, or how it is announced.
    pub(super) fn name(&self) -> Option<&str> {
        let announced = self.neighbor.as_ref().map(|neighbor| neighbor.name.as_str());
        self.look.name.as_deref().or(announced).filter(|name| !name.is_empty())
    }

    /// Returns how `--robot` names it, by its address.
    pub(super) fn address(&self) -> String {
        let Endpoint { tls, host, port } = &self.look.endpoint;
        let host = if host.contains(':') && *port != PORT { format!("[{host}]") } else { host.clone() };
        match (tls, *port) {
            (false, PORT) => host,
            (false, port) => format!("{host}:{port}"),
            (true, TLS_PORT) => format!("tcps://{host}"),
            (true, port) => format!("tcps://{host}:{port}"),
        }
    }

    pub(super) fn is_simulated(&self) -> bool {
        self.look.simulated || self.boxstep().is_some()
    }

    fn boxstep(&self) -> Option<&str> {
        self.neighbor.as_ref()?.boxstep.as_deref()
    }

    fn is_same(&self, other: &Row) -> bool {
        let same = |a: &Row, b: &Row| a.look.identity.is_some() && a.look.identity == b.look.identity;
        same(self, other) || self.look.endpoint == other.look.endpoint
    }

    /// Takes what another row knows of the same robot.
    fn absorb(&mut self, other: Row) {
        if other.look.is_known() && !self.look.is_known() {
            (self.look, self.endpoints) = (other.look, other.endpoints);
        }
        self.neighbor = self.neighbor.take().or(other.neighbor);
        if self.source != Source::Announced && !self.is_named() {
            self.source = other.source;
        }
    }
}

/// Returns each robot once, in the order of their names.
pub(super) fn merged(rows: Vec<Row>) -> Vec<Row> {
    let (mut named, mut here, mut announced) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        match row.source {
            Source::Named(_) => named.push(row),
            Source::Here if !row.look.is_known() => {}
            Source::Here => here.push(row),
            Source::Announced => announced.push(row),
        }
    }
    let mut all: Vec<Row> = Vec::new();
    // The address of this machine in the network says more than that of the loopback interface.
    for row in named.into_iter().chain(announced).chain(here) {
        match all.iter_mut().find(|known| known.is_same(&row)) {
            Some(known) => known.absorb(row),
            None => all.push(row),
        }
    }
    all.sort_by_cached_key(|row| {
        let name = row.name().map(str::to_lowercase);
        (name.is_none(), name, row.look.endpoint.to_string())
    });
    all
}

/// Returns what `--robot` can name, for the completion of shells.
pub(super) fn words(rows: &[Row]) -> Vec<String> {
    let name = |row: &Row| row.neighbor.as_ref().map(|neighbor| neighbor.name.to_lowercase());
    let is_one = |row: &Row| rows.iter().filter(|other| name(other) == name(row)).count() == 1;
    let mut words = Vec::new();
    for row in rows {
        // A name with a dot is not looked up among those that are announced.
        let name = row.neighbor.as_ref().map(|neighbor| neighbor.name.clone());
        words.extend(name.filter(|name| !name.contains(['.', ':']) && is_one(row) && !row.look.endpoint.tls));
        words.push(match &row.source {
            Source::Named(text) => text.clone(),
            _ => row.address(),
        });
    }
    words
}

/// Returns whether a robot can be played on, in a word for programs.
fn id(state: &State) -> &'static str {
    match state {
        State::Ready => "ready",
        State::NotReady(topics) => match topics.first() {
            Some(Topic::Awake) => "rests",
            Some(Topic::Life) => "life",
            Some(Topic::Behaviors) => "busy",
            Some(Topic::Temperature) => "hot",
            Some(topic) => topic.id(),
            None => "unknown",
        },
        State::Unknown => "unknown",
        State::NoRobot => "no-robot",
        State::Password => "password",
        State::Certificate => "certificate",
        State::Unreachable => "unreachable",
    }
}

pub(super) fn to_json(rows: &[Row]) -> Json {
    let robots = rows.iter().map(|row| {
        let (look, neighbor) = (&row.look, row.neighbor.as_ref());
        json!({
            "name": row.name(),
            "address": row.address(),
            "named": row.word(),
            "addresses": row.endpoints.iter().map(Endpoint::to_string).collect::<Vec<_>>(),
            "announced": neighbor.map(|neighbor| &neighbor.name),
            "host": neighbor.map(|neighbor| &neighbor.host),
            "body": look.body.map(|body| body.to_string()),
            "model": look.model,
            "naoqi": look.version,
            "battery": look.battery,
            "state": id(&look.state),
            "why": look.why,
            "running": look.running,
            "simulated": row.is_simulated(),
            "boxstep": row.boxstep(),
        })
    });
    robots.collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests {
    use super::*;
    use boxstep_robot::find::{Kind, Neighbors, Record};

    pub(in super::super) fn neighbor(name: &str, address: &str, boxstep: Option<&str>) -> Neighbor {
        let at: std::net::SocketAddr = address.parse().unwrap();
        let mut found = Neighbors::default();
        let host = format!("{name}.local");
        let boxstep = boxstep.map(str::to_owned);
        let (instance, port, addresses) = (name.to_owned(), at.port(), vec![at]);
        found.add(Record { kind: Kind::Naoqi, instance, host, port, addresses, boxstep, tls: false });
        found.robots.remove(0)
    }

    pub(in super::super) fn row(row: Row, state: State, process: Option<u32>) -> Row {
        let mut row = row;
        row.look.state = state;
        row.look.identity = process.map(|process| ("machine".to_owned(), process, row.look.endpoint.port));
        row
    }

    fn endpoint(text: &str) -> Endpoint {
        Endpoint::parse(text).unwrap()
    }

    fn addresses(rows: &[Row]) -> Vec<String> {
        rows.iter().map(Row::address).collect()
    }

    #[test]
    fn a_robot_that_is_found_in_several_ways_is_listed_once() {
        let nao = || Row::announced(neighbor("nao", "10.0.0.7:9559", None)).unwrap();
        let rows = vec![
            row(Row::named("nao.local", endpoint("nao.local")), State::Ready, Some(1)),
            row(Row::here(endpoint("127.0.0.1")), State::Ready, Some(2)),
            row(nao(), State::Ready, Some(1)),
            row(Row::announced(neighbor("sim", "10.0.0.2:9559", Some("0.1.0"))).unwrap(), State::Ready, Some(2)),
            row(Row::announced(neighbor("two", "10.0.0.2:9560", None)).unwrap(), State::Ready, Some(2)),
        ];
        let rows = merged(rows);
        assert_eq!(addresses(&rows), ["nao.local", "10.0.0.2", "10.0.0.2:9560"]);
        assert!(rows[0].is_named() && rows[1].is_simulated() && !rows[2].is_simulated());
        assert_eq!(words(&rows), ["nao", "nao.local", "sim", "10.0.0.2", "two", "10.0.0.2:9560"]);
    }

    #[test]
    fn whoever_is_let_in_knows_more() {
        let locked = Row::announced(neighbor("pepper", "10.0.0.9:9503", None)).unwrap();
        let rows = vec![
            row(locked, State::Password, None),
            row(Row::named("tcp://10.0.0.9:9503", endpoint("10.0.0.9:9503")), State::Ready, Some(7)),
        ];
        let rows = merged(rows);
        assert_eq!((rows.len(), &rows[0].look.state, rows[0].name()), (1, &State::Ready, Some("pepper")));
    }

    #[test]
    fn this_machine_is_listed_only_if_there_is_a_robot() {
        assert!(merged(vec![row(Row::here(endpoint("127.0.0.1")), State::Unreachable, None)]).is_empty());
        let missed = merged(vec![row(Row::named("x", endpoint("x")), State::Unreachable, None)]);
        assert_eq!((missed.len(), id(&missed[0].look.state)), (1, "unreachable"));
    }

    #[test]
    fn names_that_several_robots_have_are_not_completed() {
        let rows: Vec<Row> = ["10.0.0.7:9559", "10.0.0.8:9559"]
            .iter()
            .map(|at| row(Row::announced(neighbor("nao", at, None)).unwrap(), State::Ready, None))
            .collect();
        assert_eq!(words(&merged(rows)), ["10.0.0.7", "10.0.0.8"]);
    }

    #[test]
    fn addresses_are_as_short_as_the_option_takes_them() {
        for (text, short) in [
            ("10.0.0.2", "10.0.0.2"),
            ("10.0.0.2:9560", "10.0.0.2:9560"),
            ("tcps://pepper.local", "tcps://pepper.local"),
            ("tcps://[fd00::2]:7", "tcps://[fd00::2]:7"),
            ("fd00::2", "fd00::2"),
        ] {
            let address = Row::here(endpoint(text)).address();
            assert_eq!(address, short);
            assert_eq!(endpoint(&address), endpoint(text));
        }
    }
}
