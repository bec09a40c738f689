//! `boxstep keep`: reports of several days, whose times are arguments.

use crate::common::{Said, boxstep};
use crate::support::{Robot, Table};
use boxstep_qi::Value;
use serde_json::Value as Json;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SERVICES: Table = &[
    ("ALSystem", &["systemVersion::()->s", "robotName::()->s", "diskFree::(b)->m"]),
    ("ALMotion", &["getBodyNames::(s)->m"]),
    ("ALBattery", &["getBatteryCharge::()->i"]),
    ("ALMemory", &["getData::(s)->m", "getListData::(m)->m"]),
    ("ALTextToSpeech", &["getAvailableLanguages::()->[s]"]),
    ("PackageManager", &["packages::()->m"]),
];

fn packages(list: &[(&str, &str)]) -> Value {
    let one = |(name, version): &(&str, &str)| {
        Value::map([("uuid", *name), ("version", *version)].map(|(key, text)| (key.into(), text.into())))
    };
    Value::list(list.iter().map(one))
}

fn free(robot: &Robot, free: i64) {
    let fields = vec!["/dev/sda3".into(), "/home".into(), 1_000_000_000_i64.into(), free.into()];
    robot.says("ALSystem.diskFree", Value::list([Value::tuple(fields)]));
}

fn warm(robot: &Robot, degrees: f64) {
    for joint in ["HeadYaw", "HeadPitch", "LKneePitch"] {
        robot.remembers(&format!("Device/SubDeviceList/{joint}/Temperature/Sensor/Value"), degrees);
    }
}

fn ada() -> Robot {
    let robot = Robot::with(SERVICES);
    robot.says("ALSystem.robotName", "Ada <b>");
    robot.says("PackageManager.packages", packages(&[("dance", "1.0"), ("tales", "2.0")]));
    free(&robot, 400_000_000);
    warm(&robot, 40.0);
    robot
}

/// A folder of reports.
struct Reports(TempDir);

impl Reports {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn keep(&self, robots: &[&str], day: &str) -> Said {
        let mut command = boxstep(&["keep", "--at", &format!("{day}T17:30:00Z")]);
        for robot in robots {
            command.args(["--robot", robot]);
        }
        command.arg(self.0.path());
        Said::from(command.output().unwrap()).code(0)
    }

    fn file(&self, robot: &str) -> PathBuf {
        self.0.path().join(format!("{}.jsonl", robot.replace(':', "%3A")))
    }

