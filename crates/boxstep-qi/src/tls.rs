//! TLS (`tcps`), with rustls.
//!
//! One TLS state encrypts and decrypts. It is locked only for that, never while a thread waits for the socket. The
//! thread that may write (see [`Outbox`](crate::outbox::Outbox)) takes the outgoing records in order; the thread that
//! reads gives it the received bytes.

use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::options::Options;
use crate::pool::lock;
use crate::transport::Deadline;
use crate::trust::{Fingerprint, Trust};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore, ServerConfig, ServerConnection,
    SignatureScheme,
};
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The most bytes of records that are read from a socket at once.
const AT_ONCE: usize = 1 << 15;

/// The TLS state of one socket.
#[derive(Clone)]
pub(crate) struct TlsState(Arc<Mutex<rustls::Connection>>);

impl TlsState {
    fn new(connection: impl Into<rustls::Connection>) -> TlsState {
        let mut connection = connection.into();
        // The outbox bounds what waits to be sent, not this buffer.
        connection.set_buffer_limit(None);
        TlsState(Arc::new(Mutex::new(connection)))
    }

    /// Encrypts these bytes, and returns the records, after those that TLS itself has to send.
    pub(crate) fn encrypt(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut tls = lock(&self.0);
        tls.writer().write_all(bytes)?;
        TlsState::records(&mut tls)
    }

    /// Returns the last record, which announces the end of the stream.
    pub(crate) fn close_notify(&self) -> io::Result<Vec<u8>> {
        let mut tls = lock(&self.0);
        tls.send_close_notify();
        TlsState::records(&mut tls)
    }

    fn records(tls: &mut rustls::Connection) -> io::Result<Vec<u8>> {
        let mut records = Vec::new();
        while tls.wants_write() {
            tls.write_tls(&mut records)?;
        }
        Ok(records)
    }
}

/// Decrypts what a peer sends.
pub(crate) struct Decrypter {
    tls_state: TlsState,
    records: Vec<u8>,
    /// How many bytes of `records` TLS has consumed.
    given: usize,
    got: usize,
    /// Sends what TLS itself has to send.
    speak: Box<dyn Fn() + Send>,
}

impl Decrypter {
    pub(crate) fn new(tls_state: TlsState, speak: Box<dyn Fn() + Send>) -> Decrypter {
        Decrypter { tls_state, records: vec![0; AT_ONCE], given: 0, got: 0, speak }
    }

    pub(crate) fn read(&mut self, from: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut tls = lock(&self.tls_state.0);
            match tls.reader().read(into) {
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                // The peer closed without a TLS close notification. Messages carry their length, so a truncated one
                // cannot pass as complete.
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(0),
                done => return done,
            }
            if self.given == self.got {
                drop(tls);
                self.got = from.read(&mut self.records)?;
                self.given = 0;
                if self.got == 0 {
                    return Ok(0);
                }
                tls = lock(&self.tls_state.0);
            }
            let mut rest = &self.records[self.given..self.got];
            tls.read_tls(&mut rest)?;
            self.given = self.got - rest.len();
            let processed = tls.process_new_packets();
            let speaks = tls.wants_write();
            drop(tls);
            if speaks {
                (self.speak)();
            }
            processed.map_err(|e| io::Error::new(ErrorKind::InvalidData, e))?;
        }
    }
}

/// Performs the TLS handshake as a client, and verifies the server's certificate.
pub(crate) fn connect(stream: &TcpStream, endpoint: &Endpoint, options: &Options) -> Result<TlsState, Error> {
    let until = Instant::now() + options.connect_within;
    let address = endpoint.to_string();
    let failed = |why: String| Error::Tls { address: address.clone(), why };
    let name = ServerName::try_from(endpoint.host.clone());
    let name = name.map_err(|_| failed("no certificate can be valid for such a host name".to_owned()))?;
    let verifier = Arc::new(CertificateVerifier::new(&options.trust).map_err(failed)?);
    let provider = Arc::clone(&verifier.provider);
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|e| failed(e.to_string()))?;
    let config = config.dangerous().with_custom_certificate_verifier(Arc::clone(&verifier) as _).with_no_client_auth();
    let mut tls = ClientConnection::new(Arc::new(config), name).map_err(|e| failed(e.to_string()))?;
    let mut socket = Timed { stream, deadline: Deadline::until(until) };
    while tls.is_handshaking() {
        let Err(e) = tls.complete_io(&mut socket) else { continue };
        if let Some((fingerprint, why)) = lock(&verifier.refused).take() {
            return Err(Error::Certificate { address, fingerprint, why });
        }
        return Err(match e.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                Error::Slow { what: format!("the TLS handshake with {address}"), after: options.connect_within }
            }
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
                failed("it closed the connection; perhaps it speaks no TLS there, which is tcp and not tcps".to_owned())
            }
            _ => failed(e.to_string()),
        });
    }
    let quiet = stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None));
    quiet.map_err(|e| Error::System(Arc::new(e)))?;
    Ok(TlsState::new(tls))
}

