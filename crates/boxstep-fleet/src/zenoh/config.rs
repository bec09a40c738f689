//! The settings of Zenoh for a fleet.

use super::{Address, DEFAULT_PORT, Error, Identity, LONGEST, Options, Reach, keys};
use crate::pairing::PairingCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use zenoh::Config;

/// The group in which peers look for each other: Zenoh's own. Switches pass on groups that begin with 224.0.0 to every
/// port, while others can get lost.
const GROUP: &str = "224.0.0.224";

/// The first of the ports of multicast messages in the local network, and on one computer. Each fleet has one of 50, so
/// that fleets seldom see each other's.
const LAN_PORTS: u16 = 7450;
const LOOPBACK_PORTS: u16 = 7500;

/// How long a connection may take in milliseconds. Peers name all their addresses, also some that are not reached.
const PATIENCE: u64 = 3000;

/// What the transport may need beside the bytes of a message.
const HEADERS: usize = 1024;

/// How many packets of 64 KiB wait for a connection before messages are lost.
const QUEUE: usize = 16;

/// Returns the settings of a session.
pub(super) fn config(options: &Options, code: &PairingCode, identity: &Identity) -> Result<Config, Error> {
    let value = value(options, code, identity)?;
    Config::from_json5(&value.to_string()).map_err(|e| Error::Settings(e.to_string()))
}

/// Returns where a peer listens. Port 0 is any free one.
pub(super) fn listens(options: &Options) -> Option<Address> {
    let port = if options.router { DEFAULT_PORT } else { 0 };
    match (&options.listen, &options.reach) {
        (Some(address), _) => Some(address.clone()),
        (None, Reach::Loopback) => Some(Address::of("127.0.0.1", port)),
        (None, Reach::Lan) => Some(Address::of("0.0.0.0", port)),
        (None, Reach::Addresses) => options.router.then(|| Address::of("0.0.0.0", port)),
    }
}

fn value(options: &Options, code: &PairingCode, identity: &Identity) -> Result<Value, Error> {
    let listen = listens(options);
    if listen.is_none() && options.connect.is_empty() {
        return Err(Error::Nobody);
    }
    // The ports differ, so that a peer on one computer does not follow one of the local network to other machines.
    let (multicast, interface, hops, ports) = match options.reach {
        Reach::Loopback => (true, "127.0.0.1", 0, LOOPBACK_PORTS),
        Reach::Lan => (true, "auto", 1, LAN_PORTS),
        Reach::Addresses => (false, "auto", 1, LAN_PORTS),
    };
    // Zenoh's peers talk to those with whom they are connected, and by gossip they connect with all. Who only has
    // addresses may not reach all: there, everybody passes on what others send, as Zenoh's routers do.
    let relays = options.router || options.reach == Reach::Addresses;
    let endpoint = |address: &Address| format!("quic/{address}");
    let base64 = |text: &str| STANDARD.encode(text);
    Ok(json!({
        "mode": if relays { "router" } else { "peer" },
        "listen": { "endpoints": listen.iter().map(endpoint).collect::<Vec<_>>() },
        "connect": {
            "endpoints": options.connect.iter().map(endpoint).collect::<Vec<_>>(),
            // It tries in the background, as long as it takes.
            "timeout_ms": -1,
            "exit_on_failure": false,
            "retry": { "period_init_ms": 200, "period_max_ms": 1000, "period_increase_factor": 1.5 },
        },
        // Opening does not wait for anybody.
        "open": { "return_conditions": { "connect_scouted": false, "declares": false } },
        "scouting": {
            "delay": 0,
            "multicast": {
                "enabled": multicast,
                "address": format!("{GROUP}:{}", ports + scouting_port(code)),
                "interface": interface,
                "ttl": hops,
            },
            "gossip": { "enabled": true },
        },
        // The fleet has clocks of its own, and those of computers may be wrong.
        "timestamping": { "enabled": false },
        "adminspace": { "enabled": false, "permissions": { "read": false, "write": false } },
        "transport": {
            "unicast": { "open_timeout": PATIENCE, "accept_timeout": PATIENCE },
            "link": {
                "protocols": ["quic"],
                "tx": {
                    "lease": u64::try_from(options.lease.as_millis()).unwrap_or(u64::MAX),
                    "keep_alive": 4,
                    "queue": {
                        "size": {
                            "control": 2,
                            "real_time": 2,
                            "interactive_high": QUEUE,
                            "interactive_low": 2,
                            "data_high": 2,
                            "data": QUEUE,
                            "data_low": 2,
                            "background": 2,
                        },
                        // Who sends never waits.
                        "congestion_control": { "drop": { "wait_before_drop": 0, "max_wait_before_drop_fragments": 0 } },
                    },
                },
                "rx": { "max_message_size": LONGEST + HEADERS },
                "tls": {
                    "enable_mtls": true,
                    // Any member may have any address: the authority alone says who is a member.
                    "verify_name_on_connect": false,
                    "close_link_on_expiration": false,
                    "root_ca_certificate_base64": base64(&identity.authority),
                    "listen_certificate_base64": base64(&identity.certificate),
                    "listen_private_key_base64": base64(&identity.key),
                    "connect_certificate_base64": base64(&identity.certificate),
                    "connect_private_key_base64": base64(&identity.key),
                },
            },
        },
        "access_control": access(identity),
    }))
}

