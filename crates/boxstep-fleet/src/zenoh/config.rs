//! The settings of Zenoh for a fleet.

use super::{DEFAULT_PORT, Error, Identity, LONGEST, Options, Reach, keys};
use crate::pairing::PairingCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use zenoh::Config;

/// The group in which peers look for each other: Zenoh's own. Switches pass on groups that begin with 224.0.0 to every
/// port, while others can get lost.
const GROUP: &str = "224.0.0.224";

/// The first of the ports of multicast messages. Each fleet has one of 50, so that fleets seldom see each other's.
const FIRST_PORT: u16 = 7450;

/// What the transport may need beside the bytes of a message.
const HEADERS: usize = 1024;

/// How many packets of 64 KiB wait for a connection before messages are lost.
const QUEUE: usize = 16;

/// Returns the settings of a session.
pub(super) fn config(options: &Options, code: &PairingCode, identity: &Identity) -> Result<Config, Error> {
    let value = value(options, code, identity)?;
    Config::from_json5(&value.to_string()).map_err(|e| Error::Settings(e.to_string()))
}

fn value(options: &Options, code: &PairingCode, identity: &Identity) -> Result<Value, Error> {
    let port = if options.router { DEFAULT_PORT } else { 0 };
    let listen = match (&options.listen, &options.reach) {
        (Some(address), _) => Some(address.to_string()),
        (None, Reach::Loopback) => Some(format!("127.0.0.1:{port}")),
        (None, Reach::Lan) => Some(format!("0.0.0.0:{port}")),
        (None, Reach::Addresses) => options.router.then(|| format!("0.0.0.0:{port}")),
    };
    if listen.is_none() && options.connect.is_empty() {
        return Err(Error::Nobody);
    }
    let (multicast, interface, hops) = match options.reach {
        Reach::Loopback => (true, "127.0.0.1", 0),
        Reach::Lan => (true, "auto", 1),
        Reach::Addresses => (false, "auto", 1),
    };
    // Zenoh's peers talk to those with whom they are connected, and by gossip they connect with all. Who only has
    // addresses may not reach all: there, everybody passes on what others send, as Zenoh's routers do.
    let relays = options.router || options.reach == Reach::Addresses;
    let endpoint = |address: &str| format!("tls/{address}");
    let base64 = |text: &str| STANDARD.encode(text);
    Ok(json!({
        "mode": if relays { "router" } else { "peer" },
        "listen": { "endpoints": listen.iter().map(|address| endpoint(address)).collect::<Vec<_>>() },
        "connect": {
            "endpoints": options.connect.iter().map(|address| endpoint(address.as_str())).collect::<Vec<_>>(),
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
                "address": format!("{GROUP}:{}", scouting_port(code)),
                "interface": interface,
                "ttl": hops,
            },
            "gossip": { "enabled": true },
        },
        // The fleet has clocks of its own, and those of computers may be wrong.
        "timestamping": { "enabled": false },
        "adminspace": { "enabled": false, "permissions": { "read": false, "write": false } },
        "transport": {
            "link": {
                "protocols": ["tls"],
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
/// They are needed because Zenoh's clients of TLS trust the public authorities of the web, too. So a stranger with any
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

/// Returns the port on which the peers of a fleet look for each other.
fn scouting_port(code: &PairingCode) -> u16 {
    let [first, ..] = code.key("scouting port");
    FIRST_PORT + u16::from(first) % 50
}
