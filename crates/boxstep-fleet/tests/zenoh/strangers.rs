//! Strangers: whoever has not the code of the fleet gets nothing from it, sends nothing to it and does not disturb it.

use super::{Peer, all_reach_each_other, at, code, free_address};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use boxstep_fleet::pairing::PairingCode;
use boxstep_fleet::zenoh::{Address, Identity};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::net::{TcpStream, UdpSocket};
use zenoh::{Config, Session, Wait as _};

/// Two peers that reach each other, and the address of one of them.
fn fleet(code: &PairingCode) -> (Vec<Peer>, Address) {
    let address = free_address();
    let peers = vec![Peer::open(&at(Some(&address), &[]), code), Peer::open(&at(None, &[&address]), code)];
    all_reach_each_other(&peers);
    (peers, address)
}

/// Tries once to join the fleet at an address as a client of Zenoh that trusts the fleet of an identity, with a
/// certificate of its own or without one.
fn join(address: &Address, trusted: &Identity, own: Option<&Identity>) -> zenoh::Result<Session> {
    let base64 = |text: &str| STANDARD.encode(text);
    let mut tls = json!({
        "root_ca_certificate_base64": base64(&trusted.authority),
        "verify_name_on_connect": false,
        "enable_mtls": own.is_some(),
    });
    if let Some(own) = own {
        tls["connect_certificate_base64"] = base64(&own.certificate).into();
        tls["connect_private_key_base64"] = base64(&own.key).into();
    }
    let config: Value = json!({
        "mode": "client",
        "connect": { "endpoints": [format!("quic/{address}")], "timeout_ms": 0, "exit_on_failure": true },
        "scouting": { "multicast": { "enabled": false } },
        "transport": { "link": { "tls": tls } },
    });
    zenoh::open(Config::from_json5(&config.to_string()).unwrap()).wait()
}

#[test]
fn a_fleet_with_another_code_is_a_stranger() {
    let (code, other) = (code(), code());
    let (peers, address) = fleet(&code);
    // It has a fleet of its own, looks for the first fleet, and offers itself to it.
    let here = free_address();
    let strangers =
        [Peer::open(&at(Some(&here), &[&address]), &other), Peer::open(&at(None, &[&address, &here]), &other)];
    let seeker = Peer::open(&at(None, &[&here, &address]), &code);
    for round in 0..20 {
        strangers[0].reach(&strangers[1], None, &format!("stranger {round}"));
        peers[0].reach(&peers[1], None, &format!("fleet {round}"));
        seeker.reach(&peers[1], Some(peers[1].id()), &format!("seeker {round}"));
    }
    all_reach_each_other(&peers);
    for stranger in &strangers {
        while let Ok(received) = stranger.received.try_recv() {
            assert!(received.bytes.starts_with(b"stranger"), "{received:?}");
        }
    }
    for peer in peers.iter().chain([&seeker]) {
        while let Ok(received) = peer.received.try_recv() {
            assert!(!received.bytes.starts_with(b"stranger"), "{received:?}");
        }
    }
}

#[test]
fn without_a_certificate_of_the_fleet_nobody_joins() {
    let code = code();
    let (peers, address) = fleet(&code);
    let (own, other) = (Identity::of(&code).unwrap(), Identity::of(&super::code()).unwrap());
    assert!(join(&address, &own, None).is_err(), "without a certificate");
    assert!(join(&address, &own, Some(&other)).is_err(), "with one of another fleet");
    all_reach_each_other(&peers);
    // It is the certificate that decides: with the right one, any program that speaks Zenoh is a member.
    let member = join(&address, &own, Some(&own)).unwrap();
    let subscriber = member.declare_subscriber("boxstep/fleet/1/all/*").wait().unwrap();
    while subscriber.try_recv().unwrap().is_none() {
        peers[0].reach(&peers[1], None, "to the member, too");
    }
}

#[test]
fn a_member_that_sends_too_much_is_not_heard() {
    let code = code();
    let (peers, address) = fleet(&code);
    let own = Identity::of(&code).unwrap();
    let member = join(&address, &own, Some(&own)).unwrap();
    let key = format!("boxstep/fleet/1/all/{:016x}", 7);
    let put = |bytes: Vec<u8>| member.put(&key, bytes).wait().unwrap();
    let mut heard = false;
    while !heard {
        put(vec![3; 1_000_000]);
        put(vec![1; 10]);
        while let Ok(received) = peers[0].received.try_recv() {
            assert!(received.bytes.len() < 1000, "a message that is too long");
            heard |= received.bytes[0] == 1;
        }
    }
    // A key without a sender is no message.
    member.put("boxstep/fleet/1/all/nobody", "x").wait().unwrap();
    all_reach_each_other(&peers);
}

#[test]
fn bytes_that_are_no_quic_do_not_disturb() {
    let (peers, address) = fleet(&code());
    let error = TcpStream::connect(address.as_str()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused, "nothing listens on TCP");
    // The beginning of a session of Zenoh that is not protected.
    let zenoh = [7, 0, 0x01, 0x09, 0x31, 1, 2, 3, 4];
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    for _ in 0..100 {
        for bytes in [&zenoh[..], &zenoh[2..], b"GET / HTTP/1.1\r\n\r\n", &[0; 1400], &[0x40; 1400], &[0xff; 1400], b""]
        {
            socket.send_to(bytes, address.as_str()).unwrap();
        }
    }
    all_reach_each_other(&peers);
    // An answer can only say which versions of QUIC are spoken, or that a connection is unknown: nothing of Zenoh.
    socket.set_nonblocking(true).unwrap();
    let mut answer = [0; 2000];
    while let Ok(length) = socket.recv(&mut answer) {
        assert!(length < 1400 && !answer[..length].windows(7).any(|part| part == b"boxstep"), "{length}");
    }
}
