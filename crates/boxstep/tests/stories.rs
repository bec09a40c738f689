//! The examples that are characters, as stories: what is done to the robot, and what it does then.

use crate::common::{Temp, has_python, in_order, root, say};
use std::fs;

/// Plays an example for so long with these events; the account.
#[track_caller]
fn tell(name: &str, seconds: &str, events: &[&str], options: &[&str]) -> String {
    let folder = format!("examples/{name}");
    let mut args = vec!["play", &folder, "--virtual-time", "--for", seconds];
    events.iter().for_each(|event| args.extend(["--event", event]));
    args.extend(options);
    say(&args).code(0).out
}

/// The line of an account in which this stands, and its time; of several the first.
#[track_caller]
fn at(account: &str, what: &str) -> f64 {
    let line = account.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("no {what}:\n{account}"));
    line.split_whitespace().next().unwrap().parse().unwrap()
}

// The companion.

#[test]
fn the_companion_does_not_always_do_the_same_when_it_is_idle() {
    let account = tell("companion", "120", &[], &["--scripts", "off"]);
    for one in ["LookAround", "Stretch"] {
        assert!(account.contains(one), "{one}:\n{account}");
    }
    assert!(account.contains("Hm hm hm") || account.contains("La la la"), "{account}");
    // What cools down for 20 s and more does not come often.
    assert!(account.matches("says “Hm").count() + account.matches("says “La").count() <= 6, "{account}");
}

#[test]
fn a_touch_interrupts_what_the_companion_does_idly_and_that_goes_on_afterwards() {
    let account = tell("companion", "20", &["FrontTactilTouched=1@1"], &["--scripts", "off"]);
    assert_eq!(at(&account, "tag Happy"), 1.0);
    let (_, rest) = account.split_once("tag Happy").unwrap();
    let thanked = rest.find("says “T").expect(rest);
    let (during, after) = rest.split_at(thanked);
    assert!(!during.contains("LookAround") && !during.contains("Stretch"), "{account}");
    assert!(after.contains("animation tag") || after.contains("says “"), "{account}");
}

#[test]
fn a_companion_that_has_just_been_stroked_does_not_react_again() {
    let stroke = |t: &'static str| ["FrontTactilTouched=1", t].join("@");
    let events = [stroke("1"), stroke("6"), stroke("14")];
    let account = tell("companion", "20", &events.each_ref().map(String::as_str), &["--scripts", "off"]);
    assert_eq!(account.matches("tag Happy").count(), 2, "{account}");
    assert_eq!(at(account.split_once("tag Happy").unwrap().1, "tag Happy"), 14.0);
}

#[test]
fn a_bump_is_more_important_than_a_stroke_and_not_the_other_way_round() {
    let account = tell("companion", "8", &["FrontTactilTouched=1@1", "LeftBumperPressed=1@2"], &["--scripts", "off"]);
    let reaction = |account: &str| {
        let said = |word: &str| account.contains(&format!("says “{word}"));
        said("Ouch") || said("Careful") || said("please")
    };
    assert!(reaction(&account) && !account.contains("says “Tha"), "{account}");
    let account =
        tell("companion", "8", &["RightBumperPressed=1@2", "FrontTactilTouched=1@2.1"], &["--scripts", "off"]);
    assert!(reaction(&account) && !account.contains("tag Happy"), "{account}");
}

#[test]
fn the_companion_dances_to_the_end_and_has_its_arms_down_then() {
    if !has_python() {
        return;
    }
    let account = tell("companion", "20", &["MiddleTactilTouched=1@2"], &[]);
    in_order(
        &account,
        &["behavior dance started", "says “Watch me dance”", "timeline end", "arms down", "unloaded", "idle"],
    );
}

