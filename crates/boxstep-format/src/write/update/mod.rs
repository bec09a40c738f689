//! The edits that make a box of a file another one.
//!
//! An item of the new model is the one of the file that has the same span, so it is changed in its place. An item with
//! an empty span is new, and is printed. A box with the span of a box elsewhere is a copy of it.

mod children;
mod timeline;

use super::edit::Edits;
use super::model::{
    PrintSource, input_nature, language, output_nature, parameter_type, port_type, print_box_from, print_input,
    print_output, print_parameter, print_plugin, print_resource, print_script, print_timeline, resource_mode,
};
use super::number::float;
use super::touched::{Touch, Touched};
use super::{Printer, Splice, WriteError, spliced};
use crate::XarFile;
use crate::model::{BoxDef, Input, NO_ID, Output, Parameter, Resource, Script};
use crate::raw::RawNode;
use boxstep_types::{FileId, Span};
use children::{Item, Slot, staying};

/// The files that parts of a new model are copied from.
#[derive(Clone, Copy, Debug)]
pub struct Copies<'a> {
    file: &'a XarFile,
    others: &'a [XarFile],
}

impl<'a> Copies<'a> {
    /// Copies from the file that is changed, and from others. In the model, the spans of others have a [`FileId`] of
    /// [`Copies::id`].
    pub fn new(file: &'a XarFile, others: &'a [XarFile]) -> Self {
        Self { file, others }
    }

    /// The id that spans of a box have that comes from another file, by the file's number. [`BoxDef::set_file`] sets it.
    pub fn id(number: usize) -> FileId {
        FileId(u32::MAX - number as u32)
    }

    fn of(&self, span: Span) -> Option<&'a XarFile> {
        if span.file == self.file.file { Some(self.file) } else { self.others.get((u32::MAX - span.file.0) as usize) }
    }
}

impl PrintSource for Copies<'_> {
    fn plugin(&self, span: Span) -> &str {
        let own = |file: &'_ XarFile| Span { file: file.file, ..span };
        self.of(span).map_or("", |file| file.sources.slice(own(file)))
    }

    fn element(&self, span: Span) -> Option<RawNode<'_>> {
        let node = self.of(span)?.raw().starting_at(span.start)?;
        (span.end > 0 && node.range() == (span.start, span.end)).then_some(node)
    }
}

impl<'a> Edits<'a> {
    /// Changes a box of the file from `old`, as it was read, to `new`. What the model does not know stays.
    ///
    /// An item of `new` that has the span of one of `old` is that item, changed; one with an empty span is new. A box
    /// with the span of a box in another place of the file, or of `copies`, is a copy of that box: only its name, id and
    /// place may differ. A new plugin content is the span of one.
    ///
    /// # Errors
    /// When the edits are applied: a character that XML lacks, or a number that is not finite.
    pub fn set_box(&mut self, old: &BoxDef, new: &BoxDef, copies: &Copies<'_>) {
        let Some(node) = self.node(old.span) else { return };
        self.text(node, "name", &old.name, &new.name);
        self.id(node, "id", old.id, new.id);
        self.maybe(node, "localization", old.localization, new.localization);
        self.text(node, "tooltip", &old.tooltip, &new.tooltip);
        self.text_or_none(node, "plugin", non_empty(&old.plugin), non_empty(&new.plugin));
        self.text_or_none(node, "robot", old.robot.as_deref(), new.robot.as_deref());
        self.maybe(node, "bitmap_expanded", old.bitmap_expanded.map(i32::from), new.bitmap_expanded.map(i32::from));
        self.float(node, "x", old.x, new.x);
        self.float(node, "y", old.y, new.y);

        let dialog = (old.dialog_file.as_slice(), new.dialog_file.as_slice());
        let slots = vec![
            self.texts(node, "dialogFile", dialog),
            self.texts(node, "bitmap", (&old.bitmaps, &new.bitmaps)),
            self.script(old.script.as_ref(), new.script.as_ref()),
            self.plugin(old.plugin_content, new.plugin_content, copies),
            self.list("Input", (&old.inputs, &new.inputs), Self::input, print_input),
            self.list("Output", (&old.outputs, &new.outputs), Self::output, print_output),
            self.list("Parameter", (&old.parameters, &new.parameters), Self::parameter, print_parameter),
            self.list(
                "Timeline",
                (old.timeline.as_slice(), new.timeline.as_slice()),
                |edits, old, new| edits.set_timeline(old, new, copies),
                |p, timeline| print_timeline(p, timeline, copies),
            ),
            self.list("Resource", (&old.resources, &new.resources), Self::resource, print_resource),
        ];
        self.arrange(node, slots);
    }

