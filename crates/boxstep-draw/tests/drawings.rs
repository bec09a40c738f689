//! Every form of two small behaviors, kept in `tests/golden`; and what must be in them.
#![allow(clippy::unwrap_used)]

mod common;

use boxstep_draw::plot::{Plot, PlotError};
use boxstep_draw::{Level, LevelError, dot, json, legend, mermaid, page, svg};
use common::{fixture, golden, nao, well_formed};

#[test]
fn every_form_is_as_it_was() {
    for name in ["flow", "dance"] {
        let file = fixture(&format!("{name}.xar"));
        let level = Level::root(&file.project);
        golden(&format!("{name}.svg"), &svg(&level, nao()));
        golden(&format!("{name}.html"), &page(name, &file.project, &level, nao()));
        golden(&format!("{name}.dot"), &dot(&level));
        golden(&format!("{name}.mmd"), &mermaid(&level));
        golden(&format!("{name}.json"), &json(name, &file.project));
    }
    let dance = fixture("dance.xar");
    let plot = Plot::new(&dance.project, &Level::root(&dance.project), nao(), &[]).unwrap();
    golden("dance-plot.svg", &plot.svg("dance"));
    golden("dance-plot.html", &plot.html("dance"));
    golden("dance-plot.txt", &plot.text(100));
    golden("dance-timeline.svg", &svg(&Level::find(&dance.project, "root/Dance").unwrap(), nao()));
}

#[test]
fn drawings_are_well_formed_and_say_in_words_what_they_show() {
    let file = fixture("flow.xar");
    let drawing = svg(&Level::root(&file.project), nao());
    well_formed(&drawing);
    let texts = quick_xml::escape::unescape(&drawing).unwrap();
    for words in [
        "Ask \"who\" & <why>",
        "input onStart (start, bang)",
        "input Touched (memory FrontTactilTouched, dynamic)",
        "Ask \"who\" & <why>.answer → Answer.text",
        "parameter Volume (%) = 50 (int, 0 to 100)",
        "1 broken link",
    ] {
        assert!(texts.contains(words), "{words} is not in {texts}");
    }
    well_formed(&legend());
}

#[test]
fn a_page_fetches_nothing_and_runs_nothing() {
    let file = fixture("flow.xar");
    let page = page("flow", &file.project, &Level::root(&file.project), nao());
    well_formed(&page);
    assert!(page.contains("default-src &#39;none&#39;"));
    for word in ["<script", "<link", "<img", "src=", "@import", "url(", "http:", "https:"] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("@media print"));
    // Each link leads to something on the page.
    for target in page.split("href=\"#").skip(1).map(|r| r.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
}

#[test]
fn what_the_editor_hides_is_in_no_form() {
    let file = fixture("flow.xar");
    let level = Level::root(&file.project);
    let all = [
        svg(&level, nao()),
        page("flow", &file.project, &level, nao()),
        json("flow", &file.project),
        boxstep_draw::tree(&file.project),
    ];
    assert!(
        all.iter().all(|text| !text.contains("hidden\"") && !text.contains(">hidden<") && !text.contains("= hidden"))
    );
}

#[test]
fn a_level_is_named_by_its_path() {
    let flow = fixture("flow.xar");
    let inner = svg(&Level::find(&flow.project, "root/Answer").unwrap(), nao());
    assert!(inner.contains(">Say</text>") && !inner.contains("Ask"));
    // A box without an inside is drawn as its parent shows it.
    let leaf = svg(&Level::find(&flow.project, "root/Answer/Say").unwrap(), nao());
    assert!(leaf.contains(">Say</text>") && leaf.contains("onStopped"));
    let dance = fixture("dance.xar");
    let one = dot(&Level::find(&dance.project, "root/Dance/@words:later").unwrap());
    assert!(one.contains("words: later (40)") && !one.contains("words: start (1)"), "{one}");
    assert!(matches!(Level::find(&flow.project, "root/Nobody"), Err(LevelError::Find(_))));
    assert!(matches!(Level::find(&flow.project, "root//x"), Err(LevelError::Path(_))));
}

#[test]
fn joints_are_chosen_by_name_or_chain() {
    let dance = fixture("dance.xar");
    let plot = |joints: &[&str]| {
        let joints: Vec<String> = joints.iter().map(|j| (*j).to_owned()).collect();
        Plot::new(&dance.project, &Level::root(&dance.project), nao(), &joints)
    };
    assert_eq!(plot(&[]).unwrap().len(), 2);
    assert_eq!(plot(&["HeadYaw"]).unwrap().len(), 1);
    assert_eq!(plot(&["Head"]).unwrap().len(), 1);
    let known = vec!["HeadYaw".to_owned(), "LHand".to_owned()];
    assert_eq!(plot(&["LKneePitch"]).err(), Some(PlotError::NoJoint("LKneePitch".to_owned(), known)));
    let flow = fixture("flow.xar");
    assert!(matches!(
        Plot::new(&flow.project, &Level::root(&flow.project), nao(), &[]).err(),
        Some(PlotError::NoCurves(_))
    ));
}

#[test]
fn a_curve_beyond_the_limits_says_by_how_much() {
    let curve = |keys: &str, joint: &str| {
        let xar = format!(
            r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="1"><ActuatorList model="nao">
            <ActuatorCurve name="value" actuator="{joint}" mute="0" unit="0">{keys}</ActuatorCurve></ActuatorList></Timeline></Box></ChoregrapheProject>"#
        );
        let file = common::read(&xar);
        Plot::new(&file.project, &Level::root(&file.project), nao(), &[]).unwrap().text(80)
    };
    // 119.5° is as far as the head turns.
    let far = curve(r#"<Key frame="1" value="0"/><Key frame="20" value="129.5"/>"#, "HeadYaw");
    assert!(far.contains("HeadYaw  0° … 129.5°  10° beyond limits"), "{far}");
    let near = curve(r#"<Key frame="1" value="0"/><Key frame="20" value="119"/>"#, "HeadYaw");
    assert!(!near.contains("beyond"), "{near}");
    let hand = curve(r#"<Key frame="1" value="0"/><Key frame="20" value="0.8"/>"#, "RHand");
    assert!(hand.contains("RHand  0 … 0.8\n"), "{hand}");
}
