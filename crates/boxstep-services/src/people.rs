//! People: faces, positions and emotions.
//!
//! Whom the robot sees in a described world is in `senses.rs`. Faces are known by the names under which they were learned;
//! without a described world learning always succeeds.
//!
//! Source: the NAOqi PeoplePerception and ALFaceDetection pages of the NAOqi documentation.

use crate::senses::{characterize, faces, loudness, people_in_view, zone};
use crate::table::{
    Call, Const, Reply, Service, accepts, answers, bad, described, done, gets, nao6, ok, property, robot, runs,
    service, sets, signal, unknown,
};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;
use std::sync::Arc;

/// The key of the setting with the names of the faces.
const FACES: &str = "ALFaceDetection/faces";
const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALFaceDetection",
        "Finds and knows faces",
        &[
            runs("learnFace", "Learns the face in view", described("(s)b"), learn_face),
            runs("reLearnFace", "Learns it better", unknown("(m)m"), re_learn_face),
            runs("forgetPerson", "Forgets a face", described("(s)b"), forget_person),
            runs("clearDatabase", "Forgets every face", described("()b"), clear_database),
            runs("getLearnedFacesList", "Names of the faces", described("()[s]"), get_learned_faces_list),
            answers("importFolder", "Learns from pictures", unknown("(m)m"), NO),
            answers("learnFaceFromImage", "Learns from a picture", unknown("(mm)m"), NO),
            sets("setRecognitionEnabled", "Knows faces or only finds them", described("(b)v"), "recognition"),
            gets("isRecognitionEnabled", "Whether it knows faces", unknown("()m"), "recognition", YES),
            sets("setTrackingEnabled", "Keeps faces in sight", described("(b)v"), "tracking"),
            gets("isTrackingEnabled", "Whether it does", unknown("()m"), "tracking", YES),
            sets("enableTracking", "Old name of setTrackingEnabled", unknown("(m)b"), "tracking"),
            runs("enableRecognition", "Old name of setRecognitionEnabled", unknown("()m (m)m"), enable_recognition),
            sets("setRecognitionConfidenceThreshold", "How sure it must be", unknown("(m)m"), "confidence"),
            gets(
                "getRecognitionConfidenceThreshold",
                "How sure it must be",
                unknown("()m"),
                "confidence",
                Const::Float(0.5),
            ),
            runs("setFrameRate", "Pictures a second", unknown("(m)m (mm)m"), set_frame_rate),
            accepts("importOldDatabase", "Reads faces of an older version", unknown("()m")),
            accepts("savePersonsToDisk", "Keeps the faces", unknown("()m")),
            runs("isFaceLearned", "Whether a face is known", unknown("(m)m"), is_face_learned),
        ],
    )
    .events(&["FaceDetected", "ALFaceDetection/TrackedFaceID"])
    .camera(),
    service(
        "ALPeoplePerception",
        "Finds people",
        &[
            runs("resetPopulation", "Forgets everybody", robot("()v"), reset_population),
            sets("setMaximumDetectionRange", "How far, metres", robot("(f)v"), "maximumRange"),
            gets("getMaximumDetectionRange", "How far, metres", robot("()f"), "maximumRange", Const::Float(3.5)),
            sets("setTimeBeforePersonDisappears", "Seconds", robot("(f)v"), "disappears"),
            sets("setTimeBeforeVisiblePersonDisappears", "Seconds", robot("(f)v"), "visibleDisappears"),
            sets("setFaceDetectionEnabled", "Looks for faces", robot("(b)v"), "faces"),
            sets("setMovementDetectionEnabled", "Looks for movement", robot("(b)v"), "movement"),
            sets("setFastModeEnabled", "Faster, less sure", robot("(b)v"), "fast"),
            accepts("setGraphicalDisplayEnabled", "Draws what it sees", robot("(b)v")),
            gets("getMaximumBodyHeight", "Tallest person, metres", unknown("()m"), "maximumHeight", Const::Float(2.0)),
            gets("getMinimumBodyHeight", "Smallest person, metres", unknown("()m"), "minimumHeight", Const::Float(1.2)),
            gets(
                "getTimeBeforePersonDisappears",
                "Seconds until a person is forgotten",
                unknown("()m"),
                "disappears",
                Const::Float(10.0),
            ),
            gets(
                "getTimeBeforeVisiblePersonDisappears",
                "Seconds until a visible person is not",
                unknown("()m"),
                "visibleDisappears",
                Const::Float(3.0),
            ),
            gets("isFaceDetectionEnabled", "Whether faces count", unknown("()m"), "faces", YES),
            gets("isFastModeEnabled", "Whether it is quick and less sure", unknown("()m"), "fast", NO),
            gets("isMovementDetectionEnabled", "Whether movements count", unknown("()m"), "movement", YES),
            sets("setMaximumBodyHeight", "Tallest person, metres", unknown("(m)m"), "maximumHeight"),
            sets("setMinimumBodyHeight", "Smallest person, metres", unknown("(m)m"), "minimumHeight"),
        ],
    )
    .events(&[
        "PeoplePerception/JustArrived",
        "PeoplePerception/JustLeft",
        "PeoplePerception/MaximumDetectionRangeUpdated",
        "PeoplePerception/NonVisiblePeopleList",
        "PeoplePerception/PeopleDetected",
        "PeoplePerception/PeopleList",
        "PeoplePerception/PopulationUpdated",
        "PeoplePerception/VisiblePeopleList",
    ])
    .extractor(),
    service(
        "ALFaceCharacteristics",
        "Age, gender, smile of faces",
        &[
            runs(
                "analyzeFaceCharacteristics",
                "Looks at a person's face",
                unknown("(m)m"),
                analyze_face_characteristics,
            ),
            gets("getSmilingThreshold", "How sure a smile must be", unknown("()m"), "smiling", Const::Float(0.8)),
            sets("setSmilingThreshold", "How sure a smile must be", unknown("(m)m"), "smiling"),
        ],
    )
    .events(&["FaceCharacteristics/PersonSmiling"])
    .extractor(),
    service(
        "ALGazeAnalysis",
        "Where people look",
        &[
            sets("setTolerance", "How exactly", robot("(f)v"), "tolerance"),
            gets("getTolerance", "How exactly", robot("()f"), "tolerance", Const::Float(1.0)),
            gets("getFaceAnalysisEnabled", "Whether faces are analyzed", unknown("()m"), "enabled", YES),
            sets("setFaceAnalysisEnabled", "Analyzes faces, or not", unknown("(m)m"), "enabled"),
        ],
    )
    .events(&[
        "GazeAnalysis/PeopleLookingAtRobot",
        "GazeAnalysis/PersonStartsLookingAtRobot",
        "GazeAnalysis/PersonStopsLookingAtRobot",
    ])
    .extractor(),
    service(
        "ALEngagementZones",
        "How near people are",
        &[
            gets("getFirstLimitDistance", "Metres", robot("()f"), "first", Const::Float(1.5)),
            gets("getSecondLimitDistance", "Metres", robot("()f"), "second", Const::Float(2.5)),
            gets("getLimitAngle", "Degrees", robot("()f"), "angle", Const::Float(90.0)),
            sets("setFirstLimitDistance", "Metres", robot("(f)v"), "first"),
            sets("setSecondLimitDistance", "Metres", robot("(f)v"), "second"),
            sets("setLimitAngle", "Degrees", robot("(f)v"), "angle"),
            runs(
                "computeEngagementZone",
                "Zone of a direction and distance",
                robot("(fff)i (fffm)i (m)i (mm)i"),
                compute_engagement_zone,
            ),
        ],
    )
    .events(&[
        "EngagementZones/FirstLimitDistanceUpdated",
        "EngagementZones/LimitAngleUpdated",
        "EngagementZones/MovementsInZonesUpdated",
        "EngagementZones/PeopleInZonesUpdated",
        "EngagementZones/PersonApproached",
        "EngagementZones/PersonEnteredZone1",
        "EngagementZones/PersonEnteredZone2",
        "EngagementZones/PersonEnteredZone3",
        "EngagementZones/PersonMovedAway",
        "EngagementZones/SecondLimitDistanceUpdated",
    ])
    .extractor(),
    service(
        "ALSittingPeopleDetection",
        "Who sits",
        &[
            sets("setSittingThreshold", "Metres", robot("(f)v"), "threshold"),
            gets(
                "getSittingThreshold",
                "Height below which a person sits, metres",
                unknown("()m"),
                "threshold",
                Const::Float(1.35),
            ),
        ],
    )
    .events(&["SittingPeopleDetection/PersonSittingDown", "SittingPeopleDetection/PersonStandingUp"])
    .extractor(),
    service(
        "ALWavingDetection",
        "Who waves",
        &[
            sets("setMaxDistance", "Metres", robot("(f)v"), "distance"),
            gets("getMaxDistance", "Farthest hand, metres", unknown("()m"), "distance", Const::Float(2.5)),
        ],
    )
    .events(&["WavingDetection/PersonWaving", "WavingDetection/Waving"])
    .extractor(),
    service(
        "ALMood",
        "Feelings of people",
        &[
            runs("getEmotionalReaction", "Reaction within seconds", nao6("()s (m)s"), get_emotional_reaction),
            runs("currentPersonState", "Mood of the nearest person", unknown("()m"), current_person_state),
            runs("ambianceState", "Mood around", unknown("()m"), ambiance_state),
            answers(
                "persons",
                "Everybody",
                nao6("()[(i((ff)(ff)((ff))(ff)((ff)(ff)(ff)(ff)(ff)(ff)(ff))))]"),
                Const::Empty,
            ),
            runs("getPersonData", "Mood of a person", unknown("(m)m"), get_person_data),
            answers("personStateFromUserSession", "Mood of a user", unknown("(m)m"), Const::Empty),
        ],
    )
    .signals(&[signal("ambianceChanged", "m")])
    .properties(&[
        property("valence", "s"),
        property("valenceLevel", "(ff)"),
        property("attention", "s"),
        property("attentionLevel", "(ff)"),
        property("attentionZone", "s"),
        property("ambiance", "s"),
        property("ambianceLevel", "f"),
    ])
    .extractor(),
    service(
        "ALRobotMood",
        "Feelings that the robot shows",
        &[
            runs("getState", "Pleasure and excitement, in words", nao6("()(ss)"), get_robot_state),
            runs("getFullState", "Both, with how sure it is", nao6("()((ff)(ff))"), get_full_robot_state),
        ],
    )
    .properties(&[
        property("state", "(ss)"),
        property("fullState", "((ff)(ff))"),
        property("pleasure", "s"),
        property("excitement", "s"),
    ]),
    service("ALVoiceEmotionAnalysis", "Feeling in a voice", &[])
        .events(&["ALVoiceEmotionAnalysis/EmotionRecognized"])
        .extractor(),
];

