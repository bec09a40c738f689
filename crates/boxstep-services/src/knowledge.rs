//! What the robot remembers when it is told: facts of users, facts as triples, and things in the world.
//!
//! Source: the pages ALUserInfo, ALKnowledge and ALWorldRepresentation API of the NAOqi documentation.

use crate::args::Args;
use crate::table::{Call, Const, Reply, Service, answers, bad, done, failed, nao6, ok, robot, runs, service, unknown};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;
use std::collections::BTreeMap;

const NO: Const = Const::Bool(false);

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALUserInfo",
        "What is known of users",
        &[
            runs("get", "A fact", nao6("(s)m (is)m (ss)m (sis)m"), get_fact),
            runs("set", "Remembers a fact", nao6("(ssm)b (sism)b"), set_fact),
            runs("has", "Whether it is known", nao6("(s)b (is)b (ss)b (sis)b"), has_fact),
            runs("remove", "Forgets it", nao6("(ss)b (sis)b"), remove_fact),
        ],
    ),
    service(
        "ALKnowledge",
        "Facts: subject, predicate, object",
        &[
            runs("add", "Adds a fact: owner, subject, predicate, object", unknown("(mmmm)m"), add_triple),
            runs("contains", "Whether a fact is known", unknown("(mmmm)m"), contains_triple),
            runs("remove", "Forgets a fact", unknown("(mmmm)m"), remove_triple),
            runs("update", "Gives a subject and predicate another object", unknown("(mmmm)m"), update_triple),
            runs("getObject", "Objects of a subject and predicate", unknown("(mmm)m"), get_object),
            runs("getPredicate", "Predicates of a subject and object", unknown("(mmm)m"), get_predicate),
            runs("getSubject", "Subjects of a predicate and object", unknown("(mmm)m"), get_subject),
            runs("getTriplet", "Facts of an owner", unknown("(m)m"), get_triplet),
            runs("resetKnowledge", "Forgets the facts of an owner", unknown("(m)m"), reset_knowledge),
        ],
    ),
    service(
        "ALWorldRepresentation",
        "Things in the world",
        &[
            runs(
                "storeObject",
                "Remembers a thing: name, frame, position, category, attributes",
                robot("(ss[f]sm)i (mmmmmm)i"),
                store_object,
            ),
            runs("getObjectNames", "Things", robot("()[s]"), get_object_names),
            runs("getPosition", "Where a thing is: frame, name", robot("(ss)m"), get_position),
            runs("removeObject", "Forgets a thing", unknown("(m)m"), remove_object),
            answers("addAttributeToCategory", "Gives a category an attribute", unknown("(mmm)m"), Const::Int(0)),
            runs("clearObject", "Forgets where a thing was", unknown("(m)m"), clear_object),
            answers("clearOldPositions", "Forgets old positions", unknown("(mm)m"), Const::Int(0)),
            runs("createObjectCategory", "Makes a category", unknown("(mm)m"), create_object_category),
            runs("findObject", "Whether there is a thing", unknown("(m)m"), find_object),
            runs("getObjectAttributes", "Attributes of a thing", unknown("(m)m"), get_object_attributes),
            runs("getObjectCategory", "Category of a thing", unknown("(m)m"), get_object_category),
            runs("getObjectParentName", "What a thing lies on", unknown("(m)m"), get_object_parent_name),
            runs("getChildrenNames", "Things on a thing", unknown("(m)m"), get_children_names),
            runs("getObjectsInCategory", "Things of a category", unknown("(m)m"), get_objects_in_category),
            runs("getObjectsOfCategory", "Things of a category", unknown("(m)m"), get_objects_in_category),
            runs("getRootNames", "Things that lie on nothing", unknown("()m"), get_root_names),
            answers("load", "Reads things", unknown("()m (m)m"), NO),
            runs("objectCategoryExists", "Whether there is a category", unknown("(m)m"), object_category_exists),
            runs("removeObjectCategory", "Removes a category", unknown("(m)m"), remove_object_category),
            answers("save", "Keeps things", unknown("()m (m)m"), NO),
        ],
    ),
];

