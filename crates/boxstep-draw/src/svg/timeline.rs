//! The panel of a timeline: a ruler, behavior layers as strips, and curves as rows.

use crate::curves::JointLine;
use crate::scene::{Mark, Marks, Spot};
use crate::text::{fit, format_number};
use crate::xml::{Xml, number};
use boxstep_bodies::Body;
use boxstep_format::model::{BehaviorKeyframe, BehaviorLayer, Key, Timeline};

/// Widths: names on the left, frames in the middle, ranges on the right.
const LEFT: f64 = 120.0;
const TRACK: f64 = 640.0;
const RIGHT: f64 = 110.0;
/// The width of every panel.
pub(super) const WIDTH: f64 = LEFT + TRACK + RIGHT;
const RULER: f64 = 26.0;
const LAYER: f64 = 26.0;
const CURVE: f64 = 20.0;

/// The maximum number of keys in a row that are drawn as dots.
const DOTS: usize = 300;

/// A timeline with its layout.
pub(super) struct Panel {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) about: String,
    heading: String,
    /// The first and last frame of the ruler.
    pub(super) frames: (f64, f64),
    end: Option<f64>,
    layers: Vec<Strip>,
    curves: Vec<Row>,
    /// The names of curves without keys.
    empty: Vec<String>,
}

struct Strip {
    name: String,
    mute: bool,
    keyframes: Vec<(f64, String, Option<Mark>)>,
    mark: Option<Mark>,
}

struct Row {
    line: JointLine,
    /// The old version of the curve, in a difference.
    was: Option<JointLine>,
    mark: Option<Mark>,
    /// Frames and marks of changed keys.
    keys: Vec<(f64, Mark)>,
}

impl Panel {
    /// Lays out a timeline; `None` for a flow diagram.
    pub(super) fn new(timeline: &Timeline, body: &Body, marks: &Marks<'_>) -> Option<Self> {
        let lists = || timeline.actuators.iter().flat_map(|a| &a.curves);
        if !timeline.enabled && lists().next().is_none() {
            return None;
        }
        let mut curves = Vec::new();
        let mut empty = Vec::new();
        for (i, curve) in lists().enumerate() {
            let Some(line) = JointLine::new(curve, body) else {
                empty.push(curve.actuator.to_string());
                continue;
            };
            let was = marks.was.get(&i).and_then(|c| JointLine::new(c, body));
            let key = |(k, key): (usize, &Key)| Some((f64::from(key.frame), marks.mark_of(Spot::Key(i, k))?));
            let keys = curve.keys.iter().enumerate().filter_map(key).collect();
            curves.push(Row { line, was, mark: marks.mark_of(Spot::Curve(i)), keys });
        }
        let strip = |(i, l): (usize, &BehaviorLayer)| {
            let keyframes = l.keyframes.iter().enumerate();
            let keyframe = |(k, keyframe): (usize, &BehaviorKeyframe)| {
                (f64::from(keyframe.index), keyframe.name.to_string(), marks.mark_of(Spot::Keyframe((i, k))))
            };
            let keyframes = keyframes.map(keyframe).collect();
            Strip { name: l.name.to_string(), mute: l.mute, keyframes, mark: marks.mark_of(Spot::Layer(i)) }
        };
        let layers: Vec<Strip> = timeline.layers.iter().enumerate().map(strip).collect();
        let fps = timeline.fps.unwrap_or(25);
        let start = f64::from(timeline.start_frame.unwrap_or(1));
        let end = timeline.end_frame.map(f64::from);
        let key_end = curves.iter().map(|c| c.line.frames().1).fold(f64::NEG_INFINITY, f64::max);
        let key_start = curves.iter().map(|c| c.line.frames().0).fold(start, f64::min);
        let strips = layers.iter().flat_map(|l| &l.keyframes).map(|k| k.0);
        let last = strips.clone().map(|f| f + 10.0).fold(end.unwrap_or(start + 24.0).max(key_end), f64::max);
        let first = strips.fold(key_start.min(start), f64::min);
        let frames = (first, last.max(first + 1.0));
        let frames = marks.frames.map_or(frames, |more| (frames.0.min(more.0), frames.1.max(more.1)));
        let seconds = |frame: f64| format_number(((frame - start) / f64::from(fps.max(1))).max(0.0));
        let stop = match end {
            Some(end) => format!("frames {} to {end}, {} s", format_number(start), seconds(end)),
            None if key_end.is_finite() => {
                format!(
                    "frames {} to {} (the last key), {} s",
                    format_number(start),
                    format_number(key_end),
                    seconds(key_end)
                )
            }
            None => format!("from frame {} without end", format_number(start)),
        };
        let clock = if timeline.enabled { "" } else { ", its clock is off" };
        let heading = format!("{fps} frames per second, {stop}{clock}");
        let about = format!(
            "A timeline: {heading}. Layers: {}. Curves: {}.",
            none_or(layers.iter().map(|l| format!("{} ({} keyframes)", l.name, l.keyframes.len()))),
            none_or(curves.iter().map(|c| c.line.joint.clone()))
        );
        let rows = layers.len() as f64 * (LAYER + 4.0) + curves.len() as f64 * CURVE;
        let extra = if empty.is_empty() { 0.0 } else { 18.0 };
        let gap = if layers.is_empty() || curves.is_empty() { 0.0 } else { 6.0 };
        let height = 22.0 + RULER + rows + gap + extra + 10.0;
        let end = end.or(key_end.is_finite().then_some(key_end));
        Some(Self { width: WIDTH, height, about, heading, frames, end, layers, curves, empty })
    }

