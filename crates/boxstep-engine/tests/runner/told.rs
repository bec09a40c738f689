//! What traces tell of runners.

use boxstep_engine::trace::Delegation;

/// What traces tell of a delegation, in one line.
pub fn delegation(told: &Delegation) -> String {
    let fields = serde_json::to_value(told).unwrap();
    let text = |name: &str| fields[name].as_str().map(str::to_owned);
    let mut line = text("what").unwrap();
    text("name").iter().for_each(|name| line += &format!(" [{name}]"));
    fields.get("earlier").iter().for_each(|number| line += &format!(" [earlier: {number}]"));
    text("request").iter().for_each(|request| line += &format!(" {request}"));
    fields["to"]
        .as_array()
        .iter()
        .flat_map(|to| to.iter())
        .for_each(|to| line += &format!(" {}", to.as_str().unwrap()));
    fields.get("ticket").iter().for_each(|ticket| line += &format!(" #{ticket}"));
    text("how").iter().for_each(|how| line += &format!(" {how}"));
    text("why").iter().for_each(|why| line += &format!(" ({why})"));
    fields.get("value").iter().for_each(|value| line += &format!(" = {value}"));
    line
}
