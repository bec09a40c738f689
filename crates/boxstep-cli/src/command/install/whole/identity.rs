//! What of a rescue is not put on another robot, and why.

/// Parts of names of preferences, and what such a preference belongs to. Names are compared without upper case and without
/// what is neither a letter nor a digit.
const OWN: [(&str, &[&str]); 5] = [
    ("the name of the robot", &["robotname", "hostname"]),
    ("its network", &["wifi", "wlan", "ssid", "network", "tether", "proxy", "ethernet", "hotspot"]),
    (
        "an account or a secret",
        &[
            "password",
            "passwd",
            "passphrase",
            "token",
            "secret",
            "credential",
            "account",
            "login",
            "apikey",
            "certificate",
            "privatekey",
            "psk",
        ],
    ),
    ("its calibration", &["calib", "offset"]),
    ("its hardware", &["serial", "macaddr", "headid", "bodyid", "hardware", "deviceid", "robotid", "firmware"]),
];

/// Returns what of a robot itself a preference belongs to, so that another robot keeps its own.
pub(super) fn of_preference(domain: &str, name: &str) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let texts = [plain(domain), plain(name)];
    let has = |words: &&[&str]| words.iter().any(|word| texts.iter().any(|text| text.contains(word)));
    OWN.iter().find(|(_, words)| has(words)).map(|(whose, _)| *whose)
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
        ] {
            assert_eq!(of_preference(domain, name), Some(whose), "{domain} {name}");
        }
        for (domain, name) in [("com.aldebaran.debug", "DisableLifeAndDialog"), ("my.app", "volume"), ("", "")] {
            assert_eq!(of_preference(domain, name), None, "{domain} {name}");
        }
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
