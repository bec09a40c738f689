//! Colors of drawings and pages, in light and dark mode.
//!
//! Rules refer to colors as `$name`. Each such declaration is written twice, with the light color and with a custom
//! property, so that viewers without custom properties show the light color.

/// Name, light color, dark color. The contrast to the background is at least 4.5 : 1 for text and 3 : 1 for lines.
const COLOURS: &[(&str, &str, &str)] = &[
    ("page", "#ffffff", "#12161c"),
    ("canvas", "#f5f7fa", "#191f27"),
    ("grid", "#e3e8ee", "#242c37"),
    ("edge", "#c3ccd7", "#3d4856"),
    ("box", "#ffffff", "#232b36"),
    ("head", "#e9eef5", "#2e3947"),
    ("line", "#8794a5", "#66758a"),
    ("ink", "#1b2430", "#e8edf4"),
    ("soft", "#5a6777", "#9fadbf"),
    ("bang", "#4a5768", "#aab8ca"),
    ("dynamic", "#8a3fc4", "#c58bf2"),
    ("number", "#b45f06", "#f2a44b"),
    ("string", "#1f6fc9", "#6cb2ff"),
    ("bitmap", "#0b7d75", "#42c7bb"),
    ("sound", "#2e7d32", "#75c47a"),
    ("unknown", "#c22a2a", "#ff7b72"),
    ("parameter", "#8a6d00", "#d9b938"),
    ("layer", "#cfe1f7", "#274466"),
    ("layerline", "#6d9bd1", "#5486c0"),
    ("curve", "#1f6fc9", "#6cb2ff"),
    ("limit", "#c22a2a", "#ff7b72"),
    ("beyond", "#fbe3e3", "#3b2226"),
    ("added", "#156c2f", "#4ac26b"),
    ("removed", "#b32424", "#ff7b72"),
    ("changed", "#8a5200", "#e3a13c"),
    ("addedback", "#dff5e5", "#15301f"),
    ("removedback", "#fbe3e3", "#3b2226"),
    ("changedback", "#fdf0d8", "#33291a"),
];

/// The opacity of inactive elements, with which their contrast is still 3 : 1.
#[cfg(test)]
const PALE: f64 = 0.8;

/// The rules for drawings.
const DRAWING: &str = "
.bx text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif;fill:$ink}
.bx .page{fill:$page}
.bx .canvas{fill:$canvas;stroke:$edge}
.bx .grid{fill:none;stroke:$grid;stroke-width:1}
.bx .caption{font-size:14px;font-weight:600}
.bx .sub{font-size:11.5px;fill:$soft}
.bx .title{font-size:12.5px;font-weight:600}
.bx .label{font-size:10.5px;fill:$soft}
.bx .tick{font-size:10px;fill:$soft}
.bx .value{font-size:10.5px;fill:$ink}
.bx .swatch{stroke:$line}
.bx .end{text-anchor:end}
.bx .mid{text-anchor:middle}
.bx .box{fill:$box;stroke:$line;stroke-width:1.2}
.bx .head{fill:$head}
.bx .icon{fill:none;stroke:$soft;stroke-width:1.3;stroke-linecap:round;stroke-linejoin:round}
.bx .inside .box{stroke-width:2}
.bx a:hover .box,.bx a:focus .box{stroke:$string;stroke-width:2.5}
.bx .link{fill:none;stroke-width:1.8;stroke-linecap:round}
.bx .halo{fill:none;stroke:$canvas;stroke-width:5}
.bx .link:hover{stroke-width:3.5}
.bx .port{stroke-width:1.3}
.bx .hollow{fill:$box}
.bx .unlinked .port,.bx .unlinked .cross{opacity:.8}
.bx .cross{fill:none;stroke:$box;stroke-width:1.5}
.bx .warn{font-size:11px;fill:$limit}
.bx .track{fill:$box;stroke:$edge}
.bx .rule{stroke:$edge;stroke-width:1}
.bx .faint{stroke:$grid;stroke-width:1}
.bx .stop{stroke:$removed;stroke-width:1.5}
.bx .layer{fill:$layer;stroke:$layerline}
.bx .mute .layer,.bx .mute .spark,.bx .mute .dot,.bx .mute .curve,.bx .mute .key{opacity:.8}
.bx .curve{fill:none;stroke:$curve;stroke-width:1.6;stroke-linejoin:round}
.bx .spark{fill:none;stroke:$curve;stroke-width:1.2}
.bx .key{fill:$box;stroke:$curve;stroke-width:1.4}
.bx .dot{fill:$curve}
.bx .handle{fill:none;stroke:$soft;stroke-width:1;stroke-dasharray:2 2}
.bx .beyond{fill:$beyond}
.bx .limit{stroke:$limit;stroke-width:1.2;stroke-dasharray:5 3}
.bx .zero{stroke:$edge;stroke-width:1}
.bx .was{stroke:$removed;stroke-dasharray:3 2}
.bx .added>.box,.bx .added>.layer,.bx .added>.port{stroke:$added;stroke-width:2.6}
.bx .removed>.box,.bx .removed>.layer,.bx .removed>.port{stroke:$removed;stroke-width:2.6;stroke-dasharray:6 3}
.bx .changed>.box,.bx .changed>.layer,.bx .changed>.port{stroke:$changed;stroke-width:2.6}
.bx .added>.label{fill:$added}
.bx .removed>.label{fill:$removed}
.bx .changed>.label{fill:$changed}
.bx .dot.added{fill:$added}
.bx .dot.removed{fill:$removed}
.bx .dot.changed{fill:$changed}
.bx .added>.head{fill:$addedback}
.bx .removed>.head{fill:$removedback}
.bx .changed>.head{fill:$changedback}
.bx .link.added,.bx .link.changed,.bx .link.removed{stroke-width:3}
.bx .link.removed{stroke-dasharray:6 4}
";

