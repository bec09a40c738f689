//! The functions of QiChat: `^name`, what stands in their brackets, and where they belong.
//!
//! Source: the syntax page of the dialog documentation; functions that files use without a page are marked.

/// Where a function belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Behind the name of a topic.
    Topic,
    /// In the input of a rule.
    Input,
    /// In an answer.
    Output,
}

/// What stands behind the name of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brackets {
    /// Nothing.
    No,
    /// Round brackets with arguments.
    Round,
    /// Square brackets with items.
    Square,
}

/// What becomes of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It does what its documentation says.
    Works,
    /// It is handed to the voice, which says it with gestures and sounds.
    Voice,
    /// It is read, and has no effect in a simulation.
    NoEffect,
    /// Only another system has it: Android on Pepper.
    Foreign,
}

/// A function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name as the documentation writes it.
    pub name: &'static str,
    /// Where it belongs.
    pub place: Place,
    /// What stands behind the name.
    pub brackets: Brackets,
    /// What becomes of it.
    pub support: Support,
    /// Whether a page of the documentation describes it.
    pub documented: bool,
}

const fn function(name: &'static str, place: Place, brackets: Brackets, support: Support) -> Function {
    Function { name, place, brackets, support, documented: true }
}

const fn topic(name: &'static str) -> Function {
    function(name, Place::Topic, Brackets::No, Support::Works)
}

const fn input(name: &'static str, brackets: Brackets) -> Function {
    function(name, Place::Input, brackets, Support::Works)
}

const fn bare(name: &'static str) -> Function {
    function(name, Place::Output, Brackets::No, Support::Works)
}

const fn round(name: &'static str) -> Function {
    function(name, Place::Output, Brackets::Round, Support::Works)
}

const fn square(name: &'static str) -> Function {
    function(name, Place::Output, Brackets::Square, Support::Works)
}

const fn voice(name: &'static str) -> Function {
    function(name, Place::Output, Brackets::Round, Support::Voice)
}

const fn no_effect(name: &'static str) -> Function {
    function(name, Place::Output, Brackets::Round, Support::NoEffect)
}

const fn undocumented(function: Function) -> Function {
    Function { documented: false, ..function }
}

/// Every function, in groups.
pub const FUNCTIONS: &[Function] = &[
    topic("noPick"),
    topic("noStay"),
    topic("resetOnFocus"),
    topic("fallback"),
    topic("keepFocus"),
    topic("notInEmbeddedASR"),
    topic("preProcess"),
    topic("postProcess"),
    topic("preProcessReplace"),
    input("private", Brackets::No),
    input("exact", Brackets::No),
    input("lessPriority", Brackets::No),
    input("repeat", Brackets::Square),
    square("rand"),
    square("first"),
    square("firstOptional"),
    bare("empty"),
    bare("break"),
    bare("stayInScope"),
    bare("releaseFocus"),
    bare("nextProposal"),
    bare("sameProposal"),
    bare("previousProposal"),
    round("goto"),
    bare("gotoRandom"),
    round("gotoReactivate"),
    round("topic"),
    bare("topicRandom"),
    round("topicTag"),
    round("topicTagReactivate"),
    round("switchFocus"),
    round("activate"),
    round("deactivate"),
    round("clear"),
    round("exist"),
    round("notExist"),
    round("concatenate"),
    round("addToConcept"),
    round("removeFromConcept"),
    round("clearConcept"),
    round("isInConcept"),
    round("size"),
    round("enumerate"),
    bare("currentDate"),
    bare("currentTime"),
    bare("currentDateTime"),
    bare("endOfWeek"),
    round("getUserInfo"),
    round("setUserInfo"),
    round("hasUserInfo"),
    round("removeUserInfo"),
    round("addKnowledge"),
    round("updateKnowledge"),
    round("containsKnowledge"),
    round("notContainsKnowledge"),
    round("removeKnowledge"),
    round("queryKnowledge"),
    round("call"),
    round("pCall"),
    round("sCall"),
    round("addword"),
    round("replace"),
    voice("run"),
    voice("start"),
    voice("stop"),
    voice("wait"),
    voice("runTag"),
    voice("startTag"),
    voice("stopTag"),
    voice("waitTag"),
    voice("runSound"),
    voice("startSound"),
    voice("stopSound"),
    voice("waitSound"),
    voice("mode"),
    voice("play"),
    no_effect("frequency"),
    no_effect("wiki"),
    undocumented(round("runBehavior")),
    undocumented(no_effect("interpret")),
    undocumented(function("execute", Place::Output, Brackets::Round, Support::Foreign)),
];

/// Finds a function. Files and the documentation mix cases, so case does not matter.
pub fn function_named(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name.eq_ignore_ascii_case(name))
}

/// Returns whether a function is known to have these brackets.
pub(crate) fn has_brackets(name: &str, brackets: Brackets) -> bool {
    function_named(name).is_some_and(|function| function.brackets == brackets)
}