/// The most facts and things of each kind.
const MOST: usize = 10_000;
/// The frame in which a thing lies on nothing.
const WORLD: &str = "WorldSpace";

/// A fact about something: owner, subject, predicate, object.
type Triple = (String, String, String, Value);

/// A remembered thing.
#[derive(Clone, Debug)]
struct Thing {
    frame: String,
    position: Value,
    category: String,
    attributes: Value,
}

/// Everything that the robot was told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// The facts of users, by the names that lead to them.
    facts: Vec<(Vec<Value>, Value)>,
    triples: Vec<Triple>,
    things: BTreeMap<String, Thing>,
    categories: BTreeMap<String, Value>,
}

fn full<T>() -> Result<T, ServiceError> {
    failed(format!("more than {MOST} are not kept"))
}

/// Finds a fact by all its names, or by the last of them.
fn fact<'w>(w: &'w World, names: &[Value]) -> Option<&'w Value> {
    let exact = w.knowledge.facts.iter().find(|(known, _)| known == names);
    exact.or_else(|| w.knowledge.facts.iter().find(|(known, _)| known.ends_with(names))).map(|(_, value)| value)
}

fn get_fact(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(fact(w, call.args.0).cloned().unwrap_or_default())
}

fn has_fact(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(fact(w, call.args.0).is_some())
}

fn set_fact(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let Some((value, names)) = call.args.0.split_last() else { return ok(false) };
    let facts = &mut w.knowledge.facts;
    if let Some(fact) = facts.iter_mut().find(|(known, _)| known == names) {
        fact.1 = value.clone();
    } else if facts.len() >= MOST {
        return full();
    } else {
        facts.push((names.to_vec(), value.clone()));
    }
    ok(true)
}

fn remove_fact(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let before = w.knowledge.facts.len();
    w.knowledge.facts.retain(|(known, _)| known != call.args.0);
    ok(w.knowledge.facts.len() < before)
}

fn triple(args: Args<'_>) -> Result<Triple, ServiceError> {
    let text = |i, what| args.text(i, what).map(str::to_owned);
    Ok((text(0, "owner")?, text(1, "subject")?, text(2, "predicate")?, args.value(3, "object")?.clone()))
}

fn add_triple(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let triple = triple(call.args)?;
    if w.knowledge.triples.len() >= MOST {
        return full();
    }
    if !w.knowledge.triples.contains(&triple) {
        w.knowledge.triples.push(triple);
    }
    done()
}

fn contains_triple(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let triple = triple(call.args)?;
    ok(w.knowledge.triples.contains(&triple))
}

fn remove_triple(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let triple = triple(call.args)?;
    w.knowledge.triples.retain(|known| *known != triple);
    done()
}

fn update_triple(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (owner, subject, predicate, _) = triple(call.args)?;
    w.knowledge.triples.retain(|known| (&known.0, &known.1, &known.2) != (&owner, &subject, &predicate));
    add_triple(w, cx, call)
}

/// Answers one part of the facts of an owner whose other two parts are given.
fn parts(w: &World, args: Args<'_>, part: impl Fn(&Triple) -> Option<Value>) -> Reply {
    let owner = args.text(0, "owner")?;
    ok(Value::list(w.knowledge.triples.iter().filter(|known| known.0 == owner).filter_map(part)))
}

fn get_object(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (subject, predicate) = (call.args.text(1, "subject")?, call.args.text(2, "predicate")?);
    parts(w, call.args, |known| (known.1 == subject && known.2 == predicate).then(|| known.3.clone()))
}

fn get_predicate(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (subject, object) = (call.args.text(1, "subject")?, call.args.value(2, "object")?);
    parts(w, call.args, |known| (known.1 == subject && known.3 == *object).then(|| known.2.as_str().into()))
}