fn faces(w: &World) -> Vec<Value> {
    w.settings.get(FACES).and_then(Value::as_list).map(<[Value]>::to_vec).unwrap_or_default()
}

fn set_faces(w: &mut World, names: Vec<Value>) {
    w.settings.insert(FACES.into(), Value::List(names.into()));
}

/// Returns the name argument, the list of faces, and the index of that face in it.
fn face<'a>(w: &World, call: &Call<'a>) -> Result<(&'a str, Vec<Value>, Option<usize>), ServiceError> {
    let name = call.args.text(0, "name")?;
    let names = faces(w);
    let place = names.iter().position(|n| n.as_str() == Some(name));
    Ok((name, names, place))
}

/// Makes the people of the world known whom the robot knows from the start.
pub(crate) fn meet(w: &mut World) {
    let around = Arc::clone(&w.options.world);
    let known: Vec<_> = around.people.iter().filter(|person| person.is_known && !person.name.is_empty()).collect();
    for person in &known {
        w.senses.faces.learn(&person.name, person.id);
    }
    if !known.is_empty() {
        set_faces(w, known.iter().map(|person| person.name.as_str().into()).collect());
    }
}

/// Learns the face in the middle of the picture; without a described world, any face.
fn learn_face(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (name, mut names, place) = face(w, call)?;
    if place.is_some() || !learn(w, cx, name) {
        return ok(false);
    }
    names.push(name.into());
    cx.act("learn", format!("face of {name}"), Value::map([("face", Value::from(name))]));
    set_faces(w, names);
    ok(true)
}

