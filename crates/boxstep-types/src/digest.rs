//! The SHA-256 by which files are known.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::Sha256;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The SHA-256 of a file's bytes, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(<Sha256 as sha2::Digest>::digest(bytes).into())
    }

    /// Returns the digest of a file.
    ///
    /// # Errors
    /// Why the file cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let mut digester = Digester::default();
        let mut file = File::open(path)?;
        let mut bytes = vec![0; 1 << 16];
        loop {
            match file.read(&mut bytes)? {
                0 => return Ok(digester.end()),
                n => digester.add(&bytes[..n]),
            }
        }
    }

    fn read(text: &str) -> Option<Self> {
        let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
        let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
        (digits.len() == 64).then(|| bytes.try_into().ok().map(Self))?
    }
}

/// Calculates the digest of bytes that come in parts.
#[derive(Clone, Default)]
pub struct Digester(Sha256);

impl Digester {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        sha2::Digest::update(&mut self.0, bytes);
    }

    /// Returns the digest of all bytes.
    pub fn end(self) -> Digest {
        Digest(sha2::Digest::finalize(self.0).into())
    }
}

impl fmt::Debug for Digester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digester")
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::read(&text).ok_or_else(|| serde::de::Error::custom("not a SHA-256 in hexadecimal digits"))
    }
}
