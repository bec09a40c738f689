//! An HTML page with everything in a behavior: each level's drawing, its boxes with parameters, ports and scripts, and
//! its timeline's curves. The page needs no network, no script and no other file.

mod highlight;

use crate::level::{Anchors, Level, has_inside};
use crate::plot::Group;
use crate::scene::{Marks, kind};
use crate::style;
use crate::svg::{self, Sheet};
use crate::text::{one_line, plural};
use crate::tree::content as words;
use crate::xml::Xml;
use boxstep_bodies::Body;
use boxstep_dynamics::FrameBudget;
use boxstep_format::model::{BoxDef, ParameterType, Project, ScriptLanguage};
use boxstep_types::{BoxPath, Segment};

const PAGE: &str = "
*{box-sizing:border-box}
body{margin:0;background:$page;color:$ink;font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif}
a{color:$string}
:focus-visible{outline:3px solid $string;outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-99em}
.skip:focus{left:8px;top:8px;background:$page;padding:6px 12px;z-index:2}
.page{display:grid;grid-template-columns:minmax(180px,260px) minmax(0,1fr);max-width:1500px;margin:0 auto}
.page>nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:20px 12px 20px 20px;border-right:1px solid $edge;font-size:14px}
nav ul{list-style:none;margin:0;padding-left:14px}
nav>ul{padding-left:0}
nav li{margin:2px 0}
nav a{text-decoration:none;overflow-wrap:anywhere}
nav a:hover{text-decoration:underline}
main{padding:20px 28px 60px;min-width:0}
main.alone{max-width:1500px;margin:0 auto}
h1{font-size:24px;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:19px;margin:44px 0 4px;padding-top:12px;border-top:1px solid $edge;overflow-wrap:anywhere}
h3{font-size:16px;margin:0;overflow-wrap:anywhere}
h4{font-size:14px;margin:18px 0 6px}
p{margin:4px 0 10px;max-width:75ch;overflow-wrap:anywhere}
.ports{font-size:13.5px;margin:2px 0;max-width:110ch}
.soft{color:$soft}
.scroll{overflow:auto;max-width:100%;margin:8px 0}
.draw{padding:2px}
.bx{display:block}
.card{border:1px solid $edge;border-radius:8px;padding:12px 16px;margin:14px 0;background:$canvas}
.card:target,section:target>h2{outline:2px solid $string;outline-offset:3px}
table{border-collapse:collapse;font-size:13.5px;margin:8px 0}
th,td{text-align:left;padding:3px 14px 3px 0;vertical-align:top;border-bottom:1px solid $grid}
th,td{white-space:nowrap}
td.text{overflow-wrap:break-word;white-space:pre-wrap;min-width:14ch;max-width:60ch}
th{font-weight:600}
details{margin:8px 0}
summary{cursor:pointer;color:$soft;font-size:13.5px}
pre{margin:8px 0;padding:10px 14px;overflow:auto;background:$page;border:1px solid $edge;border-radius:6px;font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace;tab-size:4}
.k{color:$dynamic}
.s{color:$sound}
.c{color:$soft;font-style:italic}
.n{color:$number}
.d{color:$string}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(420px,100%),1fr));gap:14px}
.pair>div{min-width:0}
.pair h4{margin:0}
ul.changes{padding-left:0;list-style:none}
ul.changes>li{margin:3px 0;padding:2px 8px;border-left:4px solid $edge;overflow-wrap:anywhere;white-space:pre-wrap}
ul.changes>li.added{border-color:$added}
ul.changes>li.removed{border-color:$removed}
ul.changes>li.changed{border-color:$changed}
pre .added,pre .removed{display:block}
pre .added{background:$addedback;color:$added}
pre .removed{background:$removedback;color:$removed}
@media(max-width:800px){.page{display:block}.page>nav{position:static;max-height:none;border-right:0;border-bottom:1px solid $edge}main{padding:16px}}
@media print{.page{display:block}.page>nav,.skip{display:none}pre,.scroll{overflow:visible;max-height:none}pre{white-space:pre-wrap}.card,.draw{break-inside:avoid}.bx{max-width:100%;height:auto}h2{break-after:avoid}a{color:inherit;text-decoration:none}}
";

