//! What of a rescue is not put on another robot, and why.

use boxstep_types::Value;

/// Words in the names of preferences, and what such a preference belongs to. A name has them as words of its own, next to each
/// other, `RobotName`, `robot_name` or `robotname`; those that begin with `*` are found within words, too, as no other word
/// has them.
const OWN: [(&str, &[&str]); 5] = [
    ("the name of the robot", &["*robotname", "*hostname"]),
    (
        "its network",
        &[
            "*wifi",
            "*wlan",
            "ssid",
            "bssid",
            "network",
            "tether",
            "tethering",
            "proxy",
            "ethernet",
            "*hotspot",
            "vpn",
            "dhcp",
        ],
    ),
    (
        "an account or a secret",
        &[
            "*password",
            "*passwd",
            "*passphrase",
            "*passcode",
            "pass",
            "pwd",
            "pin",
            "psk",
            "*token",
            "*secret",
            "*credential",
            "auth",
            "oauth",
            "*authori",
            "*authent",
            "*account",
            "*username",
            "user",
            "login",
            "*email",
            "mail",
            "key",
            "keys",
            "*apikey",
            "*privatekey",
            "*accesskey",
            "*certificate",
            "cert",
            "cookie",
            "jwt",
        ],
    ),
    ("its calibration", &["*calib", "offset", "offsets"]),
    (
        "its hardware",
        &["serial", "*serialnumber", "*macaddr", "headid", "bodyid", "*hardware", "deviceid", "robotid", "*firmware"],
    ),
];

/// How deep values are looked into.
const DEPTH: usize = 8;

/// Returns what of a robot itself a preference belongs to, so that another robot keeps its own. The names of what its value has
/// are looked at, too, also of one that is JSON.
pub(super) fn of_preference(domain: &str, name: &str, value: &Value) -> Option<&'static str> {
    let names = [words(domain), words(name)].concat();
    of_words(&names).or_else(|| of_value(&names, value, DEPTH))
}

fn of_value(names: &[String], value: &Value, depth: usize) -> Option<&'static str> {
    // What cannot be judged is not given away.
    let Some(depth) = depth.checked_sub(1) else { return Some("what is nested too deep to be looked into") };
    if let Some(text) = value.as_str() {
        if has_secret(text) {
            return Some("an account or a secret");
        }
        let is_json = text.trim_start().starts_with(['{', '[']);
        let read = is_json.then(|| boxstep_types::value_from_json(text).ok()).flatten()?;
        return of_value(names, &read, depth);
    }
    if let Some(pairs) = value.as_map() {
        return pairs.iter().find_map(|(key, value)| {
            let names = [names, &words(key.as_str().unwrap_or_default())].concat();
            of_words(&names).or_else(|| of_value(&names, value, depth))
        });
    }
    value.as_list().into_iter().flatten().find_map(|value| of_value(names, value, depth))
}

/// Returns whether a text is a key, or an address with a password.
fn has_secret(text: &str) -> bool {
    let address = text.split("://").skip(1).filter_map(|rest| rest.split(['/', '?', ' ']).next());
    let mut before_at = address.filter_map(|host| host.rsplit_once('@'));
    text.contains("-----BEGIN ") || before_at.any(|(user, _)| user.contains(':'))
}

fn of_words(words: &[String]) -> Option<&'static str> {
    let is_in = |wanted: &&str| match wanted.strip_prefix('*') {
        Some(part) => words.iter().any(|word| word.contains(part)) || is_run(words, part),
        None => is_run(words, wanted),
    };
    OWN.iter().find(|(_, all)| all.iter().any(&is_in)).map(|(whose, _)| *whose)
}

/// Returns whether words that follow each other are together the one that is wanted.
fn is_run(words: &[String], wanted: &str) -> bool {
    (0..words.len()).any(|from| {
        let rest = words[from..].iter().try_fold(wanted, |rest, word| match rest {
            "" => Err(true),
            rest => rest.strip_prefix(word.as_str()).ok_or(false),
        });
        matches!(rest, Ok("") | Err(true))
    })
}