fn get_subject(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (predicate, object) = (call.args.text(1, "predicate")?, call.args.value(2, "object")?);
    parts(w, call.args, |known| (known.2 == predicate && known.3 == *object).then(|| known.1.as_str().into()))
}

fn get_triplet(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    parts(w, call.args, |(_, subject, predicate, object)| {
        Some(Value::list([subject.as_str().into(), predicate.as_str().into(), object.clone()]))
    })
}

fn reset_knowledge(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let owner = call.args.text(0, "owner")?;
    w.knowledge.triples.retain(|known| known.0 != owner);
    done()
}

/// Takes the name, the frame (`WorldSpace`, or the thing that it lies on), the position, the category, and attributes.
/// Answers 0, or −1 if the category does not exist.
fn store_object(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let (name, frame) = (args.text(0, "name")?, args.text(1, "frame")?);
    if !matches!(args.numbers(2, "position")?.len(), 3 | 6 | 16) {
        return bad("argument 3 (position) must have 3, 6 or 16 numbers");
    }
    let category = args.text(3, "category")?;
    if !category.is_empty() && !w.knowledge.categories.contains_key(category) {
        return ok(-1);
    }
    if w.knowledge.things.len() >= MOST {
        return full();
    }
    let thing = Thing {
        frame: frame.to_owned(),
        position: args.value(2, "position")?.clone(),
        category: category.to_owned(),
        attributes: args.get(4).cloned().unwrap_or_default(),
    };
    w.knowledge.things.insert(name.to_owned(), thing);
    ok(0)
}

fn thing<'w>(w: &'w World, call: &Call<'_>, i: usize) -> Result<&'w Thing, ServiceError> {
    let name = call.args.text(i, "name")?;
    w.knowledge.things.get(name).map_or_else(|| failed(format!("there is no thing `{name}`")), Ok)
}

fn names<'w>(w: &'w World, which: impl Fn(&'w Thing) -> bool) -> Value {
    let things = w.knowledge.things.iter().filter(|(_, thing)| which(thing));
    Value::list(things.map(|(name, _)| name.as_str().into()))
}

fn get_object_names(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(names(w, |_| true))
}

/// Answers the position in the frame in which it was stored.
fn get_position(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (frame, thing) = (call.args.text(0, "frame")?, thing(w, call, 1)?);
    if thing.frame == frame {
        return ok(thing.position.clone());
    }
    failed(format!("the thing is known in the frame `{}`, not in `{frame}`", thing.frame))
}

fn remove_object(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    ok(if w.knowledge.things.remove(name).is_some() { 0 } else { -1 })
}

fn clear_object(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    let Some(thing) = w.knowledge.things.get_mut(name) else { return ok(-1) };
    thing.position = Value::list([]);
    ok(0)
}

fn find_object(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(w.knowledge.things.contains_key(call.args.text(0, "name")?))
}

fn get_object_attributes(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(thing(w, call, 0)?.attributes.clone())
}

fn get_object_category(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(thing(w, call, 0)?.category.as_str())
}

fn get_object_parent_name(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(thing(w, call, 0)?.frame.as_str())
}

fn get_children_names(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let parent = call.args.text(0, "name")?;
    ok(names(w, |thing| thing.frame == parent))
}

fn get_root_names(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(names(w, |thing| thing.frame == WORLD))
}

fn get_objects_in_category(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let category = call.args.text(0, "category")?;
    ok(names(w, |thing| thing.category == category))
}

fn create_object_category(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "category")?;
    if w.knowledge.categories.len() >= MOST {
        return full();
    }
    let is_new = !w.knowledge.categories.contains_key(name);
    let attributes = call.args.value(1, "attributes")?.clone();
    w.knowledge.categories.entry(name.to_owned()).or_insert(attributes);
    ok(if is_new { 0 } else { -1 })
}

fn object_category_exists(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(w.knowledge.categories.contains_key(call.args.text(0, "category")?))
}

fn remove_object_category(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "category")?;
    ok(if w.knowledge.categories.remove(name).is_some() { 0 } else { -1 })
}
