//! Which TLS certificates are accepted.

use crate::error::Error;
use std::fmt;
use std::str::FromStr;

/// Which certificates are accepted as the robot's (`tcps`). Robots have self-signed certificates, which no system
/// trusts: accept one by its fingerprint, which [`Error::Certificate`] reports, or by a copy of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trust {
    /// Certificates that this system trusts, valid for the host name that was connected to.
    #[default]
    System,
    /// One of these certificates, or one that is signed by one of them and valid for the host name. They are in DER
    /// format; `Trust::from_pem` reads PEM files (feature `tls`).
    Certificates(Vec<Vec<u8>>),
    /// The certificate with this fingerprint.
    Fingerprint(Fingerprint),
    /// Any certificate. The traffic is encrypted, but a man in the middle can pose as the robot.
    Anybody,
}

#[cfg(feature = "tls")]
impl Trust {
    /// Reads the certificates in a PEM text.
    ///
    /// # Errors
    /// [`Error::Identity`] if there are none, or they are invalid.
    pub fn from_pem(text: &[u8]) -> Result<Trust, Error> {
        let all = crate::tls::certificates(text)?;
        Ok(Trust::Certificates(all.into_iter().map(|one| one.to_vec()).collect()))
    }
}

/// The SHA-256 digest of a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

/// Writes it as `openssl x509 -fingerprint -sha256` does: `AB:CD:…`.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.0.iter().enumerate() {
            write!(f, "{}{byte:02X}", if i == 0 { "" } else { ":" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// Parses 64 hexadecimal digits, with or without colons.
impl FromStr for Fingerprint {
    type Err = Error;
    fn from_str(text: &str) -> Result<Fingerprint, Error> {
        let wrong = || Error::Identity { why: format!("{text:?} is no SHA-256: 64 hexadecimal digits") };
        let digits: Vec<u8> = text
            .chars()
            .filter(|c| *c != ':')
            .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()).ok_or_else(wrong))
            .collect::<Result<_, _>>()?;
        let mut bytes = [0; 32];
        if digits.len() != 2 * bytes.len() {
            return Err(wrong());
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Ok(Fingerprint(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_as_it_is_written() {
        let print = Fingerprint(std::array::from_fn(|i| u8::try_from(i * 7).unwrap()));
        let text = print.to_string();
        assert!(text.starts_with("00:07:0E:"), "{text}");
        assert_eq!(text.parse::<Fingerprint>().unwrap(), print);
        assert_eq!(text.replace(':', "").to_lowercase().parse::<Fingerprint>().unwrap(), print);
        for wrong in ["", "00:07", &text[3..], &format!("{text}:00"), &text.replace('7', "x")] {
            assert!(matches!(wrong.parse::<Fingerprint>(), Err(Error::Identity { .. })), "{wrong}");
        }
    }
}
