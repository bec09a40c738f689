//! Strangers: whoever has not the code of the fleet gets nothing from it, sends nothing to it and does not disturb it.

use super::{LONG, Peer, all_reach_each_other, at, code, free_address};
use boxstep_fleet::network::Network as _;
use boxstep_fleet::pairing::PairingCode;
use boxstep_fleet::zenoh::{Address, Identity};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, Stream};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

/// Two peers that reach each other, and the address of one of them.
fn fleet(code: &PairingCode) -> (Vec<Peer>, Address) {
    let address = free_address();
    let peers = vec![Peer::open(&at(Some(&address), &[]), code), Peer::open(&at(None, &[&address]), code)];
    all_reach_each_other(&peers);
    (peers, address)
}

fn connect(address: &Address) -> TcpStream {
    let stream = TcpStream::connect(address.as_str()).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    stream
}

/// Reads until the other side ends the connection.
fn rest(stream: &mut impl Read) -> Vec<u8> {
    let mut all = Vec::new();
    let mut part = [0; 1024];
    loop {
        match stream.read(&mut part) {
            Ok(0) => return all,
            Ok(n) => all.extend_from_slice(&part[..n]),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                panic!("the connection stays open")
            }
            Err(_) => return all,
        }
    }
}

/// A client of TLS that trusts the fleet of a code, with its own certificate of another fleet, or with none.
fn client(trusted: &Identity, own: Option<&Identity>) -> ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(trusted.authority.as_bytes()).unwrap()).unwrap();
    let verifier = Arc::new(AnyName(
        rustls::client::WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
            .build()
            .unwrap(),
    ));
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
    match own {
        None => builder.with_no_client_auth(),
        Some(own) => {
            let certificate = CertificateDer::from_pem_slice(own.certificate.as_bytes()).unwrap();
            let key = PrivateKeyDer::from_pem_slice(own.key.as_bytes()).unwrap();
            builder.with_client_auth_cert(vec![certificate], key).unwrap()
        }
    }
}

/// Verifies a certificate, but not the name in it.
#[derive(Debug)]
struct AnyName(Arc<rustls::client::WebPkiServerVerifier>);

impl rustls::client::danger::ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: rustls::pki_types::UnixTime,
    ) -> Result<rustls::client::danger::ServerCertVerified, rustls::Error> {
        use rustls::CertificateError::{NotValidForName, NotValidForNameContext};
        match self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. })) => {
                Ok(rustls::client::danger::ServerCertVerified::assertion())
            }
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &rustls::DigitallySignedStruct,
    ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &rustls::DigitallySignedStruct,
    ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// The beginning of a session of Zenoh: the length, and an `InitSyn` message of a peer with the number 1, 2, 3, 4.
const ZENOH: [u8; 9] = [7, 0, 0x01, 0x09, 0x31, 1, 2, 3, 4];

/// Speaks TLS, sends the beginning of a session, and returns what the fleet answers.
fn through_tls(address: &Address, config: ClientConfig) -> Vec<u8> {
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let mut connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = connect(address);
    let mut tls = Stream::new(&mut connection, &mut stream);
    // With TLS 1.3 a client learns that it is refused after it has written.
    let _ = tls.write_all(&ZENOH);
    rest(&mut tls)
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
fn without_tls_there_is_no_answer() {
    let (peers, address) = fleet(&code());
    for bytes in [&ZENOH[..], b"GET / HTTP/1.1\r\n\r\n", &[0; 4096], &[0xff; 4096], b"\x16\x03\x01\xff\xff"] {
        let mut stream = connect(&address);
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let answer = rest(&mut stream);
        // At most an alert of TLS: a record of seven bytes that begins with 21.
        assert!(answer.is_empty() || (answer.len() <= 7 && answer[0] == 21), "{answer:?}");
    }
    all_reach_each_other(&peers);
}

#[test]
fn without_a_certificate_of_the_fleet_there_is_no_session() {
    let code = code();
    let (peers, address) = fleet(&code);
    let (own, other) = (Identity::of(&code).unwrap(), Identity::of(&super::code()).unwrap());
    assert!(through_tls(&address, client(&own, None)).is_empty(), "without a certificate");
    assert!(through_tls(&address, client(&own, Some(&other))).is_empty(), "with one of another fleet");
    // The same bytes get an answer if the certificate is right: it is the certificate that decides.
    assert!(!through_tls(&address, client(&own, Some(&own))).is_empty(), "with one of this fleet");
    all_reach_each_other(&peers);
}

#[test]
fn connections_that_say_nothing_do_not_disturb() {
    let (mut peers, address) = fleet(&code());
    let _silent: Vec<TcpStream> = (0..100).map(|_| connect(&address)).collect();
    all_reach_each_other(&peers);
    peers[0].network.send(None, b"on");
    drop(peers.remove(0));
}