/// The types of ports and links; each is a class with its color.
const TYPES: &[&str] = &["bang", "dynamic", "number", "string", "bitmap", "sound", "unknown", "parameter"];

/// Returns the style sheet of drawings.
pub(crate) fn drawing() -> String {
    let mut css = properties();
    css.push_str(&rules(DRAWING));
    for name in TYPES {
        css.push_str(&rules(&format!(
            ".bx .link.t-{name}{{stroke:${name}}}\n.bx .port.t-{name}{{fill:${name};stroke:${name}}}\n\
             .bx .port.hollow.t-{name}{{fill:$box}}\n"
        )));
    }
    // These rules come after the types, so that changes are visible on links of every type.
    for name in ["added", "removed", "changed"] {
        css.push_str(&rules(&format!(".bx .link.{name}{{stroke:${name}}}\n")));
    }
    css
}

/// Returns the declarations of the custom properties.
fn properties() -> String {
    let list = |pick: fn(&(&str, &'static str, &'static str)) -> &'static str| {
        COLOURS.iter().map(|c| format!("--bx-{}:{};", c.0, pick(c))).collect::<String>()
    };
    let (light, dark) = (list(|c| c.1), list(|c| c.2));
    // A printed page is always light.
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    )
}

/// Returns rules in which each `$name` is replaced by colors.
pub(crate) fn rules(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for (i, part) in text.split_inclusive(['{', '}', ';']).enumerate() {
        debug_assert!(part.matches('$').count() < 2, "one colour for each declaration: {part}");
        let Some(at) = part.find('$') else {
            out.push_str(part);
            continue;
        };
        let end = part[at + 1..].find(|c: char| !c.is_ascii_alphabetic()).map_or(part.len(), |e| at + 1 + e);
        let name = &part[at + 1..end];
        let light = COLOURS.iter().find(|c| c.0 == name).map_or("red", |c| c.1);
        debug_assert!(COLOURS.iter().any(|c| c.0 == name), "no colour {name} in rule part {i}");
        let (before, after) = (&part[..at], &part[end..]);
        let close = if after.ends_with('}') { "}" } else { ";" };
        out.push_str(&format!("{before}{light};{before}var(--bx-{name}){}{close}", after.trim_end_matches([';', '}'])));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_a_fallback() {
        assert_eq!(rules("a{fill:$page;x:1}"), "a{fill:#ffffff;fill:var(--bx-page);x:1}");
        assert_eq!(rules("a{border:1px solid $edge}"), "a{border:1px solid #c3ccd7;border:1px solid var(--bx-edge)}");
        let css = drawing();
        assert!(!css.contains('$') && !css.contains("red;"), "{css}");
        assert_eq!(css.matches('{').count(), css.matches('}').count());
    }

    /// Checks contrasts according to WCAG 2.1: 4.5 : 1 for text, 3 : 1 for graphics.
    #[test]
    fn the_contrast_is_enough_in_light_and_dark() {
        let rgb = |name: &str, dark: bool| {
            let c = COLOURS.iter().find(|c| c.0 == name).unwrap();
            let hex = if dark { c.2 } else { c.1 };
            [1, 3, 5].map(|i| f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap()) / 255.0)
        };
        let luminance = |rgb: [f64; 3]| {
            let part = |v: f64| if v <= 0.03928 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
            0.2126 * part(rgb[0]) + 0.7152 * part(rgb[1]) + 0.0722 * part(rgb[2])
        };
        // All opacities are equal to the one that is checked here, and none applies to text.
        for part in DRAWING.split("opacity:").skip(1) {
            assert_eq!(part.split('}').next().unwrap().parse::<f64>().unwrap(), PALE);
        }
        for rule in DRAWING.lines().filter(|l| l.contains("opacity:")) {
            assert!(rule.split(['{', ',']).filter(|s| s.starts_with('.')).all(|s| s.split(' ').count() == 3), "{rule}");
        }
        for dark in [false, true] {
            let contrast = |a: &str, b: &str, opacity: f64| {
                let (front, back) = (rgb(a, dark), rgb(b, dark));
                let seen = [0, 1, 2].map(|i| front[i] * opacity + back[i] * (1.0 - opacity));
                let (a, b) = (luminance(seen), luminance(back));
                (a.max(b) + 0.05) / (a.min(b) + 0.05)
            };
            for (text, back) in [
                ("ink", "page"),
                ("ink", "box"),
                ("ink", "head"),
                ("ink", "layer"),
                ("soft", "page"),
                ("soft", "canvas"),
                ("soft", "box"),
                ("limit", "page"),
                ("added", "canvas"),
                ("removed", "canvas"),
                ("changed", "canvas"),
                ("added", "addedback"),
                ("removed", "removedback"),
                ("changed", "changedback"),
            ] {
                let got = contrast(text, back, 1.0);
                assert!(got >= 4.5, "{text} on {back}, dark {dark}: {got}");
            }
            for name in TYPES.iter().chain(&["curve", "limit", "added", "removed", "changed"]) {
                assert!(contrast(name, "canvas", 1.0) >= 3.0, "{name}, dark {dark}");
            }
            for name in TYPES.iter().chain(&["curve"]) {
                for back in ["canvas", "box"] {
                    let got = contrast(name, back, PALE);
                    assert!(got >= 3.0, "pale {name} on {back}, dark {dark}: {got}");
                }
            }
        }
    }
}
