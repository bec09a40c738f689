//! Certificates that are made from the pairing code.

use crate::pairing::PairingCode;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose, SerialNumber, date_time_ymd,
};

/// What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410, section 7).
const PKCS8: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

/// What proves to the others of a fleet that a peer has the code: a certificate of an authority whose key everybody with
/// the code can make. All texts are PEM. They are never written to a disk; other programs that speak Zenoh can use them
/// to talk to the fleet.
///
/// The certificates are valid from 1970 to 9999, so that a computer whose clock is wrong can take part; only before 1970
/// it cannot. Who must no longer belong to a fleet is shut out by a new code.
pub struct Identity {
    /// The certificate of the authority. It is the same for all who have the code.
    pub authority: String,
    /// The certificate of this peer. Each one is new.
    pub certificate: String,
    /// The secret key of this peer.
    pub key: String,
    /// The common name in the peer's certificate. It is the same for all who have the code.
    pub name: String,
}

impl Identity {
    /// Makes an identity in the fleet that has this code.
    ///
    /// # Errors
    ///
    /// If the system gives no random numbers.
    pub fn of(code: &PairingCode) -> Result<Identity, rcgen::Error> {
        let name = format!("boxstep-fleet-{}", hex(&code.key("name of members")[..16]));
        let authority = authority(code)?;
        let key = KeyPair::generate_for(&rcgen::PKCS_ED25519)?;
        let mut params = params(&name);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        let certificate = params.signed_by(&key, &authority)?;
        Ok(Identity { authority: authority.pem(), certificate: certificate.pem(), key: key.serialize_pem(), name })
    }
}

/// Makes the authority of a fleet: the same code gives the same bytes.
fn authority(code: &PairingCode) -> Result<CertifiedIssuer<'static, KeyPair>, rcgen::Error> {
    let pkcs8 = [&PKCS8[..], &code.key("authority")].concat();
    let key = KeyPair::try_from(pkcs8)?;
    let mut params = params("Boxstep fleet");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    params.serial_number = Some(SerialNumber::from(1));
    CertifiedIssuer::self_signed(params, key)
}

fn params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params.not_before = date_time_ymd(1970, 1, 1);
    params.not_after = date_time_ymd(9999, 12, 31);
    params
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Identity, PairingCode};
    use rustls::RootCertStore;
    use rustls::pki_types::pem::PemObject as _;
    use rustls::pki_types::{CertificateDer, UnixTime};
    use rustls::server::WebPkiClientVerifier;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn the_same_code_gives_the_same_authority_and_always_new_members() {
        let (code, other) = (PairingCode::create().unwrap(), PairingCode::create().unwrap());
        let (a, b, c) = (Identity::of(&code).unwrap(), Identity::of(&code).unwrap(), Identity::of(&other).unwrap());
        assert_eq!((&a.authority, &a.name), (&b.authority, &b.name));
        assert_ne!(a.key, b.key);
        assert_ne!(a.certificate, b.certificate);
        assert_ne!(a.authority, c.authority);
        assert_ne!(a.name, c.name);
    }

    #[test]
    fn certificates_are_valid_whatever_the_clock_says() {
        let code = PairingCode::create().unwrap();
        let (own, other) = (Identity::of(&code).unwrap(), Identity::of(&PairingCode::create().unwrap()).unwrap());
        let read = |pem: &str| CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(read(&own.authority)).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
        let valid = |identity: &Identity, seconds: u64| {
            let now = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
            verifier.verify_client_cert(&read(&identity.certificate), &[], now).is_ok()
        };
        // The beginning of 1970, of 2000 and of 2026, and some day of the year 9990.
        for seconds in [0, 946_684_800, 1_767_225_600, 253_086_163_200] {
            assert!(valid(&own, seconds), "{seconds}");
            assert!(!valid(&other, seconds), "{seconds}");
        }
    }
}