#[test]
fn a_touch_during_the_dance_is_answered_when_the_arms_are_down() {
    if !has_python() {
        return;
    }
    let account = tell("companion", "20", &["MiddleTactilTouched=1@2", "FrontTactilTouched=1@5"], &[]);
    in_order(&account, &["behavior dance started", "5.000", "cancelled", "arms down", "unloaded", "tag Happy"]);
    // It takes a second to put them down; a tick comes each 0.05 s.
    let (down, happy) = (at(&account, "arms down"), at(&account, "tag Happy"));
    assert!((6.0..6.1).contains(&down) && (down..6.2).contains(&happy), "{account}");
}

#[test]
fn whoever_bumps_into_the_dancing_companion_hears_of_it_when_the_arms_are_down() {
    if !has_python() {
        return;
    }
    let account = tell("companion", "20", &["MiddleTactilTouched=1@2", "RightBumperPressed=1@5"], &[]);
    let said = ["Ouch", "Careful", "please"].map(|word| account.contains(&format!("says “{word}")));
    assert!(said.contains(&true), "{account}");
    in_order(&account, &["behavior dance started", "arms down", "unloaded", "ouch", "says “"]);
}

#[test]
fn a_dance_can_be_ended_by_hand_and_then_it_is_quiet_for_a_while() {
    if !has_python() {
        return;
    }
    let account = tell("companion", "14", &["MiddleTactilTouched=1@2", "RearTactilTouched=1@5"], &[]);
    in_order(&account, &["behavior dance started", "arms down", "says “All right”"]);
    let (_, quiet) = account.split_once("says “All right”").unwrap();
    let next = quiet.lines().find(|line| line.contains("says “") || line.contains("animation tag"));
    let next: f64 = next.unwrap().split_whitespace().next().unwrap().parse().unwrap();
    assert!(next > at(&account, "says “All right”") + 5.0, "{account}");
}

#[test]
fn a_companion_that_nobody_touches_says_so() {
    let lonely = |account: &str| account.contains("says “Is anybody") || account.contains("says “I am bored");
    assert!(lonely(&tell("companion", "25", &[], &["--scripts", "off"])));
    assert!(!lonely(&tell("companion", "25", &["FrontTactilTouched=1@8"], &["--scripts", "off"])));
}

// The museum guide.

#[test]
fn the_guide_waits_until_somebody_comes() {
    let account = tell("guide", "30", &[], &[]);
    assert!(account.contains("LookAround") && !account.contains("Welcome to the museum"), "{account}");
}

#[test]
fn a_tour_leads_to_each_station_in_order_and_ends() {
    let account = tell("guide", "60", &["Visitors=2@3"], &[]);
    let stations = ["says “This vase", "says “This mask", "says “This clock"];
    in_order(
        &account,
        &["3.000", "says “Welcome to the museum”", stations[0], stations[1], stations[2], "says “Thank you"],
    );
    assert!(stations.iter().all(|station| account.matches(station).count() == 1), "{account}");
}

#[test]
fn a_question_interrupts_a_station_which_is_told_anew_and_those_before_it_are_not() {
    let quiet = tell("guide", "60", &["Visitors=2@3"], &[]);
    let asked = at(&quiet, "says “This mask") + 0.3;
    let question = format!("Question=age@{asked:.2}");
    let account = tell("guide", "60", &["Visitors=2@3", &question], &[]);
    in_order(
        &account,
        &["says “This mask", "says “It is two thousand", "says “This mask", "says “This clock", "says “Thank you"],
    );
    assert_eq!(account.matches("says “This vase").count(), 1, "{account}");
    assert!(at(&account, "says “It is two thousand") < asked + 0.2, "{account}");
}

#[test]
fn a_question_during_an_answer_waits_for_its_turn() {
    let events = ["Visitors=2@3", "Question=age@8", "Question=touch@8.3"];
    let account = tell("guide", "60", &events, &[]);
    in_order(&account, &["says “It is two thousand years old”", "says “No, do not touch it”", "says “Thank you"]);
    assert_eq!(account.matches("says “It is two").count(), 1, "{account}");
}