/// A socket with a deadline.
struct Timed<'a> {
    stream: &'a TcpStream,
    deadline: Deadline,
}

impl Read for Timed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.deadline.left()?)?;
        self.stream.read(into)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.deadline.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Decides whether a certificate is the robot's.
struct CertificateVerifier {
    trust: Trust,
    provider: Arc<CryptoProvider>,
    by_name: Option<Arc<WebPkiServerVerifier>>,
    /// The certificate that was rejected, and why.
    refused: Mutex<Option<(Fingerprint, String)>>,
}

impl CertificateVerifier {
    fn new(trust: &Trust) -> Result<CertificateVerifier, String> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut roots = RootCertStore::empty();
        match trust {
            Trust::System => {
                let _ = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            }
            Trust::Certificates(all) => {
                let _ = roots.add_parsable_certificates(all.iter().map(|der| CertificateDer::from(der.as_slice())));
            }
            Trust::Fingerprint(_) | Trust::Anybody => {}
        }
        let by_name = if roots.is_empty() {
            None
        } else {
            let built = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build();
            Some(built.map_err(|e| e.to_string())?)
        };
        Ok(CertificateVerifier { trust: trust.clone(), provider, by_name, refused: Mutex::default() })
    }
}

impl fmt::Debug for CertificateVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CertificateVerifier").field("trust", &self.trust).finish_non_exhaustive()
    }
}

impl ServerCertVerifier for CertificateVerifier {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let fingerprint = fingerprint(shown);
        let judged = match (&self.trust, &self.by_name) {
            (Trust::Anybody, _) => return Ok(ServerCertVerified::assertion()),
            (Trust::Fingerprint(known), _) if *known == fingerprint => return Ok(ServerCertVerified::assertion()),
            (Trust::Fingerprint(_), _) => Err("it is not the one that was accepted".to_owned()),
            (Trust::Certificates(known), _) if known.iter().any(|der| der.as_slice() == shown.as_ref()) => {
                return Ok(ServerCertVerified::assertion());
            }
            (_, Some(by_name)) => by_name.verify_server_cert(shown, between, name, ocsp, now).map_err(|e| match e {
                rustls::Error::InvalidCertificate(why) => why.to_string(),
                other => other.to_string(),
            }),
            (_, None) => Err("this system has no certificate authority that could verify it".to_owned()),
        };
        judged.map_err(|why| {
            *lock(&self.refused) = Some((fingerprint, why));
            rustls::Error::InvalidCertificate(rustls::CertificateError::ApplicationVerificationFailure)
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, shown, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, shown, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

fn fingerprint(certificate: &CertificateDer<'_>) -> Fingerprint {
    let digest = ring::digest::digest(&ring::digest::SHA256, certificate.as_ref());
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest.as_ref());
    Fingerprint(bytes)
}

/// Returns the certificates in a PEM text; there is at least one.
pub(crate) fn certificates(text: &[u8]) -> Result<Vec<CertificateDer<'static>>, Error> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(text).collect();
    let all = all.map_err(|e| Error::Identity { why: format!("the certificate cannot be read: {e}") })?;
    if all.is_empty() {
        return Err(Error::Identity { why: "the text contains no certificate (PEM)".to_owned() });
    }
    Ok(all)
}

/// A server's certificate and its private key.
#[derive(Clone)]
pub struct Identity {
    config: Arc<ServerConfig>,
    fingerprint: Fingerprint,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({})", self.fingerprint)
    }
}

impl Identity {
    /// Reads two PEM texts: the certificate, followed by its chain, and the private key.
    ///
    /// # Errors
    /// [`Error::Identity`].
    pub fn from_pem(certificate: &[u8], key: &[u8]) -> Result<Identity, Error> {
        let chain = certificates(certificate)?;
        let fingerprint = fingerprint(&chain[0]);
        let wrong = |why: String| Error::Identity { why };
        let key = PrivateKeyDer::from_pem_slice(key);
        let key = key.map_err(|e| wrong(format!("the private key cannot be read: {e}")))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.map_err(|e| wrong(e.to_string()))?.with_no_client_auth();
        let config = config.with_single_cert(chain, key).map_err(|e| wrong(e.to_string()))?;
        Ok(Identity { config: Arc::new(config), fingerprint })
    }

    /// Returns the fingerprint by which clients can recognize the certificate.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Makes the server's TLS state of a new connection. It does not wait: the client begins the handshake.
    pub(crate) fn accept(&self) -> Result<TlsState, Error> {
        let tls = ServerConnection::new(Arc::clone(&self.config));
        Ok(TlsState::new(tls.map_err(|e| Error::Identity { why: e.to_string() })?))
    }
}