    fn days(&self, robot: &str) -> Vec<Json> {
        let text = fs::read_to_string(self.file(robot)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn page(&self) -> String {
        fs::read_to_string(self.0.path().join("index.html")).unwrap()
    }
}

/// An address where nothing listens.
fn nowhere() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[test]
fn each_day_is_a_line_and_what_has_changed_is_told() {
    let (robot, reports) = (ada(), Reports::new());
    let address = robot.address();
    let first = reports.keep(&[&address], "2026-11-26");
    let summary = "87 %, warmest motor 40 °C (LKneePitch), disk 60 % full, NAOqi 2.5.7.1";
    assert!(first.out.starts_with(&format!("{address}: {summary}\n  nothing needs care\n")), "{}", first.out);
    assert!(first.out.ends_with("index.html\n") && !first.out.contains("changed"), "{}", first.out);
    robot.says("ALSystem.systemVersion", "2.8.7.4");
    robot.says("PackageManager.packages", packages(&[("dance", "1.1"), ("quiz", "1")]));
    robot.says("ALTextToSpeech.getAvailableLanguages", Value::list([Value::from("English")]));
    robot.remembers("Device/SubDeviceList/LKneePitch/Temperature/Sensor/Status", 3);
    free(&robot, 300_000_000);
    let second = reports.keep(&[&address], "2026-11-27");
    for news in [
        "  broken: motors: too hot: LKneePitch 40 °C",
        "  changed: NAOqi was 2.5.7.1 and is 2.8.7.4",
        "  changed: packages came: quiz",
        "  changed: packages went: tales",
        "  changed: packages have another version: dance 1.0 → 1.1",
        "  changed: it does not speak any more: French",
        "  changed: motors: broken now, too hot: LKneePitch 40 °C",
        "  changed: the disk fills up: 70 % now, 60 % yesterday; full in about 3 days if it goes on",
        "  1 broken (motors)",
    ] {
        assert!(
            second.out.contains(&format!("{news}\n")) || second.out.contains(&format!("{news} (")),
            "{news}\n{}",
            second.out
        );
    }
    let days = reports.days(&address);
    assert_eq!(days.iter().map(|day| day["day"].as_str().unwrap()).collect::<Vec<_>>(), ["2026-11-26", "2026-11-27"]);
    assert_eq!((&days[1]["naoqi"], &days[1]["packages"]["quiz"]), (&"2.8.7.4".into(), &"1".into()));
    let page = reports.page();
    for part in
        ["(Ada &lt;b&gt;)", "What has changed", "packages came: quiz", "<polyline", "prefers-color-scheme: dark"]
    {
        assert!(page.contains(part), "{part}\n{page}");
    }
    for outside in ["http://", "https://", "<script", "src="] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(robot.commands(), [""; 0]);
}

#[test]
fn a_robot_that_is_off_is_a_line_and_the_others_are_asked() {
    let (robot, reports) = (ada(), Reports::new());
    let (address, off) = (robot.address(), nowhere());
    // Named twice, it is asked once.
    let said = reports.keep(&[&off, &address, &address], "2026-11-26");
    assert!(said.out.contains(&format!("{off}: off (nothing listens at")), "{}", said.out);
    assert_eq!(said.out.matches("warmest motor").count(), 1, "{}", said.out);
    assert!(reports.days(&off)[0]["off"].as_str().unwrap().contains("nothing listens"));
    // The same day once more is no other line; and who goes home in the evening does not lose what was said.
    reports.keep(&[&address], "2026-11-26");
    robot.vanishes();
    let said = reports.keep(&[&address], "2026-11-26");
    assert!(said.out.contains("off ("), "{}", said.out);
    let days = reports.days(&address);
    assert!(days.len() == 1 && days[0]["off"].is_null(), "{days:?}");
    let said = reports.keep(&[&address], "2026-11-27");
    assert!(said.out.contains("changed: it was there last on 2026-11-26"), "{}", said.out);
    let page = reports.page();
    assert!(
        page.contains(">off<") && page.contains("2 robots, 0 with something broken, 0 to look at, 2 off"),
        "{page}"
    );
}

#[test]
fn a_motor_that_gets_warmer_and_a_weaker_battery_are_told_from_week_to_week() {
    let (robot, reports) = (ada(), Reports::new());
    let address = robot.address();
    let line = |day: u32, degrees: f64, charge: u32| {
        let temperatures = format!("{{\"HeadYaw\":{degrees},\"HeadPitch\":40.0}}");
        format!(
            "{{\"day\":\"2026-11-{day:02}\",\"robot\":\"{address}\",\"charge\":{charge},\"temperatures\":{temperatures}}}\n"
        )
    };
    let before: String =
        (14..=20).map(|day| line(day, 33.0, 95)).chain((21..=26).map(|day| line(day, 41.0, 70))).collect();
    fs::write(reports.file(&address), before).unwrap();
    let said = reports.keep(&[&address], "2026-11-27");
    assert!(said.out.contains("changed: HeadYaw gets warmer: 41 °C this week, 33 °C the week before"), "{}", said.out);
    assert!(
        said.out.contains("less charge at the time of the report: 72 % this week, 95 % the week before"),
        "{}",
        said.out
    );
    assert!(!said.out.contains("HeadPitch gets"), "{}", said.out);
}

#[test]
fn strange_files_and_answers_break_nothing() {
    let (robot, reports) = (ada(), Reports::new());
    let address = robot.address();
    let strange = "no JSON\n{\"day\":\"2026-99-99\"}\n[1]\n\u{0}\n\
        {\"day\":\"2026-11-20\",\"temperatures\":{\"<script>\":1e308},\"charge\":-9223372036854775808,\"disk\":[0,18446744073709551615],\
        \"health\":[{\"about\":\"<img src=x>\",\"severity\":\"<b>\",\"value\":\"\\u001b[2J\"}]}\n";
    let before = [strange.as_bytes(), b"caf\xe9\r\n\n\xff"].concat();
    fs::write(reports.file(&address), &before).unwrap();
    fs::write(reports.0.path().join("other.jsonl"), "").unwrap();
    robot.says("ALSystem.systemVersion", "<script>\u{1b}[2J");
    robot.says("PackageManager.packages", packages(&[("\u{202e}<script>", "1")]));
    let said = reports.keep(&[&address], "2026-11-27");
    assert!(said.out.contains("<script>\\u{1b}[2J") && !said.out.contains('\u{1b}'), "{}", said.out);
    let kept = fs::read(reports.file(&address)).unwrap();
    let (same, new) = kept.split_at(before.len());
    assert!(same == before && new.starts_with(b"\n{\"day\":\"2026-11-27\""), "{}", kept.escape_ascii());
    let page = reports.page();
    assert!(
        !page.contains("<script") && !page.contains("<img") && !page.contains('\u{1b}') && !page.contains("NaN"),
        "{page}"
    );
}

#[test]
fn bad_usage_is_told() {
    let empty = tempfile::tempdir().unwrap();
    let ask = |args: &[&str], code| {
        let mut command = boxstep(&["keep"]);
        Said::from(command.args(args).current_dir(empty.path()).output().unwrap()).code(code).err
    };
    assert!(ask(&["reports"], 2).contains("no robot is named"));
    assert!(ask(&["reports", "--robot", "http://nao.local"], 2).contains("neither with tcp://"));
    fs::write(empty.path().join("file"), "").unwrap();
    assert!(ask(&["file", "--robot", &nowhere()], 2).contains("file"));
    assert!(!Path::new(&empty.path().join("reports")).exists());
}

#[test]
fn what_one_robot_has_said_is_kept_whatever_becomes_of_the_rest() {
    let (robot, reports) = (ada(), Reports::new());
    let (address, other) = (robot.address(), nowhere());
    fs::create_dir(reports.file(&other)).unwrap();
    let keep = |day: &str, out: std::process::Stdio| {
        let mut command = boxstep(&["keep", "--at", day, "--robot", &other, "--robot", &address]);
        Said::from(command.arg(reports.0.path()).stdout(out).output().unwrap())
    };
    let said = keep("2026-11-26", std::process::Stdio::piped());
    assert!(
        said.code == Some(2) && said.err.contains(".jsonl") && said.out.contains("warmest motor"),
        "{} {}",
        said.out,
        said.err
    );
    assert_eq!(reports.days(&address).len(), 1);
    assert!(reports.page().contains("2026-11-26"));
    if cfg!(target_os = "linux") {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        assert_ne!(keep("2026-11-27", full.into()).code, Some(0));
        assert_eq!(reports.days(&address).len(), 2);
    }
}

#[test]
fn a_robot_that_says_less_later_on_the_same_day_keeps_what_it_said() {
    let (robot, reports) = (ada(), Reports::new());
    let address = robot.address();
    reports.keep(&[&address], "2026-11-26");
    let first = reports.days(&address);
    robot.says("ALSystem.systemVersion", "2.5.7.2");
    robot.says("PackageManager.packages", Value::from("restarting"));
    robot.says("ALSystem.diskFree", Value::list([]));
    robot.remembers("Device/SubDeviceList/HeadYaw/Temperature/Sensor/Value", "?");
    reports.keep(&[&address], "2026-11-26");
    let second = reports.days(&address);
    assert_eq!((second.len(), &second[0]["naoqi"]), (1, &"2.5.7.2".into()));
    for field in ["packages", "disk", "charge", "languages"] {
        assert_eq!(second[0][field], first[0][field], "{field}");
    }
    // What went in the meantime is told on the next day that has the subject.
    robot.says("ALSystem.systemVersion", Value::from(1));
    reports.keep(&[&address], "2026-11-27");
    robot.says("PackageManager.packages", packages(&[("dance", "1.0")]));
    let said = reports.keep(&[&address], "2026-11-28");
    assert!(said.out.contains("changed: packages went: tales"), "{}", said.out);
}

#[test]
fn another_page_in_the_folder_is_not_replaced() {
    let (robot, reports) = (ada(), Reports::new());
    let page = reports.0.path().join("index.html");
    fs::write(&page, "my home").unwrap();
    let output = boxstep(&["keep", "--robot", &robot.address()]).arg(reports.0.path()).output().unwrap();
    let said = Said::from(output).code(2);
    assert!(said.err.contains("is not a page of keep"), "{}", said.err);
    assert_eq!(fs::read_to_string(&page).unwrap(), "my home");
}