    fn x(&self, frame: f64) -> f64 {
        LEFT + (frame - self.frames.0) / (self.frames.1 - self.frames.0) * TRACK
    }

    /// Draws the panel with its top left corner at the origin.
    pub(super) fn draw(&self, xml: &mut Xml) {
        let (w, h) = (self.width, self.height);
        xml.tag("rect").attr("class", "canvas").num("width", w).num("height", h).num("rx", 6.0).empty();
        xml.tag("text").attr("class", "sub").num("x", 12.0).num("y", 16.0).text(&fit(&self.heading, 11.5, w - 24.0));
        let mut y = 22.0 + RULER;
        self.ruler(xml, y);
        for strip in &self.layers {
            self.layer(xml, strip, y + 2.0);
            y += LAYER + 4.0;
        }
        if !self.layers.is_empty() && !self.curves.is_empty() {
            y += 6.0;
        }
        for row in &self.curves {
            self.curve(xml, row, y);
            y += CURVE;
        }
        if !self.empty.is_empty() {
            let text = format!("curves without keys: {}", self.empty.join(", "));
            xml.tag("text").attr("class", "label").num("x", 12.0).num("y", y + 13.0).text(&fit(&text, 10.5, w - 24.0));
        }
        if let Some(end) = self.end {
            let x = self.x(end);
            let d = format!("M{} {}V{}", number(x), number(22.0 + RULER - 6.0), number(h - 8.0));
            xml.tag("path").attr("class", "stop").attr("d", &d).open();
            xml.leaf("title", &format!("ends at frame {}", format_number(end)));
            xml.close();
        }
        xml.line();
    }

    fn ruler(&self, xml: &mut Xml, bottom: f64) {
        let (first, last) = self.frames;
        let step = nice((last - first) / 12.0).max(1.0);
        let mut d = format!("M{} {}H{}", number(LEFT), number(bottom), number(LEFT + TRACK));
        let mut faint = String::new();
        // Ticks are multiplied instead of added up, because an addition may have no effect on frames beyond 2^53.
        let from = (first / step).ceil();
        let ticks = (0..40).map(|i| (from + f64::from(i)) * step).take_while(|f| *f <= last);
        for frame in std::iter::once(first).chain(ticks) {
            let x = self.x(frame);
            d.push_str(&format!("M{} {}v-6", number(x), number(bottom)));
            faint.push_str(&format!("M{} {}V{}", number(x), number(bottom), number(self.height - 8.0)));
            let crowded = frame != first && x - LEFT < 22.0;
            if !crowded {
                xml.tag("text")
                    .attr("class", "tick mid")
                    .num("x", x)
                    .num("y", bottom - 9.0)
                    .text(&format_number(frame));
            }
        }
        xml.tag("path").attr("class", "faint").attr("d", &faint).empty();
        xml.tag("path").attr("class", "rule").attr("d", &d).empty();
        xml.line();
    }