/// Returns the HTML page of a behavior. `level` is the top level of the page, and `body` provides the joint limits.
pub fn page(name: &str, project: &Project, level: &Level<'_>, body: &'static Body) -> String {
    let all = level.boxes(project);
    let inner = all.iter().filter(|at| at.depth() > level.at.depth() && has_inside(at.def));
    let levels: Vec<Level<'_>> =
        std::iter::once(level.clone()).chain(inner.map(|at| Level::of_box(at.clone()))).collect();
    let anchors = Anchors::new(project);
    let mut xml = begin(name);
    xml.tag("div").attr("class", "page").open();
    contents(&mut xml, &levels, &anchors);
    xml.tag("main").attr("id", "main").open();
    xml.leaf("h1", &one_line(name));
    let lines: usize = all.iter().filter_map(|at| at.def.script.as_ref()).map(words::script_lines).sum();
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let summary = [
        count(all.len(), "box", "boxes"),
        count(levels.len(), "level", "levels"),
        count(lines, "script line", "script lines"),
    ];
    xml.tag("p").attr("class", "soft").text(&summary.join(", "));
    let mut frames = FrameBudget::default();
    for level in &levels {
        section(&mut xml, level, &anchors, body, &mut frames);
    }
    xml.tag("details").attr("open", "").open();
    xml.leaf("summary", "Forms and colours");
    xml.tag("div").attr("class", "scroll").attr("tabindex", "0").open();
    xml.raw(&svg::legend_inline());
    xml.close();
    xml.finish() + "\n"
}

/// Begins a page: head, style sheet, and the link that skips the table of contents.
pub(crate) fn begin(title: &str) -> Xml {
    let mut xml = Xml::new();
    xml.raw("<!DOCTYPE html>\n");
    xml.tag("html").attr("lang", "en").open();
    xml.tag("head").open();
    xml.tag("meta").attr("charset", "utf-8").empty();
    // The policy forbids loading and scripts, whatever the names in the file contain.
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    xml.tag("meta").attr("http-equiv", "Content-Security-Policy").attr("content", policy).empty();
    xml.tag("meta").attr("name", "viewport").attr("content", "width=device-width, initial-scale=1").empty();
    xml.leaf("title", &one_line(title));
    xml.tag("style").open();
    xml.raw(&style::drawing());
    xml.raw(&style::rules(PAGE));
    xml.close();
    xml.close();
    xml.line();
    xml.tag("body").open();
    xml.tag("a").attr("class", "skip").attr("href", "#main").text("Skip to the drawings");
    xml
}