/// Returns the words of a name, in lower case: they end where letters do, and before upper case that follows lower case.
fn words(name: &str) -> Vec<String> {
    let (mut words, mut word, mut is_lower) = (Vec::new(), String::new(), false);
    for c in name.chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && is_lower) {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        is_lower = c.is_lowercase();
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// Returns why a file of the home is not put back, by its path there.
pub(super) fn of_home(path: &[u8]) -> Option<&'static str> {
    let first = path.split(|byte| *byte == b'/').next().unwrap_or_default();
    match first {
        b"naoqi" => Some("it belongs to the version of NAOqi that was there"),
        _ if first.starts_with(b".") => Some("hidden files are settings, keys and passwords of the old robot"),
        _ => None,
    }
}

/// Folders of a rescue that are not put back, and why.
pub(super) const FOLDERS: [(&str, &str); 5] = [
    (
        "preferences",
        "files that NAOqi reads when it starts, calibration among them; ask ALPreferenceManager for values",
    ),
    ("config", "settings, keys and identity of the old robot"),
    ("logs", "what the old robot wrote down"),
    ("logs-persistent", "what the old robot wrote down"),
    ("system-settings", "settings of the old robot's system"),
];

/// What is never put back.
pub(super) const NEVER: [(&str, &str); 3] = [
    ("name, Wi-Fi, passwords, keys, calibration, ids of hardware", "the new robot keeps its own"),
    ("robot/memory.json", "what the robot measured; memory ends with NAOqi, and programs write their own again"),
    ("learned faces and objects", "no documented call takes them"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_robot_is_stays_its_own() {
        for (domain, name, whose) in [
            ("com.aldebaran.system", "RobotName", "the name of the robot"),
            ("com.aldebaran.WiFi", "country", "its network"),
            ("my.app", "api_key", "an account or a secret"),
            ("head", "Camera_Calibration", "its calibration"),
            ("com.x", "Head-ID", "its hardware"),
            ("my.cloud", "pwd", "an account or a secret"),
            ("my.app", "smtp_pass", "an account or a secret"),
            ("my.app", "auth", "an account or a secret"),
            ("com.aldebaran.robot", "name", "the name of the robot"),
            ("my.app", "wifipassword", "its network"),
        ] {
            assert_eq!(of_preference(domain, name, &Value::from("x")), Some(whose), "{domain} {name}");
        }
        for (domain, name) in [
            ("com.aldebaran.debug", "DisableLifeAndDialog"),
            ("my.app", "volume"),
            ("", ""),
            ("school", "classid"),
            ("my.app", "author_name"),
            ("my.app", "bypass"),
            ("my.app", "keyboard"),
        ] {
            assert_eq!(of_preference(domain, name, &Value::from("x")), None, "{domain} {name}");
        }
    }

    #[test]
    fn values_are_looked_into() {
        let deep = (0..DEPTH).fold(Value::from("x"), |value, _| Value::list(vec![value]));
        assert!(of_preference("my.app", "a", &deep).is_some());
        for (value, whose) in [
            (r#"{"volume": 3, "wifi": {"password": "x"}}"#, "its network"),
            (r#"[{"robot": {"name": "Nao17"}}]"#, "the name of the robot"),
            (r#"{"inner": "{\"smtp_pass\": \"x\"}"}"#, "an account or a secret"),
            ("https://me:word@example.org/x", "an account or a secret"),
            ("-----BEGIN RSA PRIVATE KEY-----", "an account or a secret"),
        ] {
            assert_eq!(of_preference("my.app", "settings", &Value::from(value)), Some(whose), "{value}");
            if let Ok(read) = boxstep_types::value_from_json(value) {
                assert_eq!(of_preference("my.app", "settings", &read), Some(whose), "{value}");
            }
        }
        for value in [r#"{"volume": 3, "class": {"id": 1}}"#, "https://example.org/a@b:c", "{not json"] {
            assert_eq!(of_preference("my.app", "settings", &Value::from(value)), None, "{value}");
        }
    }

    #[test]
    fn hidden_files_of_the_home_stay_here() {
        for (path, is_put) in [
            (&b"mine.py"[..], true),
            (b"tools/.git/config", true),
            (b".ssh/authorized_keys", false),
            (b"naoqi/lib/x.so", false),
        ] {
            assert_eq!(of_home(path).is_none(), is_put);
        }
    }
}