#[test]
fn a_question_that_the_guide_does_not_know_is_passed_on() {
    let account = tell("guide", "60", &["Visitors=1@3", "Question=lunch@8"], &[]);
    in_order(&account, &["says “I do not know", "says “Thank you"]);
}

#[test]
fn visitors_who_leave_end_the_tour_and_the_next_ones_begin_anew() {
    let account = tell("guide", "60", &["Visitors=2@3", "Visitors=0@12", "Visitors=1@20"], &[]);
    in_order(
        &account,
        &["says “This vase", "20.0", "says “Welcome to the museum”", "says “This vase", "says “Thank you"],
    );
    let (_, gone) = account.split_once("12.000").unwrap();
    let (gone, _) = gone.split_once("says “Welcome").unwrap();
    assert!(!gone.contains("says “This"), "{account}");
}

#[test]
fn whoever_has_seen_everything_is_not_welcomed_again_at_once() {
    let account = tell("guide", "120", &["Visitors=2@3"], &[]);
    let ended = at(&account, "says “Thank you");
    let again = at(account.split_once("says “Thank you").unwrap().1, "says “Welcome to the museum”");
    assert!(again >= ended + 30.0, "{account}");
}

// The night watch.

#[test]
fn the_patrol_is_what_the_importer_makes_of_its_tree_with_bindings() {
    let made = Temp::new("yaml");
    say(&["convert", "examples/patrol/tree.xml", made.arg()]).code(0);
    let read = |name: &str| fs::read_to_string(root().join("examples/patrol").join(name)).unwrap();
    let (imported, bound) = (read("imported.yaml"), read("character.yaml"));
    assert_eq!(fs::read_to_string(&made.0).unwrap(), imported);
    // Only what is open has been written by hand.
    let behaviors = |text: &str| {
        let (_, rest) = text.split_once("\nbehaviors:").unwrap();
        rest.split_once("\n# Leaves of the tree").unwrap().0.to_owned()
    };
    assert_eq!(behaviors(&imported), behaviors(&bound));
}

#[test]
fn the_patrol_goes_from_room_to_room_and_home() {
    let account = tell("patrol", "60", &[], &["--must-end"]);
    in_order(&account, &["says “I go to the”", "says “hall”", "says “library”", "says “Home again”"]);
    assert!(!account.contains("Somebody is in"), "{account}");
}

#[test]
fn the_patrol_reports_whom_it_meets() {
    let account = tell("patrol", "60", &["People=1@0.1"], &["--must-end"]);
    in_order(&account, &["says “hall”", "says “Somebody is in the”", "says “library”", "says “Somebody is in the”"]);
}

#[test]
fn a_patrol_whose_battery_gets_low_goes_home_at_once() {
    let account = tell("patrol", "60", &["Battery=10@4"], &["--must-end"]);
    in_order(&account, &["says “hall”", "4.000", "says “Home again”"]);
    assert!(!account.contains("says “library”"), "{account}");
}

#[test]
fn a_patrol_that_does_not_find_its_charger_tries_again_and_then_calls_for_help() {
    let account = tell("patrol", "60", &[], &["--must-end", "--set", "character/ChargerFree=false"]);
    in_order(&account, &["says “Let me in”", "says “Let me in”", "says “I do not find my charger”"]);
    assert_eq!(account.matches("says “Let me in”").count(), 2, "{account}");
}

#[test]
fn the_tree_itself_plays_with_scripted_outcomes_and_says_what_is_open() {
    let said = say(&["play", "examples/patrol/tree.xml", "--virtual-time", "--for", "60", "--must-end"]).code(0);
    assert!(said.err.contains("BS0765") && said.err.contains("tree.xml:18:"), "{}", said.err);
    assert!(said.err.contains("until they are bound (7)"), "{}", said.err);
    // Two rooms of GoTo and LookAround, and Report only if there is nobody: conditions are true. Then Dock.
    assert!(said.out.contains("played 7."), "{}", said.out);
}