/// Writes the levels as a nested list.
fn contents(xml: &mut Xml, levels: &[Level<'_>], anchors: &Anchors) {
    xml.tag("nav").attr("aria-label", "Levels").open();
    xml.tag("ul").open();
    let first = levels.first().map_or(0, |level| level.at.depth());
    let mut depth = first;
    for (i, level) in levels.iter().enumerate() {
        let at = &level.at;
        for _ in depth..at.depth() {
            xml.tag("ul").open();
        }
        for _ in at.depth()..depth {
            xml.close();
            xml.close();
        }
        if i > 0 && at.depth() <= depth {
            xml.close();
        }
        depth = at.depth();
        xml.tag("li").open();
        xml.tag("a")
            .attr("href", &format!("#{}", anchors.name_of(at.def).unwrap_or_default()))
            .text(&short(&level.path()));
    }
    for _ in first..depth {
        xml.close();
        xml.close();
    }
    xml.close();
    xml.close();
    xml.close();
    xml.line();
}

/// Returns the end of a path: the name, with the keyframe and the id needed to distinguish the box.
fn short(path: &BoxPath) -> String {
    let segments = path.segments();
    let keyframe = |s: &&Segment| matches!(s, Segment::Keyframe { .. });
    let n = if segments.iter().rev().nth(1).is_some_and(|s| keyframe(&s)) { 2 } else { 1 };
    let end = segments.iter().skip(segments.len().saturating_sub(n));
    let path = end.fold(BoxPath::root(""), |path, s| path.join(s.clone())).to_string();
    one_line(path.strip_prefix('/').unwrap_or(&path))
}

fn section(xml: &mut Xml, level: &Level<'_>, anchors: &Anchors, body: &'static Body, frames: &mut FrameBudget) {
    let (at, path) = (&level.at, level.path());
    xml.tag("section").maybe("id", anchors.name_of(at.def)).open();
    xml.leaf("h2", &path.to_string());
    xml.tag("p").attr("class", "soft").text(&svg::subtitle(level));
    if !at.def.tooltip.trim().is_empty() {
        xml.leaf("p", at.def.tooltip.trim());
    }
    let parts = svg::parts(level, body, &Marks::default());
    let title = format!("Drawing of {path}");
    let tag = xml.tag("div").attr("class", "scroll draw").attr("tabindex", "0");
    tag.attr("role", "region").attr("aria-label", &title).open();
    let how = Sheet { title: &title, note: "", standalone: false, captioned: false, anchors: Some(anchors) };
    svg::sheet(xml, &parts, &how);
    xml.close();
    xml.line();
    let whole = level.keyframe.is_none();
    if whole {
        facts(xml, at.def);
    }
    if let Some(group) = Group::from_box(at.def, at.path.clone(), body, frames).filter(|_| whole) {
        xml.tag("details").attr("open", "").open();
        xml.leaf("summary", "Joint curves");
        plotted(xml, &group);
        group.table(xml);
        xml.close();
    }
    for inner in level.diagrams().iter().flat_map(|d| &d.diagram.boxes) {
        if !has_inside(inner) {
            card(xml, inner, anchors);
        }
    }
    xml.close();
    xml.line();
}

/// Writes the charts of a timeline.
pub(crate) fn plotted(xml: &mut Xml, group: &Group) {
    let label = format!("Joint curves of {}", group.path);
    let tag = xml.tag("div").attr("class", "scroll draw").attr("tabindex", "0");
    tag.attr("role", "region").attr("aria-label", &label).open();
    crate::plot::element(xml, group);
    xml.close();
}

fn card(xml: &mut Xml, def: &BoxDef, anchors: &Anchors) {
    xml.tag("article").attr("class", "card").maybe("id", anchors.name_of(def)).open();
    xml.tag("h3").open();
    xml.text(&one_line(&def.name));
    xml.text(" ");
    xml.tag("span").attr("class", "soft").text(&format!("({})", kind(def).word()));
    xml.close();
    if !def.tooltip.trim().is_empty() {
        xml.leaf("p", def.tooltip.trim());
    }
    facts(xml, def);
    xml.close();
    xml.line();
}

/// Writes ports, parameters, resources and script of a box.
fn facts(xml: &mut Xml, def: &BoxDef) {
    let list = |words: Vec<String>| words.join(", ");
    for (side, ports) in [
        ("in", list(def.inputs.iter().map(words::input).collect())),
        ("out", list(def.outputs.iter().map(words::output).collect())),
    ] {
        if !ports.is_empty() {
            xml.tag("p").attr("class", "soft ports").text(&format!("{side}: {ports}"));
        }
    }
    if !def.parameters.is_empty() {
        xml.tag("div").attr("class", "scroll").attr("tabindex", "0").open();
        parameters(xml, def);
        xml.close();
    }
    resources(xml, def);
    if let Some(dialog) = &def.dialog_file {
        xml.leaf("p", &format!("dialog: {dialog}"));
    }
    let Some(script) = def.script.as_ref().filter(|s| !s.text.trim().is_empty()) else { return };
    let lines = words::script_lines(script);
    xml.tag("details").attr("open", "").open();
    let language = script.language.words();
    xml.leaf("summary", &format!("script: {language}, {lines} line{}", plural(lines)));
    xml.tag("pre").attr("tabindex", "0").open();
    xml.tag("code").open();
    match script.language {
        ScriptLanguage::Python => highlight::python(xml, &script.text),
        _ => xml.text(&script.text),
    }
    xml.close();
    xml.close();
    xml.close();
}

/// Writes the resources of a box, grouped by mode and timeout. Animations request dozens of them, nearly all in the
/// same way.
fn resources(xml: &mut Xml, def: &BoxDef) {
    let mut ways: Vec<(String, Vec<String>)> = Vec::new();
    for r in &def.resources {
        let (mode, wait) = (words::resource_mode(r), words::resource_wait(r.timeout));
        let (way, name) = (format!("{mode}, {wait}"), one_line(&r.name));
        match ways.iter_mut().find(|w| w.0 == way) {
            Some((_, names)) => names.push(name),
            None => ways.push((way, vec![name])),
        }
    }
    for (way, names) in ways {
        xml.leaf("p", &format!("resources ({way}): {}", names.join(", ")));
    }
}

fn parameters(xml: &mut Xml, def: &BoxDef) {
    xml.tag("table").open();
    xml.tag("tr").open();
    for head in ["parameter", "value", "type", "range", ""] {
        xml.tag("th").attr("scope", "col").text(head);
    }
    xml.close();
    for p in &def.parameters {
        let value = if p.password { "…" } else { &*p.value };
        let range = match (p.min, p.max) {
            (Some(min), Some(max)) => {
                format!("{} to {}", crate::text::format_number(min), crate::text::format_number(max))
            }
            _ if !p.choices.is_empty() => p.choices.join(", "),
            _ => String::new(),
        };
        let mut notes = Vec::new();
        if p.inherits_from_parent {
            notes.push("from parent");
        }
        if matches!(p.content_type, ParameterType::Localized) {
            notes.push("translated");
        }
        xml.tag("tr").open();
        xml.tag("th").attr("scope", "row").text(&one_line(&p.name));
        xml.tag("td").attr("class", "text").text(value);
        xml.leaf("td", words::parameter_type(p.content_type));
        xml.tag("td").attr("class", "text").text(&range);
        xml.leaf("td", &notes.join(", "));
        xml.close();
    }
    xml.close();
}