    /// Makes a slot of boxes.
    fn boxes<'m>(&mut self, pair: (&'m [BoxDef], &'m [BoxDef]), copies: &'m Copies<'m>) -> Slot<'m> {
        let change = |edits: &mut Self, old: &BoxDef, new: &BoxDef| edits.set_box(old, new, copies);
        self.list("Box", pair, change, |p, def| print_box_from(p, def, copies))
    }

    /// Makes a slot of a list: changes the items that stay, and tells which ones are new.
    fn list<'m, T: Element>(
        &mut self,
        name: &'static str,
        (old, new): (&'m [T], &'m [T]),
        change: impl Fn(&mut Self, &T, &T),
        print: impl Fn(&mut Printer, &T) + Copy + 'm,
    ) -> Slot<'m> {
        let touched = self.touched();
        let mut taken = vec![false; old.len()];
        let places = new.iter().map(|item| {
            let span = item.span();
            // The items of a file are in the order of their spans.
            let found = old.binary_search_by_key(&span.start, |old| old.span().start).ok();
            let same = |at: &usize| span.end > 0 && old.get(*at).is_some_and(|old| old.span() == span);
            // A second item with the span is a copy of the first.
            found.filter(same).filter(|at| taken.get_mut(*at).is_some_and(|taken| !std::mem::replace(taken, true)))
        });
        let places: Vec<Option<usize>> = places.collect();
        let staying = staying(places.iter().flatten().copied());
        let mut slot = Slot::new(name, old.iter().map(|item| item.span().start));
        for (item, place) in new.iter().zip(places) {
            slot.items.push(match place.and_then(|at| Some((at, old.get(at)?))) {
                Some((at, before)) if is_as_before(touched, before, item) => Item::Old(at),
                Some((at, before)) if staying.binary_search(&at).is_ok() => {
                    change(self, before, item);
                    Item::Old(at)
                }
                // An item that both moves and changes is its changed source at the new place.
                Some((_, before)) => {
                    let source = self.changed_source(before.span(), |edits| change(edits, before, item));
                    Item::New(Box::new(move |p| p.source_line(&source)))
                }
                None => Item::New(Box::new(move |p| print(p, item))),
            });
        }
        slot
    }

    /// Returns the source of an element with changes to it.
    fn changed_source(&mut self, span: Span, change: impl FnOnce(&mut Self)) -> String {
        let mut inside = Edits::new(self.file(), self.view());
        if let Some(touched) = self.touched() {
            inside = inside.only(touched);
        }
        change(&mut inside);
        let within = |mut splices: Vec<Splice>| {
            for splice in &mut splices {
                (splice.start, splice.end) =
                    (splice.start.checked_sub(span.start)?, splice.end.checked_sub(span.start)?);
            }
            spliced(self.view().slice(span.start, span.end), &splices)
        };
        match inside.splices().map(within) {
            Ok(Some(source)) => source,
            Ok(None) => {
                self.remember(Err(WriteError::Overlap(span)));
                String::new()
            }
            Err(fault) => {
                self.remember(Err(fault));
                String::new()
            }
        }
    }

    /// Makes a slot of elements that contain only a text.
    fn texts<'m>(&mut self, node: RawNode<'a>, name: &'static str, pair: (&[String], &'m [String])) -> Slot<'m> {
        let (old, new) = pair;
        let elements: Vec<RawNode<'a>> = node.elements().filter(|n| is_called(*n, name)).collect();
        let mut slot = Slot::new(name, elements.iter().map(|n| n.range().0));
        for (at, text) in new.iter().enumerate() {
            let Some(element) = elements.get(at) else {
                slot.items.push(Item::New(Box::new(move |p| p.text_element(name, text))));
                continue;
            };
            if old.get(at) != Some(text) {
                self.set_text(*element, text);
            }
            slot.items.push(Item::Old(at));
        }
        // A file that repeats an element that may occur once keeps the others.
        slot.items.extend((old.len().max(new.len())..elements.len()).map(Item::Old));
        slot
    }

    fn script<'m>(&mut self, old: Option<&'m Script>, new: Option<&'m Script>) -> Slot<'m> {
        self.list(
            "script",
            (old.map_or(&[], std::slice::from_ref), new.map_or(&[], std::slice::from_ref)),
            |edits, old, new| {
                let Some(node) = edits.node(old.span) else { return };
                edits.number(node, "language", language(old.language), language(new.language));
                if old.text == new.text {
                    return;
                }
                match node.elements().find(|n| is_called(*n, "content")) {
                    Some(content) => edits.set_text(content, &new.text),
                    None => edits.insert(super::At::End(node), |p| {
                        p.start("content");
                        p.section(&new.text);
                        p.end();
                    }),
                }
            },
            print_script,
        )
    }

    fn plugin<'m>(&mut self, old: Option<Span>, new: Option<Span>, copies: &'m Copies<'m>) -> Slot<'m> {
        let mut slot = Slot::new("pluginContent", old.map(|span| span.start));
        slot.items.extend(new.map(|span| match old {
            Some(old) if old == span => Item::Old(0),
            _ => Item::New(Box::new(move |p| print_plugin(p, copies.plugin(span)))),
        }));
        slot
    }

    fn input(&mut self, old: &Input, new: &Input) {
        let Some(node) = self.node(old.span) else { return };
        self.text(node, "name", &old.name, &new.name);
        self.number(node, "type", port_type(old.port_type), port_type(new.port_type));
        self.number(node, "type_size", old.type_size, new.type_size);
        self.number(node, "nature", input_nature(old.nature), input_nature(new.nature));
        self.text_or_none(node, "stm_value_name", old.memory_key.as_deref(), new.memory_key.as_deref());
        self.number(node, "inner", i32::from(old.inner), i32::from(new.inner));
        self.text(node, "tooltip", &old.tooltip, &new.tooltip);
        self.id(node, "id", old.id, new.id);
    }

    fn output(&mut self, old: &Output, new: &Output) {
        let Some(node) = self.node(old.span) else { return };
        self.text(node, "name", &old.name, &new.name);
        self.number(node, "type", port_type(old.port_type), port_type(new.port_type));
        self.number(node, "type_size", old.type_size, new.type_size);
        self.number(node, "nature", output_nature(old.nature), output_nature(new.nature));
        self.number(node, "inner", i32::from(old.inner), i32::from(new.inner));
        self.text(node, "tooltip", &old.tooltip, &new.tooltip);
        self.id(node, "id", old.id, new.id);
    }

    fn parameter(&mut self, old: &Parameter, new: &Parameter) {
        let Some(node) = self.node(old.span) else { return };
        self.text(node, "name", &old.name, &new.name);
        let inherits = (i32::from(old.inherits_from_parent), i32::from(new.inherits_from_parent));
        self.number(node, "inherits_from_parent", inherits.0, inherits.1);
        self.number(node, "content_type", parameter_type(old.content_type), parameter_type(new.content_type));
        self.text(node, "value", &old.value, &new.value);
        self.text(node, "default_value", &old.default_value, &new.default_value);
        self.float_or_none(node, "min", old.min, new.min);
        self.float_or_none(node, "max", old.max, new.max);
        self.number(node, "custom_choice", i32::from(old.custom_choice), i32::from(new.custom_choice));
        self.number(node, "password", i32::from(old.password), i32::from(new.password));
        self.text(node, "tooltip", &old.tooltip, &new.tooltip);
        self.id(node, "id", old.id, new.id);
        self.choices(node, &old.choices, &new.choices);
    }

    fn choices(&mut self, node: RawNode<'a>, old: &[String], new: &[String]) {
        let elements: Vec<RawNode<'a>> = node.elements().filter(|n| is_called(*n, "Choice")).collect();
        let mut slot = Slot::new("Choice", elements.iter().map(|n| n.range().0));
        for (at, choice) in new.iter().enumerate() {
            let Some(element) = elements.get(at) else {
                slot.items.push(Item::New(Box::new(move |p| {
                    p.start("Choice");
                    p.attribute("value", choice);
                    p.end();
                })));
                continue;
            };
            self.text(*element, "value", old.get(at).map_or("", String::as_str), choice);
            slot.items.push(Item::Old(at));
        }
        self.arrange(node, vec![slot]);
    }

    fn resource(&mut self, old: &Resource, new: &Resource) {
        let Some(node) = self.node(old.span) else { return };
        self.text(node, "name", &old.name, &new.name);
        self.text(node, "type", resource_mode(old), resource_mode(new));
        self.float(node, "timeout", old.timeout, new.timeout);
    }

    /// Returns the element of an item as it was read.
    fn node(&self, span: Span) -> Option<RawNode<'a>> {
        self.view().starting_at(span.start).filter(|_| span.file == self.file() && span.end > 0)
    }

    fn text(&mut self, node: RawNode<'a>, name: &str, old: &str, new: &str) {
        if old != new {
            self.set_attribute(node, name, new);
        }
    }

    fn text_or_none(&mut self, node: RawNode<'a>, name: &str, old: Option<&str>, new: Option<&str>) {
        match new {
            _ if old == new => {}
            Some(new) => self.set_attribute(node, name, new),
            None => self.remove_attribute(node, name),
        }
    }

    fn number(&mut self, node: RawNode<'a>, name: &str, old: i32, new: i32) {
        if old != new {
            self.set_attribute(node, name, &new.to_string());
        }
    }

    fn id(&mut self, node: RawNode<'a>, name: &str, old: i32, new: i32) {
        let known = |id: i32| (id != NO_ID).then_some(id);
        self.maybe(node, name, known(old), known(new));
    }

    fn maybe(&mut self, node: RawNode<'a>, name: &str, old: Option<i32>, new: Option<i32>) {
        let text = |number: Option<i32>| number.map(|number| number.to_string());
        if old != new {
            self.text_or_none(node, name, text(old).as_deref(), text(new).as_deref());
        }
    }

    fn float(&mut self, node: RawNode<'a>, name: &str, old: f64, new: f64) {
        if old.to_bits() == new.to_bits() {
            return;
        }
        match float(new) {
            Some(text) => self.set_attribute(node, name, &text),
            None => self.remember(Err(WriteError::NotFinite(format!("the attribute `{name}`")))),
        }
    }

    fn float_or_none(&mut self, node: RawNode<'a>, name: &str, old: Option<f64>, new: Option<f64>) {
        match new {
            Some(new) => self.float(node, name, old.unwrap_or(f64::NAN), new),
            None if old.is_some() => self.remove_attribute(node, name),
            None => {}
        }
    }
}

/// Whether an item of the model is the one that was read. Who knows which parts have been touched need not compare others.
fn is_as_before<T: Element>(touched: Option<&Touched>, before: &T, item: &T) -> bool {
    match touched.map(|touched| touched.of(before.span())) {
        Some(Touch::Nothing) => true,
        // What is in it is looked at by itself.
        Some(Touch::Inside) => false,
        Some(Touch::Anything) | None => before == item,
    }
}

fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// Whether an element has a name, in the spelling of the reader: with any prefix, or with a capital.
fn is_called(node: RawNode<'_>, name: &str) -> bool {
    node.name().rsplit(':').next().is_some_and(|local| local.eq_ignore_ascii_case(name))
}

/// An item of the model that has an element in the file.
trait Element: PartialEq {
    /// The span of its element.
    fn span(&self) -> Span;
}

macro_rules! elements {
    ($($item:ident)*) => {
        $(impl Element for crate::model::$item {
            fn span(&self) -> Span {
                self.span
            }
        })*
    };
}

elements!(BoxDef Timeline BehaviorLayer BehaviorKeyframe Diagram Script Input Output Parameter Resource Link);
elements!(ActuatorList ActuatorCurve Key Tangent StateMachine);
