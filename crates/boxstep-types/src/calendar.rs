//! Conversion between seconds since 1970 and dates such as `2020-01-01T00:00:00Z`, for trace headers and `--epoch`.

const DAY: i64 = 86_400;

/// Parses a number of seconds since 1970, `YYYY-MM-DDTHH:MM:SSZ` or `YYYY-MM-DD` into seconds since 1970.
///
/// # Errors
/// A message for the user if the text has none of these forms.
pub fn parse_epoch(text: &str) -> Result<i64, String> {
    text.parse::<i64>()
        .ok()
        .filter(|s| s.abs() < 1 << 40)
        .or_else(|| date(text))
        .ok_or_else(|| format!("`{text}` is neither a number of seconds nor a time like 2020-01-01T00:00:00Z"))
}

fn date(text: &str) -> Option<i64> {
    let (day, clock) = match text.split_once('T') {
        Some((day, clock)) => (day, clock.strip_suffix('Z')?),
        None => (text, "00:00:00"),
    };
    let [y, m, d] = numbers(day, '-')?;
    let [h, min, s] = numbers(clock, ':')?;
    if !(1..=9999).contains(&y) || !(0..24).contains(&h) || !(0..60).contains(&min) || !(0..60).contains(&s) {
        return None;
    }
    let days = days_from_civil(y, m, d);
    // The 31st of February would be counted as a day of March; the conversion back shows that.
    (civil_from_days(days) == (y, m, d)).then_some(days * DAY + h * 3600 + min * 60 + s)
}

fn numbers(text: &str, separator: char) -> Option<[i64; 3]> {
    let parts: Vec<i64> = text
        .split(separator)
        .map(|p| p.bytes().all(|b| b.is_ascii_digit()).then(|| p.parse().ok()).flatten())
        .collect::<Option<_>>()?;
    parts.try_into().ok()
}

/// Formats seconds since 1970 as `2020-01-01T00:00:00Z`.
pub fn rfc3339(seconds: i64) -> String {
    let (y, m, d) = civil_from_days(seconds.div_euclid(DAY));
    let s = seconds.rem_euclid(DAY);
    format!("{y:04}-{m:02}-{d:02}T{:02}:{:02}:{:02}Z", s / 3600, s / 60 % 60, s % 60)
}

/// Returns the days from 1970-01-01 to a day of the Gregorian calendar. Years begin in March, so that a leap day is the
/// last of its year.
fn days_from_civil(y: i64, m: i64, d: i64) -> i64 {
    let (y, m) = if m > 2 { (y, m - 3) } else { (y - 1, m + 9) };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * m + 2) / 5 + d - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * day_of_year + 2) / 153;
    let d = day_of_year - (153 * m + 2) / 5 + 1;
    let (y, m) = if m < 10 { (era * 400 + year_of_era, m + 3) } else { (era * 400 + year_of_era + 1, m - 9) };
    (y, m, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        assert_eq!(parse_epoch("2020-01-01T00:00:00Z"), Ok(1_577_836_800));
        assert_eq!(parse_epoch("2000-02-29"), Ok(951_782_400));
        assert_eq!(parse_epoch("-5"), Ok(-5));
        assert_eq!(rfc3339(1_582_979_696), "2020-02-29T12:34:56Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59Z");
        for bad in ["2021-02-29", "2020-13-01", "2020-01-01T24:00:00Z", "2020-01-01T00:00:00", "x", "20-1", ""] {
            assert!(parse_epoch(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_day_comes_back() {
        for days in -1_000_000..1_000_000 {
            let (y, m, d) = civil_from_days(days);
            assert_eq!(days_from_civil(y, m, d), days, "{y}-{m}-{d}");
        }
    }
}
