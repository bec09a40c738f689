//! The pairing code of a fleet: who knows it belongs to the fleet, and nobody else can listen or send.
//!
//! A code is 100 random bits, written as five groups of four letters and digits. A sixth group is a checksum, so that a
//! typing error is told as one, and so that nobody can choose a code that is easy to guess. Keys are derived from it
//! with HKDF (RFC 5869); 100 random bits need no slow function for that.

mod storage;

pub use storage::{ENVIRONMENT, StorageError, file, load, of_user, save};

use ring::{digest, hkdf};
use std::fmt;
use std::str::FromStr;

/// Crockford's digits in base 32, without the letters that look like others.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// How many characters of a code are random, of five bits each.
const RANDOM: usize = 20;
/// How many characters are the checksum.
const CHECK: usize = 4;
/// How many characters a group has.
const GROUP: usize = 4;

/// The pairing code of a fleet. It is a secret: only [`reveal`](PairingCode::reveal) shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct PairingCode([u8; RANDOM]);

/// The reason why a text is no pairing code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeError {
    /// It has this number of letters and digits.
    Length(usize),
    /// It has a character that no code has.
    Character(char),
    /// The last group does not fit the others.
    Checksum,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodeError::Length(n) => {
                write!(f, "a pairing code has 24 letters and digits, in six groups of four, but this one has {n}")
            }
            CodeError::Character(c) => write!(f, "a pairing code has no {c:?}, only letters (but no u) and digits"),
            CodeError::Checksum => {
                f.write_str("the pairing code has a typing error: its last group does not fit the others")
            }
        }
    }
}

impl std::error::Error for CodeError {}

/// The system gives no random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRandomness(pub(crate) getrandom::Error);

impl fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the system gives no random numbers: {}", self.0)
    }
}

impl std::error::Error for NoRandomness {}

impl PairingCode {
    /// Makes the code of a new fleet.
    ///
    /// # Errors
    ///
    /// If the system gives no random numbers.
    pub fn create() -> Result<PairingCode, NoRandomness> {
        let mut symbols = [0; RANDOM];
        getrandom::fill(&mut symbols).map_err(NoRandomness)?;
        Ok(PairingCode(symbols.map(|byte| byte % 32)))
    }

    /// Returns the code as users read and type it.
    pub fn reveal(&self) -> String {
        let check = checksum(&self.0);
        let mut text = String::with_capacity((RANDOM + CHECK) / GROUP * (GROUP + 1));
        for (i, symbol) in self.0.iter().chain(&check).enumerate() {
            if i > 0 && i % GROUP == 0 {
                text.push('-');
            }
            text.push(char::from(DIGITS[usize::from(symbol % 32)]));
        }
        text
    }

    /// Returns a key for a purpose. Keys for different purposes say nothing about each other or about the code.
    pub fn key(&self, purpose: &str) -> [u8; 32] {
        let random = hkdf::Salt::new(hkdf::HKDF_SHA256, b"boxstep fleet 1").extract(&self.0);
        let mut key = [0; 32];
        // The length is that of the hash function, so that neither of the two can fail.
        if let Ok(okm) = random.expand(&[purpose.as_bytes()], hkdf::HKDF_SHA256)
            && okm.fill(&mut key).is_ok()
        {
            return key;
        }
        unreachable!("HKDF-SHA-256 gives 32 bytes")
    }
}

/// Returns the symbols of the last group.
fn checksum(symbols: &[u8; RANDOM]) -> [u8; CHECK] {
    let mut text = b"boxstep pairing code ".to_vec();
    text.extend_from_slice(symbols);
    let hash = digest::digest(&digest::SHA256, &text);
    let mut check = [0; CHECK];
    for (symbol, byte) in check.iter_mut().zip(hash.as_ref()) {
        *symbol = byte % 32;
    }
    check
}

/// Returns the value of a character of a code; look-alikes count as what they look like.
fn value(c: char) -> Result<u8, CodeError> {
    let plain = match c.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        other => other,
    };
    let at = DIGITS.iter().position(|digit| char::from(*digit) == plain);
    at.and_then(|at| u8::try_from(at).ok()).ok_or(CodeError::Character(c))
}

impl FromStr for PairingCode {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<PairingCode, CodeError> {
        let symbols = text.chars().filter(|c| !c.is_whitespace() && *c != '-').map(value);
        let symbols: Vec<u8> = symbols.collect::<Result<_, _>>()?;
        let length = CodeError::Length(symbols.len());
        let (random, check) = symbols.split_at_checked(RANDOM).ok_or(length)?;
        let random: [u8; RANDOM] = random.try_into().map_err(|_| length)?;
        let check: [u8; CHECK] = check.try_into().map_err(|_| length)?;
        if check == checksum(&random) { Ok(PairingCode(random)) } else { Err(CodeError::Checksum) }
    }
}

impl fmt::Debug for PairingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairingCode(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::{CodeError, DIGITS, PairingCode};

    #[test]
    fn a_code_is_read_as_it_was_written_and_also_as_people_type() {
        for _ in 0..100 {
            let code = PairingCode::create().unwrap();
            let text = code.reveal();
            assert_eq!(text.len(), 29, "{text}");
            assert_eq!(text.parse(), Ok(code.clone()));
            assert_eq!(text.to_uppercase().replace('-', " ").parse(), Ok(code.clone()));
            assert_eq!(text.replace('0', "O").replace('1', "l").replace('-', "").parse(), Ok(code.clone()));
            assert_eq!(format!("{code:?}"), "PairingCode(secret)");
        }
        assert_ne!(PairingCode::create().unwrap(), PairingCode::create().unwrap());
    }

    #[test]
    fn typing_errors_are_told() {
        let text = PairingCode([7; 20]).reveal();
        assert_eq!("7777".parse::<PairingCode>(), Err(CodeError::Length(4)));
        assert_eq!("".parse::<PairingCode>(), Err(CodeError::Length(0)));
        assert_eq!(format!("{text}0").parse::<PairingCode>(), Err(CodeError::Length(25)));
        assert_eq!(text.replacen('7', "u", 1).parse::<PairingCode>(), Err(CodeError::Character('u')));
        assert_eq!(text.replacen('7', "é", 1).parse::<PairingCode>(), Err(CodeError::Character('é')));
        // Every single character that is wrong.
        for at in (0..text.len()).filter(|at| text.as_bytes()[*at] != b'-') {
            for digit in DIGITS.iter().filter(|digit| **digit != text.as_bytes()[at]) {
                let mut wrong = text.clone().into_bytes();
                wrong[at] = *digit;
                let wrong = String::from_utf8(wrong).unwrap();
                assert_eq!(wrong.parse::<PairingCode>(), Err(CodeError::Checksum), "{wrong}");
            }
        }
    }

    #[test]
    fn keys_depend_on_code_and_purpose_alone() {
        let (a, b) = (PairingCode([1; 20]), PairingCode([2; 20]));
        assert_eq!(a.key("x"), a.clone().key("x"));
        assert_ne!(a.key("x"), a.key("y"));
        assert_ne!(a.key("x"), b.key("x"));
        // Programs of other versions must get the same keys, or they would not be of one fleet.
        assert_eq!(a.reveal(), "1111-1111-1111-1111-1111-tck7");
        assert_eq!(a.key("x")[..4], [156, 134, 42, 146]);
    }
}
