//! Numbers and strings: converts Python 2 literals to Python 3 literals with the same meaning.

use std::borrow::Cow;

/// Converts a number: `0777` → `0o777`, `10L` → `10`; `None` if no change is needed.
pub(super) fn number(text: &str) -> Option<Cow<'_, str>> {
    let digits = text.strip_suffix(['l', 'L']).unwrap_or(text);
    let bare = digits.strip_prefix('0').unwrap_or("");
    let octal = !bare.is_empty() && bare.bytes().all(|b| matches!(b, b'0'..=b'7')) && bare.bytes().any(|b| b != b'0');
    if octal {
        Some(Cow::Owned(format!("0o{bare}")))
    } else if digits.len() != text.len() {
        Some(Cow::Borrowed(digits))
    } else {
        None
    }
}

/// Converts a string literal. `prefix` and `quote` are the lengths of its prefix and its opening quote, `unicode` says
/// whether the module has `unicode_literals`. `None` if no change is needed.
///
/// A plain Python 2 literal is bytes: `\u`, `\U` and `\N` have no meaning in it, and an unknown escape stands for
/// itself. With `bytes` set, escapes of bytes beyond ASCII become what `surrogateescape` makes of the bytes.
pub(super) fn string(text: &str, prefix: usize, quote: usize, unicode: bool, bytes: bool) -> Option<String> {
    let kind = text.get(..prefix)?.to_ascii_lowercase();
    let marks = text.get(prefix..prefix + quote)?;
    let body = text.get(prefix + quote..text.len().checked_sub(quote)?)?;
    let unicode = unicode && kind.is_empty() || kind == "u";
    match kind.as_str() {
        "" | "b" | "u" => {
            let doubled = double_unknown(body, unicode);
            let decoded =
                if bytes && kind.is_empty() && !unicode { decode(doubled.as_deref().unwrap_or(body)) } else { None };
            decoded.or(doubled).map(|body| format!("{kind}{marks}{body}{marks}"))
        }
        "ur" if has_unicode_escape(body) => Some(format!("u{marks}{}{marks}", unraw(body))),
        "ur" => Some(format!("r{marks}{body}{marks}")),
        _ => None,
    }
}

fn double_unknown(body: &str, unicode: bool) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    let mut rest = body.match_indices('\\');
    while let Some((at, _)) = rest.next() {
        let known = match body.as_bytes().get(at + 1) {
            Some(b'\\') => {
                rest.next();
                true
            }
            Some(b'u' | b'U' | b'N') => unicode,
            Some(b) => b"\n\r'\"abfnrtvx01234567".contains(b),
            None => true,
        };
        if !known {
            out.push_str(body.get(copied..=at)?);
            out.push('\\');
            copied = at + 1;
        }
    }
    if copied == 0 { None } else { Some(out + body.get(copied..)?) }
}

/// Decodes the bytes that escapes such as `\xc3\xa9` or `\303` stand for: `\u00e9`, or `\udcff` for a byte that is not
/// UTF-8. `None` if there are none.
fn decode(body: &str) -> Option<String> {
    let mut out = String::new();
    let mut bytes = Vec::new();
    let mut rest = body;
    let mut any = false;
    while !rest.is_empty() {
        if let Some((byte, length)) = high_byte(rest) {
            bytes.push(byte);
            any = true;
            rest = rest.get(length..)?;
            continue;
        }
        flush(&mut bytes, &mut out);
        // A backslash, and what it escapes.
        let length = rest.chars().take(1 + usize::from(rest.starts_with('\\'))).map(char::len_utf8).sum();
        out.push_str(rest.get(..length)?);
        rest = rest.get(length..)?;
    }
    flush(&mut bytes, &mut out);
    any.then_some(out)
}

/// Reads an escape of a byte beyond ASCII: the byte, and the length of the escape.
fn high_byte(text: &str) -> Option<(u8, usize)> {
    let escape = text.strip_prefix('\\')?;
    let (digits, radix, before) = match escape.strip_prefix('x') {
        Some(digits) => (digits.get(..2).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?, 16, 2),
        None => {
            let length = escape.bytes().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            (escape.get(..length).filter(|d| !d.is_empty())?, 8, 1)
        }
    };
    let byte = u8::try_from(u32::from_str_radix(digits, radix).ok()? & 0xff).ok()?;
    (byte >= 0x80).then_some((byte, before + digits.len()))
}

fn flush(bytes: &mut Vec<u8>, out: &mut String) {
    for chunk in bytes.utf8_chunks() {
        out.extend(chunk.valid().chars().map(|c| format!("\\U{:08x}", u32::from(c))));
        out.extend(chunk.invalid().iter().map(|byte| format!("\\udc{byte:02x}")));
    }
    bytes.clear();
}

/// Whether a raw Unicode literal has a `\u` that Python 2 interprets even there: after an odd number of backslashes.
fn has_unicode_escape(body: &str) -> bool {
    let mut odd = false;
    body.bytes().any(|b| {
        let escape = odd && matches!(b, b'u' | b'U');
        odd = b == b'\\' && !odd;
        escape
    })
}

/// Converts the body of a raw Unicode literal to that of an ordinary one: doubles every backslash except those of
/// `\u`.
fn unraw(body: &str) -> String {
    let mut out = String::with_capacity(body.len() + 8);
    let mut odd = false;
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            // A quote that was escaped in the raw form also needs a backslash here.
            if odd && matches!(c, '"' | '\'') {
                out.push('\\');
            }
            odd = false;
            out.push(c);
            continue;
        }
        odd = !odd;
        out.push_str(if odd && matches!(chars.peek(), Some('u' | 'U')) { "\\" } else { "\\\\" });
    }
    out
}

/// Expands the tabs of leading white space to multiples of eight columns; a form feed restarts the count.
pub(super) fn indent(space: &str) -> String {
    let mut out = String::with_capacity(space.len() * 4);
    let mut column = 0;
    for c in space.chars() {
        match c {
            '\t' => {
                let width = 8 - column % 8;
                out.extend(std::iter::repeat_n(' ', width));
                column += width;
            }
            '\x0c' => {
                out.push(c);
                column = 0;
            }
            _ => {
                out.push(c);
                column += 1;
            }
        }
    }
    out
}