/// Returns the rules by which messages go to members only, and come from members only.
///
/// They are needed because Zenoh's clients trust the public authorities of the web, too. So a stranger with any
/// valid certificate of a web server could answer a peer that looks for others, and be taken for a server. But no public
/// authority issues a certificate with the common name of a fleet's members, and nobody else gets a message.
fn access(identity: &Identity) -> Value {
    json!({
        "enabled": true,
        "default_permission": "deny",
        "rules": [{
            "id": "fleet",
            "permission": "allow",
            "flows": ["egress", "ingress"],
            "messages": [
                "put", "delete", "declare_subscriber", "query", "reply", "declare_queryable", "liveliness_token",
                "liveliness_query", "declare_liveliness_subscriber",
            ],
            "key_exprs": [keys::everything()],
        }],
        "subjects": [{ "id": "members", "cert_common_names": [identity.name] }],
        "policies": [{ "rules": ["fleet"], "subjects": ["members"] }],
    })
}

/// Returns which of 50 ports the peers of a fleet use to look for each other.
fn scouting_port(code: &PairingCode) -> u16 {
    let [first, ..] = code.key("scouting port");
    u16::from(first) % 50
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::sleep;
    use std::time::{Duration, Instant};
    use zenoh::{Session, Wait as _};

    fn code() -> PairingCode {
        PairingCode::create().unwrap()
    }

    fn value_of(options: &Options, code: &PairingCode) -> Value {
        value(options, code, &Identity::of(code).unwrap()).unwrap()
    }

    #[test]
    fn only_a_protected_transport_is_opened_and_by_default_on_this_computer_alone() {
        let code = code();
        let lan = Options { reach: Reach::Lan, ..Options::default() };
        for (options, endpoint, hops) in [(Options::default(), "quic/127.0.0.1:0", 0), (lan, "quic/0.0.0.0:0", 1)] {
            let value = value_of(&options, &code);
            assert_eq!(value["listen"]["endpoints"], json!([endpoint]));
            assert_eq!(value["scouting"]["multicast"]["ttl"], hops);
            assert_eq!(value["transport"]["link"]["protocols"], json!(["quic"]));
            assert_eq!(value["transport"]["link"]["tls"]["enable_mtls"], true);
            assert_eq!(value["access_control"]["default_permission"], "deny");
        }
        let router = Options { router: true, reach: Reach::Addresses, ..Options::default() };
        assert_eq!(value_of(&router, &code)["listen"]["endpoints"], json!(["quic/0.0.0.0:7447"]));
    }

    fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !condition() {
            assert!(Instant::now() < end, "{what}");
            // So that the threads of the network come to their turn.
            sleep(Duration::from_millis(1));
        }
    }

    fn open(value: &Value) -> Session {
        zenoh::open(Config::from_json5(&value.to_string()).unwrap()).wait().unwrap()
    }

    /// Lets a member connect to a stranger whose certificate is from an authority that the member trusts, as it trusts
    /// those of the web, and returns how many messages each of them got from the other.
    fn member_and_stranger(guarded: bool) -> (usize, usize) {
        let (code, other) = (code(), code());
        let both = [&code, &other].map(|code| Identity::of(code).unwrap().authority).concat();
        let address = std::net::UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let address: Address = address.parse().unwrap();
        let reach = Reach::Addresses;
        let mut listens =
            value_of(&Options { listen: Some(address.clone()), reach: reach.clone(), ..Options::default() }, &other);
        let mut connects = value_of(&Options { connect: vec![address], reach, ..Options::default() }, &code);
        for value in [&mut listens, &mut connects] {
            value["transport"]["link"]["tls"]["root_ca_certificate_base64"] = json!(STANDARD.encode(&both));
        }
        listens["access_control"]["enabled"] = json!(false);
        connects["access_control"]["enabled"] = json!(guarded);
        let (stranger, member) = (open(&listens), open(&connects));
        let connected = |session: &Session| session.info().routers_zid().wait().count() > 0;
        wait_until("they connect", || connected(&stranger) && connected(&member));
        // Without the rules messages go both ways after a while. With them, a member of the stranger's own fleet shows
        // that time enough has passed.
        let witness = Options { connect: vec![address_of(&listens)], reach: Reach::Addresses, ..Options::default() };
        let witness = open(&value_of(&witness, &other));
        let (to_stranger, to_member) = (count(&stranger, &member), count(&member, &stranger));
        let seen = count(&witness, &stranger);
        let number = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        wait_until("messages arrive", || {
            for session in [&stranger, &member] {
                session.put("boxstep/fleet/1/all/0000000000000001", session.zid().to_string()).wait().unwrap();
            }
            number(&seen) >= 20 && (guarded || (number(&to_stranger) > 0 && number(&to_member) > 0))
        });
        (number(&to_stranger), number(&to_member))
    }

    /// Counts what a session gets of another one.
    fn count(session: &Session, other: &Session) -> Arc<AtomicUsize> {
        let (count, other) = (Arc::new(AtomicUsize::new(0)), other.zid().to_string());
        let counts = Arc::clone(&count);
        let subscriber = session.declare_subscriber(keys::everything()).callback(move |sample| {
            counts.fetch_add(usize::from(*sample.payload().to_bytes() == *other.as_bytes()), Ordering::Relaxed);
        });
        subscriber.background().wait().unwrap();
        count
    }

    fn address_of(value: &Value) -> Address {
        value["listen"]["endpoints"][0].as_str().unwrap().parse().unwrap()
    }

    #[test]
    fn a_stranger_whose_certificate_the_web_trusts_gets_no_message_in_or_out() {
        let (to_stranger, to_member) = member_and_stranger(false);
        assert!(to_stranger > 0 && to_member > 0, "without the rules it would");
        assert_eq!(member_and_stranger(true), (0, 0));
    }
}
