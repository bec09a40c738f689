//! Queries to a robot that end in bounded time, whatever the robot does.
//!
//! A robot may be slow, lack a service, or never answer. Everything here has a timeout, after which it continues
//! without the answer; a late answer is ignored.

use boxstep_qi::{Error, Pending, Session, Value};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The outcome of a query.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The robot's answer.
    Said(Value),
    /// The robot has no such service.
    NoService,
    /// The service has no such method.
    NoMethod,
    /// The robot answered with an error, or the query could not be sent: the message.
    Failed(String),
    /// The connection ended before there was an answer: the message. A new connection may get an answer.
    Lost(String),
    /// No answer arrived in time.
    Nothing,
}

impl Answer {
    /// Returns the answered value, if there is one.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Answer::Said(value) => Some(value.plain()),
            _ => None,
        }
    }

    /// Returns whether the robot has no such service or method.
    pub fn lacks(&self) -> bool {
        matches!(self, Answer::NoService | Answer::NoMethod)
    }

    /// Returns why `service.method` gave no usable answer within this time, as a message for users.
    pub fn why(&self, service: &str, method: &str, within: Duration) -> String {
        match self {
            Answer::Said(_) => format!("{service}.{method} gave an unexpected answer"),
            Answer::NoService => format!("the robot has no service {service}"),
            Answer::NoMethod => format!("the robot's {service} has no method {method}"),
            Answer::Failed(words) => format!("{service}.{method}: {words}"),
            Answer::Lost(words) => format!("{service}.{method}: the connection was lost ({words})"),
            Answer::Nothing => format!("{service}.{method} did not answer within {} s", within.as_secs_f64()),
        }
    }
}

impl From<Result<Value, Error>> for Answer {
    fn from(result: Result<Value, Error>) -> Answer {
        match result {
            Ok(value) => Answer::Said(value),
            Err(Error::NoService { .. }) => Answer::NoService,
            Err(Error::NoMember { .. }) => Answer::NoMethod,
            Err(Error::Slow { .. }) => Answer::Nothing,
            Err(e @ (Error::Gone(_) | Error::NotQi { .. })) => Answer::Lost(e.to_string()),
            // A service in Python adds a traceback of its own files; the first line says what is wrong.
            Err(e) => Answer::Failed(e.to_string().lines().next().unwrap_or_default().to_owned()),
        }
    }
}

/// A job that runs on a separate thread.
pub type Job<T> = Box<dyn FnOnce() -> T + Send>;

/// The most jobs at once: a robot that does not answer holds nobody else up.
pub const THREADS: usize = 128;

/// Jobs in progress.
pub struct Running<T> {
    told: Receiver<(usize, T)>,
    done: Vec<Option<T>>,
}

/// Starts all jobs at the same time. A thread that waits longer for the robot than its caller ends when the session's
/// own timeout passes.
pub fn start<T: Send + 'static>(jobs: Vec<Job<T>>) -> Running<T> {
    let mut done: Vec<Option<T>> = Vec::new();
    done.resize_with(jobs.len(), || None);
    let threads = THREADS.min(jobs.len());
    let queue: Arc<Mutex<VecDeque<_>>> = Arc::new(Mutex::new(jobs.into_iter().enumerate().collect()));
    let (tell, told) = channel();
    for _ in 0..threads {
        let (tell, queue) = (tell.clone(), queue.clone());
        let next = move || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        // If no thread can be started, there is no answer, as from a robot that gives none.
        let _ = thread::Builder::new().name("ask".to_owned()).spawn(move || {
            while let Some((i, job)) = next() {
                if tell.send((i, job())).is_err() {
                    return;
                }
            }
        });
    }
    Running { told, done }
}

impl<T> Running<T> {
    /// Returns the results of the jobs that are done by then, and `None` for the others.
    pub fn until(mut self, until: Instant) -> Vec<Option<T>> {
        while let Ok((i, result)) = self.told.recv_timeout(until.saturating_duration_since(Instant::now())) {
            if let Some(place) = self.done.get_mut(i) {
                *place = Some(result);
            }
        }
        self.done
    }
}

/// Runs all jobs at the same time, and returns their results after `within` at the latest; `None` for jobs that are not
/// done.
pub fn together<T: Send + 'static>(jobs: Vec<Job<T>>, within: Duration) -> Vec<Option<T>> {
    let until = Instant::now() + within;
    start(jobs).until(until)
}

/// Calls several methods of one service; returns an answer for each.
pub fn service(session: &Session, name: &str, calls: Vec<(&'static str, Vec<Value>)>, within: Duration) -> Vec<Answer> {
    let until = Instant::now() + within;
    let service = match session.service(name) {
        Ok(service) => service,
        Err(e) => return vec![Answer::from(Err(e)); calls.len()],
    };
    let asked: Vec<Result<Pending, Error>> = calls.iter().map(|(method, args)| service.start(method, args)).collect();
    asked.into_iter().map(|asked| wait(asked, until)).collect()
}

/// Waits for an answer until the deadline. The call itself is not canceled: a command to stop or to rest must take
/// effect even if nobody has the time to wait for it.
pub(crate) fn wait(asked: Result<Pending, Error>, until: Instant) -> Answer {
    asked.map_or_else(|e| Err(e).into(), |pending| unless(pending, until, &|| false))
}

/// Waits for an answer until the deadline, or until `give_up` returns true. The call itself is not canceled.
pub(crate) fn unless(pending: Pending, until: Instant, give_up: &dyn Fn() -> bool) -> Answer {
    /// How often `give_up` is checked.
    const GLANCE: Duration = Duration::from_millis(20);
    let (tell, told) = channel();
    pending.then(move |answer| {
        // The receiver may have stopped waiting.
        let _ = tell.send(answer);
    });
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match told.recv_timeout(left.min(GLANCE)) {
            Ok(answer) => return answer.into(),
            Err(RecvTimeoutError::Disconnected) => return Answer::Nothing,
            Err(RecvTimeoutError::Timeout) if left.is_zero() || give_up() => return Answer::Nothing,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn slow_jobs_are_left_out_of_the_results() {
        let (release, held) = channel::<()>();
        let slow: Job<u8> = Box::new(move || {
            let _ = held.recv();
            1
        });
        let jobs: Vec<Job<u8>> = vec![slow, Box::new(|| 2), Box::new(|| 3)];
        assert_eq!(together(jobs, Duration::from_secs(1)), [None, Some(2), Some(3)]);
        drop(release);
    }

    #[test]
    fn more_jobs_than_threads_are_all_done() {
        let jobs: Vec<Job<usize>> = (0..400_usize).map(|i| Box::new(move || i) as Job<usize>).collect();
        let done: Vec<_> = together(jobs, Duration::from_secs(60)).into_iter().map(Option::unwrap).collect();
        assert_eq!(done, (0..400).collect::<Vec<_>>());
        // One that does not end holds up nothing that comes later.
        let (release, held) = channel::<()>();
        let slow: Job<usize> = Box::new(move || held.recv().map_or(0, |()| 1));
        let others = (1..=2 * THREADS).map(|i| Box::new(move || i) as Job<usize>);
        let done = together([slow].into_iter().chain(others).collect(), Duration::from_secs(2));
        assert!(done[0].is_none() && done[1..].iter().all(Option::is_some), "{done:?}");
        drop(release);
    }
}
