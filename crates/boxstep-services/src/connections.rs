//! `ALConnectionManager`: the robot is online, by its cable.
//!
//! A network is a list of keys and values. Source: the page ALConnectionManager API of the NAOqi documentation. Decision: the
//! robot has one network, which it cannot leave.

use super::world::World;
use crate::table::{Call, Const, Reply, Service, accepts, answers, done, failed, ok, runs, service, unknown};
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALConnectionManager",
    "Networks",
    &[
        answers("state", "online, ready, offline …", unknown("()m"), Const::Str("online")),
        runs("services", "Networks in reach", unknown("()m"), services),
        runs("service", "One network", unknown("(m)m"), one_service),
        runs("technologies", "ethernet, wifi, bluetooth", unknown("()m"), technologies),
        accepts("scan", "Looks for networks", unknown("()m (m)m")),
        runs("connect", "Connects", unknown("(m)m"), connect),
        runs("disconnect", "Disconnects", unknown("(m)m"), disconnect),
        accepts("forget", "Forgets a network", unknown("(m)m")),
        accepts("setServiceConfiguration", "Settings of a network", unknown("(m)m")),
        accepts("setServiceInput", "Key of a network", unknown("(m)m")),
        accepts("enableTethering", "Shares the network", unknown("(m)m (mm)m (mmm)m (mmmm)m")),
        accepts("disableTethering", "No longer shares it", unknown("(m)m")),
        answers("getTetheringEnable", "Whether it shares", unknown("(m)m"), Const::Bool(false)),
        answers("tetheringName", "Name it shares under", unknown("(m)m"), Const::Str("")),
        answers("tetheringPassphrase", "Key it shares under", unknown("(m)m"), Const::Str("")),
        answers("interfaces", "Interfaces", unknown("()m"), Const::Empty),
        answers("countries", "Countries", unknown("()m"), Const::Empty),
        answers("country", "Country", unknown("()m"), Const::Str("")),
        accepts("setCountry", "Country", unknown("(m)m")),
    ],
)];

const ID: &str = "ethernet_000000000000_cable";

fn network() -> Value {
    let ipv4 = [("Method", "dhcp"), ("Address", "127.0.0.1"), ("Netmask", "255.0.0.0"), ("Gateway", "")];
    let pair = |key: &str, value: Value| Value::list([key.into(), value]);
    Value::list([
        pair("ServiceId", ID.into()),
        pair("Type", "ethernet".into()),
        pair("State", "online".into()),
        pair("Name", "Wired".into()),
        pair("Favorite", true.into()),
        pair("Autoconnect", true.into()),
        pair("IPv4", Value::list(ipv4.map(|(key, value)| pair(key, value.into())))),
    ])
}

fn services(_: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list([network()]))
}

fn technologies(_: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list(["ethernet".into()]))
}

/// Fails if the first argument does not name the network.
fn named(call: &Call<'_>) -> Reply {
    match call.args.text(0, "network")? {
        ID => done(),
        other => failed(format!("there is no network `{other}`: the robot has {ID}")),
    }
}

fn one_service(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    named(call)?;
    ok(network())
}

fn connect(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    named(call)
}

fn disconnect(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    named(call)?;
    failed("the robot cannot leave its only network")
}
