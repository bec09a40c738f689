//! Names of files here for names of any bytes there.

use boxstep_types::digest::Digest;
use std::fmt::Write as _;
use unicode_normalization::UnicodeNormalization as _;

/// The longest name of a file here, in bytes. File systems take 255; what programs add to it needs some room.
const LONGEST: usize = 230;

/// The names that Windows keeps for devices, whatever follows them after a dot.
const DEVICES: [&str; 22] = [
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "LPT1", "LPT2",
    "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
];

/// Returns a name as text from which its bytes can be read again: bytes that are not UTF-8, control characters and `%`
/// are written `%XX`, as in a URL.
pub fn text(name: &[u8]) -> String {
    written(name, |c| c == '%' || c.is_control())
}

/// Returns the name of a file here: like [`text`], and what Windows does not take is written so, too, and the dot at the
/// beginning of a name, as programs of this computer run or obey files such as `.git/config` and `.envrc`. Names that are
/// too long end in a part of their SHA-256 after `%~`.
pub fn local(name: &[u8]) -> String {
    let mut local = written(name, |c| c.is_control() || r#"%<>:"/\|?*"#.contains(c) || is_order(c));
    let stem = local.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    if DEVICES.contains(&stem.as_str()) {
        local = format!("%{:02X}{}", local.as_bytes()[0], &local[1..]);
    }
    if local.starts_with('.') {
        local.replace_range(..1, "%2E");
    }
    if local.ends_with(['.', ' ']) {
        let last = local.pop().unwrap_or('.');
        let _ = write!(local, "%{:02X}", u32::from(last));
    }
    if local.len() <= LONGEST {
        return local;
    }
    cut(&local, name)
}

/// Returns the name of a file whose name another one has here, which differs in upper and lower case only, or in how its
/// accents are written: with a part of the SHA-256 of its path after `%~`.
pub fn another(local: &str, path: &[u8]) -> String {
    cut(local, path)
}

/// Returns what names have in common that are one on some systems.
pub fn key(path: &str) -> String {
    path.nfc().collect::<String>().to_lowercase()
}

fn cut(local: &str, of: &[u8]) -> String {
    let digest = Digest::of(of).to_string();
    let most = local.len().min(LONGEST - 18);
    let end = (0..=most).rev().find(|at| local.is_char_boundary(*at)).unwrap_or(0);
    format!("{}%~{}", &local[..end], &digest[..16])
}

/// Characters that change the direction of a text, and make a name look like another.
fn is_order(c: char) -> bool {
    boxstep_types::is_order(c)
}

fn written(name: &[u8], escapes: impl Fn(char) -> bool) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            if escapes(c) {
                let mut bytes = [0; 4];
                escape(&mut text, c.encode_utf8(&mut bytes).as_bytes());
            } else {
                text.push(c);
            }
        }
        escape(&mut text, chunk.invalid());
    }
    text
}

fn escape(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(text, "%{byte:02X}");
    }
}

/// Returns the bytes of a name that [`text`] or [`local`] has written, unless it was cut.
pub fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(escaped) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(escaped);
            rest = &after[2..];
        } else {
            bytes.push(*byte);
            rest = after;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_bytes_get_one_that_every_system_takes_and_can_be_read_back() {
        for (name, expected) in [
            (&b"behavior.xar"[..], "behavior.xar"),
            ("été.xar".as_bytes(), "été.xar"),
            (b"\xe9t\xe9.xar", "%E9t%E9.xar"),
            (b"a:b?.wav", "a%3Ab%3F.wav"),
            (b"100%", "100%25"),
            (b"tab\there", "tab%09here"),
            (b"con", "%63on"),
            (b"CON.txt", "%43ON.txt"),
            (b"console", "console"),
            (b"end. ", "end.%20"),
            (b"..", "%2E%2E"),
            (b".envrc", "%2Eenvrc"),
            ("\u{202e}gpj.exe".as_bytes(), "%E2%80%AEgpj.exe"),
        ] {
            assert_eq!(local(name), expected);
            assert_eq!(bytes(&local(name)), name);
            assert_eq!(bytes(&text(name)), name);
        }
    }

    #[test]
    fn long_names_are_cut_and_stay_different() {
        let (one, other) = ([&[b'\xff'; 200][..], b"1"].concat(), [&[b'\xff'; 200][..], b"2"].concat());
        assert!(local(&one).len() <= LONGEST && local(&one) != local(&other));
        assert_eq!(bytes(&text(&one)), one);
    }

    #[test]
    fn names_that_differ_in_case_only_get_others() {
        for names in [["README", "readme"], ["Noël", "noël"], ["音A", "音a"], ["É", "é"], ["e\u{301}", "é"]] {
            let [one, other] = names.map(|name| local(name.as_bytes()));
            assert_eq!(key(&one), key(&other));
            assert_ne!(key(&one), key(&another(&other, b"/home/nao/other")));
        }
    }
}
