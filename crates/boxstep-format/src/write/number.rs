//! Formatting of numbers as Choregraphe writes them (C's `%g`), but with as many digits as needed to lose nothing.

/// Returns the shortest text that reads back as the same number, with an exponent where `%g` has one; `None` if the
/// number is not finite.
pub(super) fn float(x: f64) -> Option<String> {
    if !x.is_finite() {
        return None;
    }
    let scientific = format!("{x:e}");
    let (digits, exponent) = scientific.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let precision = digits.bytes().filter(u8::is_ascii_digit).count().max(6);
    if x == 0.0 || (-4..precision as i32).contains(&exponent) {
        return Some(format!("{x}"));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    Some(format!("{digits}e{sign}{:02}", exponent.abs()))
}

#[cfg(test)]
mod tests {
    use super::float;

    #[test]
    fn as_the_editor_writes_them() {
        for (x, text) in [
            (0.0, "0"),
            (-5.29, "-5.29"),
            (70.7107, "70.7107"),
            (1e9, "1e+09"),
            (100_000.0, "100000"),
            (1_234_567.0, "1234567"),
            (0.0001, "0.0001"),
            (2.98023e-8, "2.98023e-08"),
            (1e300, "1e+300"),
        ] {
            assert_eq!(float(x).unwrap(), text);
            assert_eq!(text.parse::<f64>().unwrap(), x);
        }
        assert_eq!(float(f64::NAN), None);
    }
}
