//! The ar format: a magic line, then members with headers of 60 bytes. Long names are read both as GNU (`//` and `/12`)
//! and as BSD (`#1/12`) ar programs write them.

use std::fmt;

/// The magic line at the beginning of an ar archive.
pub const MAGIC: &[u8] = b"!<arch>\n";

const HEADER: usize = 60;

/// A file in an ar archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArMember<'a> {
    /// The file's name.
    pub name: String,
    /// The file's bytes.
    pub data: &'a [u8],
}

/// Why an ar archive cannot be read; the field is the offset in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArFault {
    /// The magic line is missing.
    Magic,
    /// The file ends inside a header or a member.
    Cut(usize),
    /// A header does not end as headers do, or its size is not a number.
    Header(usize),
    /// A member's name is not UTF-8, or refers to a long name that does not exist.
    Name(usize),
}

impl fmt::Display for ArFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArFault::Magic => f.write_str("it does not begin with !<arch>"),
            ArFault::Cut(at) => write!(f, "it ends inside the member at byte {at}"),
            ArFault::Header(at) => write!(f, "there is no member's header at byte {at}"),
            ArFault::Name(at) => write!(f, "the member at byte {at} has no readable name"),
        }
    }
}

/// Returns the members in file order.
///
/// # Errors
/// The fault, with the name of the member if it is known.
pub fn members(bytes: &[u8]) -> Result<Vec<ArMember<'_>>, (Option<String>, ArFault)> {
    if !bytes.starts_with(MAGIC) {
        return Err((None, ArFault::Magic));
    }
    let mut members = Vec::new();
    let mut long_names: &[u8] = b"";
    let mut at = MAGIC.len();
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((header, after)) = rest.split_first_chunk::<HEADER>() else {
            return Err((None, ArFault::Cut(at)));
        };
        let (field, end) = header.split_at(HEADER - 2);
        let size = number(&field[48..58]).filter(|_| end == b"`\n").ok_or((None, ArFault::Header(at)))?;
        let short = field[..16].trim_ascii_end();
        let Some(mut data) = after.get(..size) else {
            let name = std::str::from_utf8(short).ok().map(|name| name.trim_end_matches('/').to_owned());
            return Err((name, ArFault::Cut(at)));
        };
        match short {
            b"//" => long_names = data,
            // The symbol table of a library of object files.
            b"/" | b"/SYM64/" => {}
            _ => {
                let name = name(short, long_names, &mut data).ok_or((None, ArFault::Name(at)))?;
                members.push(ArMember { name, data });
            }
        }
        // Members begin at even offsets; the last one may lack its padding.
        at += HEADER + size + size % 2;
    }
    Ok(members)
}

fn name<'a>(short: &'a [u8], long_names: &'a [u8], data: &mut &'a [u8]) -> Option<String> {
    let name = if let Some(length) = short.strip_prefix(b"#1/") {
        let (name, rest) = data.split_at_checked(number(length)?)?;
        *data = rest;
        name.split(|b| *b == 0).next()?
    } else if let Some(offset) = short.strip_prefix(b"/") {
        let name = long_names.get(number(offset)?..)?;
        let name = name.split(|b| *b == b'\n').next()?;
        name.strip_suffix(b"/").unwrap_or(name)
    } else {
        // GNU ends a name with `/`, so that the name itself may end with a space.
        short.strip_suffix(b"/").unwrap_or(short)
    };
    let name = std::str::from_utf8(name).ok()?;
    (!name.is_empty() && !name.contains('\0')).then(|| name.to_owned())
}

/// Parses a decimal number that is padded with spaces on the right.
fn number(field: &[u8]) -> Option<usize> {
    let digits = field.trim_ascii_end();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Writes an ar archive of these members. Names that do not fit into a header are written in the BSD form.
pub fn write(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    for (name, data) in members {
        let plain = name.bytes().all(|b| b.is_ascii_graphic() && b != b'/');
        let long = name.len() > 15 || !plain;
        let (short, extra) =
            if long { (format!("#1/{}", name.len()), name.as_bytes()) } else { ((*name).to_owned(), &b""[..]) };
        let size = extra.len() + data.len();
        let header = format!("{short:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 100_644);
        out.extend(header.as_bytes());
        out.extend(extra);
        out.extend(*data);
        if size % 2 == 1 {
            out.push(b'\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(name: &str, size: usize) -> String {
        format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 1, 2, 3, 644)
    }

    fn named(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
        members(bytes).unwrap().into_iter().map(|m| (m.name, m.data.to_vec())).collect()
    }

    #[test]
    fn what_is_written_reads_back() {
        let long = "a name of more than fifteen bytes.tar.gz";
        let all = [("debian-binary", &b"2.0\n"[..]), (long, b"odd"), ("empty", b""), ("a b/c", b"xy")];
        let bytes = write(&all);
        assert_eq!(named(&bytes), all.map(|(n, d)| (n.to_owned(), d.to_vec())));
        // The padding of the last member may be missing.
        assert_eq!(named(&bytes[..bytes.len() - 1]).len(), 4);
    }

    #[test]
    fn gnu_names_read() {
        let table = "a rather long name.tar.gz/\nanother long name.txt/\n";
        let text = format!(
            "!<arch>\n{}{table}{}xy{}z\n{}",
            header("//", table.len()),
            header("/0", 2),
            header("/27", 1),
            header("short.txt/", 0)
        );
        let names: Vec<_> = named(text.as_bytes()).into_iter().map(|m| m.0).collect();
        assert_eq!(names, ["a rather long name.tar.gz", "another long name.txt", "short.txt"]);
    }

    #[test]
    fn damage_has_its_place() {
        let fault = |bytes: &[u8]| members(bytes).unwrap_err();
        assert_eq!(fault(b"!<arch>"), (None, ArFault::Magic));
        assert_eq!(fault(b"!<arch>\nshort"), (None, ArFault::Cut(8)));
        let cut = format!("!<arch>\n{}x", header("data.tar.gz/", 5));
        assert_eq!(fault(cut.as_bytes()), (Some("data.tar.gz".into()), ArFault::Cut(8)));
        let sizes = format!("!<arch>\n{}", header("a", 0).replace("0         `", "-1        `"));
        assert_eq!(fault(sizes.as_bytes()), (None, ArFault::Header(8)));
        for name in ["/99", "/", "//x", "#1/9", "#1/", ""] {
            let text = format!("!<arch>\n{}ab", header(name, 2));
            // A lone `/` is a symbol table, not a member.
            let expected = if name == "/" { Ok(0) } else { Err((None, ArFault::Name(8))) };
            assert_eq!(members(text.as_bytes()).map(|m| m.len()), expected, "{name}");
        }
    }
}