/// Connects a name with the person in view; returns whether there is one.
fn learn(w: &mut World, cx: &ServiceCx<'_>, name: &str) -> bool {
    if !w.options.world.is_described {
        return true;
    }
    let Some(person) = faces::in_front(w, cx.now()) else { return false };
    w.senses.faces.learn(name, person);
    true
}

fn re_learn_face(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (name, _, place) = face(w, call)?;
    if place.is_none() || !learn(w, cx, name) {
        return ok(false);
    }
    cx.act("learn", format!("face of {name} again"), Value::map([("face", Value::from(name))]));
    ok(true)
}

fn forget_person(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (name, mut names, place) = face(w, call)?;
    if let Some(place) = place {
        w.senses.faces.forget(Some(name));
        names.remove(place);
        set_faces(w, names);
    }
    ok(place.is_some())
}

fn clear_database(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.senses.faces.forget(None);
    set_faces(w, Vec::new());
    ok(true)
}

fn is_face_learned(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(face(w, call)?.2.is_some())
}

fn reset_population(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.senses.people.forget();
    done()
}

fn analyze_face_characteristics(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let person = call.args.int(0, "person")?;
    ok(characterize(w, cx, person))
}

/// Takes the yaw, the pitch and the distance, or a list of them.
fn compute_engagement_zone(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let place = match call.args.len() {
        1 | 2 => call.args.numbers(0, "yaw, pitch and distance")?,
        _ => vec![call.args.number(0, "yaw")?, call.args.number(1, "pitch")?, call.args.number(2, "distance")?],
    };
    match place.as_slice() {
        [yaw, _, distance, ..] => ok(zone(w, *yaw, *distance)),
        _ => bad("argument 1 must be a list of yaw, pitch and distance"),
    }
}