    fn layer(&self, xml: &mut Xml, strip: &Strip, y: f64) {
        xml.tag("g").maybe("class", class(strip.mute, strip.mark).as_deref()).open();
        let name = if strip.mute { format!("{} (muted)", strip.name) } else { strip.name.clone() };
        xml.leaf("title", &format!("layer {name}"));
        xml.tag("text").attr("class", "label").num("x", 12.0).num("y", y + 17.0).text(&fit(&name, 10.5, LEFT - 20.0));
        let mut starts: Vec<&(f64, String, Option<Mark>)> = strip.keyframes.iter().collect();
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (i, (frame, name, mark)) in starts.iter().enumerate() {
            let from = self.x(*frame);
            let until = starts.get(i + 1).map_or(LEFT + TRACK, |next| self.x(next.0));
            let w = (until - from - 2.0).max(2.0);
            let about = format!("keyframe {name}, from frame {}", format_number(*frame));
            xml.tag("g").maybe("class", mark.map(Mark::class)).open();
            xml.leaf("title", &about);
            xml.tag("rect")
                .attr("class", "layer")
                .num("x", from)
                .num("y", y)
                .num("width", w)
                .num("height", LAYER - 2.0)
                .num("rx", 3.0)
                .empty();
            if w > 24.0 {
                xml.tag("text").attr("class", "title").num("x", from + 7.0).num("y", y + 16.5).text(&fit(
                    name,
                    12.5,
                    w - 12.0,
                ));
            }
            xml.close();
        }
        xml.close();
        xml.line();
    }

    /// Draws the row of a curve: its shape, scaled to its own extremes, with a dot for each key.
    fn curve(&self, xml: &mut Xml, row: &Row, y: f64) {
        let line = &row.line;
        let all = || std::iter::once(line).chain(&row.was).map(|l| l.extent);
        let low = all().map(|e| e.min).fold(f64::INFINITY, f64::min);
        let high = all().map(|e| e.max).fold(f64::NEG_INFINITY, f64::max);
        let span = if high > low { high - low } else { 1.0 };
        let at = |v: f64| {
            let part = if high > low { (v - low) / span } else { 0.5 };
            y + CURVE - 4.0 - part.clamp(0.0, 1.0) * (CURVE - 8.0)
        };
        let range = line.range(" … ");
        let (about, beyond) = (line.words(), line.is_beyond());
        xml.tag("g").maybe("class", class(line.muted, row.mark).as_deref()).open();
        xml.leaf("title", &about);
        let name = if line.muted { format!("{} (muted)", line.joint) } else { line.joint.clone() };
        xml.tag("text").attr("class", "label").num("x", 12.0).num("y", y + 14.0).text(&fit(&name, 10.5, LEFT - 20.0));
        let class = if beyond { "warn end" } else { "label end" };
        xml.tag("text").attr("class", class).num("x", self.width - 10.0).num("y", y + 14.0).text(&range);
        if let Some(was) = &row.was {
            xml.tag("path").attr("class", "spark was").attr("d", &was.path(|f| self.x(f), at)).open();
            xml.leaf("title", &format!("as it was: {}", was.words()));
            xml.close();
        }
        xml.tag("path").attr("class", "spark").attr("d", &line.path(|f| self.x(f), at)).empty();
        if line.keys.len() <= DOTS {
            for key in &line.keys {
                let mark = row.keys.iter().find(|k| k.0 == key.time).map(|k| k.1);
                let class = mark.map_or("dot".to_owned(), |m| format!("dot {}", m.class()));
                xml.tag("circle")
                    .attr("class", &class)
                    .num("cx", self.x(key.time))
                    .num("cy", at(key.value))
                    .num("r", if mark.is_some() { 3.6 } else { 2.2 })
                    .empty();
            }
        }
        xml.close();
        xml.line();
    }
}

fn class(mute: bool, mark: Option<Mark>) -> Option<String> {
    let words = mute.then_some("mute").into_iter().chain(mark.map(Mark::class));
    Some(words.collect::<Vec<_>>().join(" ")).filter(|c| !c.is_empty())
}

fn none_or(items: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = items.collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// Returns the smallest of 1, 2, 2.5, 5 or 10 times a power of ten that is at least `value`.
pub(crate) fn nice(value: f64) -> f64 {
    if !(value.is_finite() && value > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(value.log10().floor());
    let part = value / power;
    let step = [1.0, 2.0, 2.5, 5.0].into_iter().find(|s| part <= *s + 1e-9).unwrap_or(10.0);
    step * power
}
