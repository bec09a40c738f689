//! `ALUserSession`: a session is open for everybody whom the robot sees; the nearest has the focus.
//!
//! Source: the page ALUserSession API of the NAOqi documentation. Decision: a user has the number that the person has in the
//! world file, and people whom the robot knows from the start are users from the start.

use super::senses::people_in_view;
use super::world::World;
use crate::table::{Call, Const, Reply, Service, answers, ok, robot, runs, service, sets, unknown};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;
use std::collections::BTreeSet;

pub(crate) static SERVICES: &[Service] = &[service(
    NAME,
    "Who is there",
    &[
        runs("getOpenUserSessions", "Users present", robot("()[i]"), get_open_user_sessions),
        runs("getFocusedUser", "User in focus", robot("()i"), get_focused_user),
        runs("areUserSessionsOpen", "Whether users are present", robot("([i])b"), are_user_sessions_open),
        runs("getUserData", "What is known of a user", robot("(iss)m (is){sm}"), get_user_data),
        sets("setUserData", "Remembers something of a user", robot("(issm)v"), DATA),
        runs("doUsersExist", "Whether users are known", robot("([i])b"), do_users_exist),
        runs("getUserList", "Users", robot("()[i]"), get_user_list),
        answers("areUserBindingsReady", "Whether users are known", unknown("()m"), Const::Bool(true)),
        runs("doesUserExist", "Whether there is a user", unknown("(m)m"), does_user_exist),
        answers("findUsersWithBinding", "Users with a value of a source", unknown("(mm)m"), Const::Empty),
        answers("getBindingSources", "Sources of what is known of users", unknown("()m"), Const::Empty),
        runs("getFocusedUserId", "User it is occupied with", unknown("()m"), get_focused_user),
        runs("getNumUsers", "How many users", unknown("()m"), get_num_users),
        runs("getUsers", "Users", unknown("()m"), get_user_list),
        runs("isUserSessionOpen", "Whether a user is there", unknown("(m)m"), is_user_session_open),
    ],
)];

const NAME: &str = "ALUserSession";
/// The key of what is remembered of users: `ALUserSession/data/user/key/source`.
const DATA: &str = "data";

/// Returns those who are there, and those whom the robot knows.
fn users(w: &World, cx: &ServiceCx<'_>) -> BTreeSet<i64> {
    let known = w.options.world.people.iter().filter(|person| person.is_known || w.senses.people.knows(person.id));
    known.map(|person| person.id).chain(people_in_view(w, cx.now())).collect()
}

fn numbers(users: impl IntoIterator<Item = i64>) -> Value {
    Value::list(users.into_iter().map(Value::Int))
}

/// Returns whether each user of a list is among others.
fn all_in(call: &Call<'_>, others: impl Fn(i64) -> bool) -> Result<bool, ServiceError> {
    let asked = call.args.list(0, "users")?;
    Ok(asked.iter().all(|user| user.as_i64().is_some_and(&others)))
}

fn get_open_user_sessions(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(numbers(people_in_view(w, cx.now())))
}

fn get_focused_user(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(people_in_view(w, cx.now()).first().copied().unwrap_or(-1))
}

fn are_user_sessions_open(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let open = people_in_view(w, cx.now());
    ok(all_in(call, |user| open.contains(&user))?)
}

fn is_user_session_open(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(people_in_view(w, cx.now()).contains(&call.args.int(0, "user")?))
}

fn do_users_exist(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let known = users(w, cx);
    ok(all_in(call, |user| known.contains(&user))?)
}

fn does_user_exist(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(users(w, cx).contains(&call.args.int(0, "user")?))
}

fn get_user_list(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(numbers(users(w, cx)))
}

fn get_num_users(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(users(w, cx).len() as i64)
}

/// Answers one value of a source, or all values of a source by their keys.
fn get_user_data(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (user, args) = (call.args.int(0, "user")?, call.args);
    let of_user = format!("{NAME}/{DATA}/{user}/");
    if args.len() == 3 {
        let key = format!("{of_user}{}/{}", args.text(1, "key")?, args.text(2, "source")?);
        return ok(w.settings.get(&key).cloned().unwrap_or_default());
    }
    let source = format!("/{}", args.text(1, "source")?);
    let stored = w.settings.range(of_user.clone()..).take_while(|(key, _)| key.starts_with(&of_user));
    let named = stored.filter_map(|(key, value)| Some((key[of_user.len()..].strip_suffix(&source)?, value.clone())));
    ok(Value::map(named))
}