fn get_learned_faces_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::List(faces(w).into()))
}

fn enable_recognition(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.settings.insert("ALFaceDetection/recognition".into(), call.args.flag_or(0, "enabled", true)?.into());
    done()
}

/// With two arguments, the first is the subscriber.
fn set_frame_rate(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let rate = call.args.int(call.args.len() - 1, "frame rate")?;
    w.settings.insert("ALFaceDetection/frameRate".into(), rate.into());
    ok(true)
}

/// Returns how a person feels whom the robot sees, as a map; an empty one if it does not.
fn mood(w: &World, cx: &ServiceCx<'_>, id: Option<i64>) -> Value {
    let seen = people_in_view(w, cx.now());
    let id = id.filter(|id| seen.contains(id));
    let Some(person) = id.and_then(|id| w.options.world.person(id)) else { return Value::map::<&str>([]) };
    let sure = |value: f64| Value::map([("value", Value::Float(value)), ("confidence", Value::Float(0.8))]);
    let attention = if person.looks { 1.0 } else { 0.2 };
    let smile = person.smile;
    let expressions = [
        ("calm", sure(1.0 - smile)),
        ("anger", sure(0.0)),
        ("joy", sure(smile)),
        ("sorrow", sure(0.0)),
        ("laughter", sure(0.0)),
        ("excitement", sure(0.0)),
        ("surprise", sure(0.0)),
    ];
    Value::map([
        ("valence", sure((2.0 * smile - 0.6).clamp(-1.0, 1.0))),
        ("attention", sure(attention)),
        ("bodyLanguageState", Value::map([("ease", Value::map([("level", sure(0.5))]))])),
        ("smile", sure(smile)),
        ("expressions", Value::map(expressions)),
    ])
}

/// How many seconds it takes to see a reaction, if the call does not say.
const REACTION: f64 = 3.0;

/// Answers after the time of the reaction. Decision: who smiles more than half is positive, and less than a tenth
/// negative.
fn get_emotional_reaction(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let seconds = if call.args.len() == 0 { REACTION } else { call.args.seconds(0, "seconds")? };
    let person = people_in_view(w, cx.now()).first().and_then(|id| w.options.world.person(*id));
    let reaction = match person.map(|person| person.smile) {
        Some(smile) if smile > 0.5 => "positive",
        Some(smile) if smile < 0.1 => "negative",
        Some(_) => "neutral",
        None => "unknown",
    };
    w.answer_after(cx, call.id, seconds, reaction.into())
}

fn current_person_state(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let nearest = people_in_view(w, cx.now()).first().copied();
    ok(mood(w, cx, nearest))
}

fn get_person_data(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let person = call.args.int(0, "person")?;
    ok(mood(w, cx, Some(person)))
}

/// Decision: it is as restless around the robot as it is loud.
fn ambiance_state(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let restless = loudness(w, cx.now());
    ok(Value::map([("agitationLevel", restless), ("calmLevel", 1.0 - restless)].map(|(k, x)| (k, Value::Float(x)))))
}

/// What was set as its property; by itself the simulated robot feels nothing.
fn get_robot_state(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let set = w.setting("ALRobotMood", "property/state").cloned();
    ok(set.unwrap_or_else(|| Value::list(["neutral".into(), "neutral".into()])))
}

fn get_full_robot_state(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let calm = || Value::list([0.0, 0.0].map(Value::Float));
    let set = w.setting("ALRobotMood", "property/fullState").cloned();
    ok(set.unwrap_or_else(|| Value::list([calm(), calm()])))
}
