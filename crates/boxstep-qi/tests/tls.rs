//! TLS (`tcps`): which certificates are accepted, and that everything works as without TLS.

use crate::common;
use crate::common::{LONG, Probe, probe, probe_object};
use boxstep_qi::{
    Credentials, Error, Fingerprint, Gone, Identity, Lasting, Link, Options, Pauses, Server, Session, Trust, Value,
    args,
};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::thread::spawn;
use std::time::Duration;

/// Returns a self-signed certificate and its key, as PEM.
fn self_signed(name: &str) -> (String, String) {
    let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

fn robot(certificate: &str, key: &str) -> (Probe, Fingerprint) {
    let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    let fingerprint = identity.fingerprint();
    let server = Server::listen_tls("127.0.0.1:0", Options::default(), identity, |_| Ok(())).unwrap();
    let (object, canceled, posted) = probe_object();
    server.register("Probe", object.clone()).unwrap();
    (Probe { server, object, canceled, posted }, fingerprint)
}

fn connect(robot: &Probe, trust: Trust) -> Result<Session, Error> {
    let address = format!("tcps://{}", robot.server.address());
    Session::connect_with(&address, Options { trust, ..Options::default() })
}

#[test]
fn everything_goes_through_tls_as_it_does_without() {
    let (certificate, key) = self_signed("nao.local");
    let (robot, fingerprint) = robot(&certificate, &key);
    let session = connect(&robot, Trust::Fingerprint(fingerprint)).unwrap();
    let service = session.service("Probe").unwrap();
    assert_eq!(service.call("add", &args![2, 3]).unwrap(), Value::I32(5));
    // More bytes than any buffer in between, in both directions at once.
    let large = Value::Raw((0..3_000_000u32).map(|i| (i % 251) as u8).collect());
    let pending: Vec<_> = (0..4).map(|_| service.start("echo", std::slice::from_ref(&large)).unwrap()).collect();
    for pending in pending {
        assert!(pending.wait().unwrap().into_plain() == large, "3 MB come back as they went");
    }
    let (tell, told) = channel();
    let _listening = service.subscribe("ping", move |args| tell.send(args[0].clone()).unwrap()).unwrap();
    for i in 0..1000 {
        robot.object.emit("ping", &args![i, "x"]).unwrap();
    }
    for i in 0..1000 {
        assert_eq!(told.recv_timeout(LONG).unwrap(), Value::I32(i));
    }
    let mine = session.register("Mine", common::child()).unwrap();
    assert_eq!(robot.server.service("Mine").unwrap().call("name", &[]).unwrap().as_str(), Some("child"));
    drop(mine);
    let info = session.service_info("Probe").unwrap();
    assert_eq!(info.endpoints, [format!("tcps://{}", robot.server.address())]);
    let (tell, told) = channel();
    session.connection().on_close(move |gone| tell.send(gone.to_string()).unwrap());
    drop(robot);
    assert_eq!(told.recv_timeout(LONG).unwrap(), "the peer closed the connection");
}

#[test]
fn a_self_signed_certificate_is_rejected_unless_its_fingerprint_is_accepted() {
    let (certificate, key) = self_signed("nao.local");
    let (robot, fingerprint) = robot(&certificate, &key);
    let error = connect(&robot, Trust::System).unwrap_err();
    let Error::Certificate { fingerprint: shown, .. } = &error else { panic!("{error}") };
    assert_eq!(*shown, fingerprint);
    assert!(error.to_string().contains(&format!("by its SHA-256 fingerprint, {fingerprint}")), "{error}");
    connect(&robot, Trust::Fingerprint(shown.to_string().parse().unwrap())).unwrap();
    let other = Fingerprint([7; 32]);
    let error = connect(&robot, Trust::Fingerprint(other)).unwrap_err();
    assert!(error.to_string().contains("it is not the one that was accepted"), "{error}");
    connect(&robot, Trust::Anybody).unwrap();
}

#[test]
fn a_copy_of_the_certificate_is_enough_whatever_its_name() {
    let (certificate, key) = self_signed("some-other-name.local");
    let (robot, _) = robot(&certificate, &key);
    connect(&robot, Trust::from_pem(certificate.as_bytes()).unwrap()).unwrap();
    let (another, _) = self_signed("some-other-name.local");
    let error = connect(&robot, Trust::from_pem(another.as_bytes()).unwrap()).unwrap_err();
    assert!(matches!(error, Error::Certificate { .. }), "{error}");
    assert!(matches!(Trust::from_pem(b"no certificate"), Err(Error::Identity { .. })));
    assert!(matches!(Identity::from_pem(certificate.as_bytes(), b"no key"), Err(Error::Identity { .. })));
}

#[test]
fn a_certificate_must_be_valid_for_the_host_name() {
    let mut params = CertificateParams::new([]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    for (name, believed) in [("127.0.0.1", true), ("nao.local", false)] {
        let key = KeyPair::generate().unwrap();
        let signed = CertificateParams::new([name.to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
        let (robot, _) = robot(&signed.pem(), &key.serialize_pem());
        let got = connect(&robot, Trust::from_pem(authority.pem().as_bytes()).unwrap());
        match got {
            Ok(_) => assert!(believed, "{name}"),
            Err(e) => assert!(!believed && matches!(e, Error::Certificate { .. }), "{name}: {e}"),
        }
    }
}

#[test]
fn a_password_goes_through_tls() {
    let (certificate, key) = self_signed("pepper.local");
    let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    let trust = Trust::Fingerprint(identity.fingerprint());
    let server = Server::listen_tls("127.0.0.1:0", Options::default(), identity, |who| match who {
        Some(who) if who.token == "secret" => Ok(()),
        _ => Err("wrong password".to_owned()),
    });
    let server = server.unwrap();
    let address = format!("tcps://{}", server.address());
    let with = |token: &str| {
        let credentials = Some(Credentials { user: "nao".into(), token: token.into() });
        Session::connect_with(&address, Options { credentials, trust: trust.clone(), ..Options::default() })
    };
    with("secret").unwrap();
    assert_eq!(with("x").unwrap_err().to_string(), "the peer rejects the credentials: wrong password");
}

#[test]
fn a_tls_mismatch_is_reported() {
    let (certificate, key) = self_signed("nao.local");
    let (secret, _) = robot(&certificate, &key);
    let error = Session::connect(&secret.server.address().to_string()).unwrap_err();
    assert_eq!(error.to_string(), "the server requires TLS: use tcps:// instead of tcp://");
    let open = probe();
    let error = connect(&open, Trust::Anybody).unwrap_err();
    assert!(error.to_string().ends_with("perhaps it speaks no TLS there, which is tcp and not tcps"), "{error}");
}

#[test]
fn a_server_that_does_not_finish_the_handshake_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcps://{}", listener.local_addr().unwrap());
    let robot = spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        // The header of a record, and nothing after it.
        client.write_all(&[0x16, 3, 3, 0x40, 0]).unwrap();
        let mut rest = Vec::new();
        let _ = client.read_to_end(&mut rest);
    });
    let options = Options { connect_within: Duration::from_millis(100), ..Options::default() };
    let error = Session::connect_with(&address, options).unwrap_err();
    assert!(matches!(error, Error::Slow { .. }), "{error}");
    robot.join().unwrap();
}

#[test]
fn a_client_that_does_not_finish_the_handshake_is_disconnected() {
    let (certificate, key) = self_signed("nao.local");
    let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    let options = Options { patience: Duration::from_millis(100), ..Options::default() };
    let server = Server::listen_tls("127.0.0.1:0", options, identity, |_| Ok(())).unwrap();
    let mut client = TcpStream::connect(server.address()).unwrap();
    client.write_all(&[0x16, 3, 1]).unwrap();
    let mut rest = Vec::new();
    // The end of the stream or a reset: the server has closed.
    let _ = client.read_to_end(&mut rest);
    while server.clients() > 0 {
        std::thread::yield_now();
    }
}

#[test]
fn a_certificate_that_is_refused_is_not_tried_again() {
    let (certificate, key) = self_signed("nao.local");
    let (robot, _) = robot(&certificate, &key);
    let (tell, told) = channel();
    let address = format!("tcps://{}", robot.server.address());
    let lasting =
        Lasting::new(&address, Options::default(), Pauses::default(), move |link| drop(tell.send(link.clone())));
    let lasting = lasting.unwrap();
    assert!(matches!(told.recv_timeout(LONG).unwrap(), Link::Over(Error::Certificate { .. })));
    assert!(matches!(lasting.wait(LONG), Err(Error::Certificate { .. })));
}

#[test]
fn a_tls_client_sends_nothing_unencrypted() {
    let (certificate, key) = self_signed("nao.local");
    let (robot, fingerprint) = robot(&certificate, &key);
    let session = connect(&robot, Trust::Fingerprint(fingerprint)).unwrap();
    // A service of another client, registered at an address elsewhere, without TLS.
    let directory = session.directory().unwrap();
    let endpoints = Value::list_of(boxstep_qi::Signature::Str, vec!["tcp://192.0.2.1:9".into()]);
    let info = Value::tuple(args!["Open", 0u32, "m", 1u32, endpoints, "s", ""].to_vec());
    let id = directory.call("registerService", &[info]).unwrap();
    directory.call("serviceReady", &[id]).unwrap();
    let error = session.service("Open").unwrap_err();
    // The client connects neither there nor to that port of its own host.
    let words =
        "the service Open cannot be reached: tcp://127.0.0.1:9: it has no TLS; tcp://192.0.2.1:9: it has no TLS";
    assert_eq!(error.to_string(), words);
}

#[test]
fn invalid_tls_records_close_the_connection() {
    let (certificate, key) = self_signed("nao.local");
    let (robot, fingerprint) = robot(&certificate, &key);
    // A man in the middle adds a record of random bytes after the robot's first answers.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcps://{}", listener.local_addr().unwrap());
    let server = robot.server.address();
    let (noise, now) = channel::<()>();
    spawn(move || {
        let (client, _) = listener.accept().unwrap();
        let server = TcpStream::connect(server).unwrap();
        let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        spawn(move || std::io::copy(&mut from, &mut to));
        let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        spawn(move || std::io::copy(&mut from, &mut to));
        now.recv().unwrap();
        let mut client = client;
        client.write_all(&[0x17, 3, 3, 0, 32]).unwrap();
        client.write_all(&[9; 32]).unwrap();
    });
    let options = Options { trust: Trust::Fingerprint(fingerprint), ..Options::default() };
    let session = Session::connect_with(&address, options).unwrap();
    let (tell, told) = channel();
    session.connection().on_close(move |gone| tell.send(gone.clone()).unwrap());
    noise.send(()).unwrap();
    assert!(matches!(told.recv_timeout(LONG).unwrap(), Gone::Io(_)));
}
