//! Behaviors that do what a test tells them, and write down which of their hooks were called.

use boxstep_kernel::runner::{
    Behavior, BehaviorId, BehaviorRunner, Control, Delegates, End, Hook, Plan, Runner, Settings, Ticket,
};
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};

/// What was called and answered, in order.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    /// What there is, which is forgotten.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

type Does = Box<dyn FnMut(&mut Control<'_>, &Log) + Send>;
type Wants = Box<dyn Fn(&mut Control<'_>, &Log) -> bool + Send>;

/// A behavior for tests.
pub struct Puppet {
    name: &'static str,
    delegates: Vec<&'static str>,
    together: Vec<Vec<&'static str>>,
    locks: Vec<&'static str>,
    does: Vec<(Hook, Does)>,
    wants: Option<Wants>,
    /// How many ticks it takes to come into scope, to wind down, to leave scope; and how many are left of that.
    slow: [u32; 3],
    left: u32,
    lets_go: bool,
    quiet: bool,
    log: Log,
}

pub fn puppet(name: &'static str, delegates: &[&'static str]) -> Puppet {
    Puppet {
        name,
        delegates: delegates.to_vec(),
        together: Vec::new(),
        locks: Vec::new(),
        does: Vec::new(),
        wants: None,
        slow: [0; 3],
        left: 0,
        lets_go: false,
        quiet: false,
        log: Log::default(),
    }
}

impl Puppet {
    /// Does something in a hook.
    pub fn on<T>(mut self, hook: Hook, mut does: impl FnMut(&mut Control<'_>, &Log) -> T + Send + 'static) -> Self {
        self.does.push((
            hook,
            Box::new(move |cx, log| {
                does(cx, log);
            }),
        ));
        self
    }

    /// Offers control to others, one after the other until one takes it, when it is activated.
    pub fn offers(self, to: &'static [&'static str]) -> Self {
        self.on(Hook::Activated, move |cx, _| {
            for name in to {
                if offer(cx, name).is_ok() {
                    return;
                }
            }
        })
    }

    /// What it answers when asked.
    pub fn wants(mut self, wants: impl Fn(&mut Control<'_>, &Log) -> bool + Send + 'static) -> Self {
        self.wants = Some(Box::new(wants));
        self
    }

    pub fn locks(mut self, locks: &[&'static str]) -> Self {
        self.locks = locks.to_vec();
        self
    }

    pub fn together(mut self, names: &[&'static str]) -> Self {
        self.together.push(names.to_vec());
        self
    }

    /// How many ticks it takes to come into scope, to wind down, to leave scope.
    pub fn slow(mut self, enter: u32, stop: u32, leave: u32) -> Self {
        self.slow = [enter, stop, leave];
        self
    }

    /// It says that it needs no updates.
    pub fn no_updates(mut self) -> Self {
        self.quiet = true;
        self
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn add_to(mut self, plan: &mut Plan, log: &Log) -> BehaviorId {
        self.log = log.clone();
        plan.add(self.name, self)
    }

    /// Its name and itself, to be added to what is not a plan.
    pub fn with(mut self, log: &Log) -> (&'static str, Self) {
        self.log = log.clone();
        (self.name, self)
    }

    /// Under a new plan it lets active delegates go that are none of its any more.
    pub fn lets_go(mut self) -> Self {
        self.lets_go = true;
        self
    }

    fn happens(&mut self, hook: Hook, said: &str, cx: &mut Control<'_>) {
        self.log.add(format!("{}.{said}", self.name));
        for (on, does) in &mut self.does {
            if *on == hook {
                does(cx, &self.log);
            }
        }
    }
}

/// How an end is written.
pub fn said(end: &End) -> String {
    match end {
        End::Done(value) => format!("done {value}"),
        End::Failed(why) => format!("failed {why}"),
        End::Cancelled(by) => format!("cancelled {by:?}"),
    }
}

impl Behavior for Puppet {
    fn init(&mut self, cx: &mut Control<'_>) {
        self.happens(Hook::Init, "init", cx);
    }
    fn entered_scope(&mut self, cx: &mut Control<'_>) {
        self.left = self.slow[0];
        self.happens(Hook::EnteredScope, "entered", cx);
    }
    fn activated(&mut self, cx: &mut Control<'_>, value: &Value) {
        let text = if *value == Value::Null { "activated".to_owned() } else { format!("activated {value}") };
        self.happens(Hook::Activated, &text, cx);
    }
    fn deactivated(&mut self, cx: &mut Control<'_>, end: &End) {
        self.left = self.slow[1];
        self.happens(Hook::Deactivated, &format!("deactivated {}", said(end)), cx);
    }
    fn left_scope(&mut self, cx: &mut Control<'_>) {
        self.left = self.slow[2];
        self.happens(Hook::LeftScope, "left", cx);
    }
    fn wants_to_be_activated(&self, cx: &mut Control<'_>) -> bool {
        self.log.add(format!("{}.wants", self.name));
        self.wants.as_ref().is_none_or(|wants| wants(cx, &self.log))
    }
    fn update(&mut self, cx: &mut Control<'_>) {
        self.happens(Hook::Update, "update", cx);
    }
    fn on_delegate_ended(&mut self, cx: &mut Control<'_>, ticket: Ticket, end: &End) {
        self.happens(Hook::DelegateEnded, &format!("told {ticket} {}", said(end)), cx);
    }
    fn all_delegates(&self, all: &mut Delegates) {
        if self.quiet {
            all.no_updates();
        }
        for name in &self.delegates {
            all.add(*name);
        }
        for names in &self.together {
            all.together(names.iter().copied());
        }
        for name in &self.locks {
            all.lock(*name);
        }
    }
    fn settled(&mut self, cx: &mut Control<'_>) -> bool {
        for (on, does) in &mut self.does {
            if *on == Hook::Settled {
                does(cx, &self.log);
            }
        }
        let settled = self.left == 0;
        self.left = self.left.saturating_sub(1);
        settled
    }
    fn may_renew(&self, _: &(dyn std::any::Any + Send), lost: &[BehaviorId]) -> bool {
        lost.is_empty() || self.lets_go
    }
    fn forced(&mut self, _: &mut Control<'_>) {
        self.log.add(format!("{}.forced", self.name));
    }
}

/// Asks and delegates.
pub fn offer(cx: &mut Control<'_>, name: &str) -> Result<Ticket, boxstep_kernel::runner::Refusal> {
    let id = cx.find(name).unwrap();
    cx.offer(id)
}

/// Asks several and delegates to all of them.
pub fn offer_all(cx: &mut Control<'_>, names: &[&str]) -> Result<Vec<Ticket>, boxstep_kernel::runner::Refusal> {
    let ids: Vec<BehaviorId> = names.iter().map(|name| cx.find(name).unwrap()).collect();
    for id in &ids {
        cx.ask(*id)?;
    }
    Ok(cx.delegate(&ids, Value::Null)?.iter().collect())
}

/// A runner of puppets, and what they write down.
pub struct Show {
    pub runner: Runner,
    pub log: Log,
    pub ticks: i64,
}

impl Show {
    pub fn new(puppets: Vec<Puppet>) -> Self {
        let root = puppets[0].name;
        Self::with(puppets, Settings::new(root))
    }

    pub fn with(puppets: Vec<Puppet>, settings: Settings) -> Self {
        let log = Log::default();
        let mut plan = Plan::new();
        for puppet in puppets {
            puppet.add_to(&mut plan, &log);
        }
        let mut runner = plan.build(settings).unwrap();
        runner.keep_account(true);
        Self { runner, log, ticks: 0 }
    }

    /// A tick, 100 ms after the one before; gives what was written down.
    pub fn tick(&mut self) -> Vec<String> {
        self.ticks += 1;
        self.runner.tick(Time::from_millis(100 * self.ticks));
        self.log.take()
    }

    /// Names of the active ones.
    pub fn active(&self) -> Vec<&str> {
        self.runner.active().into_iter().map(|id| self.runner.name(id)).collect()
    }

    pub fn view(&self, name: &str) -> boxstep_kernel::runner::View {
        self.runner.view(self.runner.find(name).unwrap())
    }
}
