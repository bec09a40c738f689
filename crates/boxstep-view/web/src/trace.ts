// The lines of a trace. Made of docs/schemas/trace.schema.json by `npm run types`.

/**
 * A line of a trace: the header, an event, or the footer.
 */
export type TraceLine = Header | Event | Footer;
/**
 * Which clock a run has.
 */
export type ClockKind = "virtual" | "real";
/**
 * Any JSON. What JSON lacks has one of these forms: {"$bytes":base64}, {"$float":"nan", "inf" or "-inf"}, {"$object":number}, {"$map":[[key,value],…]}, {"$digest":{size,format,sha256}} of a large binary value
 */
export type Value = null | boolean | number | string | unknown[] | {};
/**
 * Nanoseconds since the start of the run.
 */
export type Time = number;
/**
 * What happened.
 */
export type Event = {
  /**
   * The number of the event that caused it; 0 for the start of the run.
   */
  cause: number;
  /**
   * Counts from 1.
   */
  n: number;
  /**
   * The box that it belongs to.
   */
  path?: string | null;
  /**
   * In the recording of a show: the robot.
   */
  robot?: string | null;
  /**
   * When.
   */
  t: Time;
} & Event1;
export type Event1 =
  | {
      kind: "behavior";
      /**
       * The behavior.
       */
      name: string;
      /**
       * Which.
       */
      phase: BehaviorPhase;
    }
  | {
      /**
       * The exception.
       */
      error: ScriptError;
      kind: "behavior_failed";
      /**
       * The behavior.
       */
      name: string;
    }
  | {
      kind: "box";
      /**
       * Which.
       */
      phase: BoxPhase;
    }
  | {
      /**
       * Name of the keyframe.
       */
      keyframe?: string;
      kind: "diagram";
      /**
       * Name of the behavior layer.
       */
      layer?: string;
      /**
       * Which.
       */
      phase: DiagramPhase;
    }
  | {
      kind: "input";
      /**
       * Which.
       */
      port: string;
      /**
       * With what; null is a bang.
       */
      value: Value;
    }
  | {
      kind: "output";
      /**
       * Which.
       */
      port: string;
      /**
       * With what; null is a bang.
       */
      value: Value;
    }
  | {
      kind: "dropped";
      /**
       * Of which port.
       */
      port: string;
      /**
       * With what.
       */
      value: Value;
      /**
       * Why.
       */
      why: DropReason;
    }
  | {
      kind: "mismatch";
      /**
       * Which.
       */
      port: string;
      /**
       * The value.
       */
      value: Value;
      /**
       * What it takes.
       */
      wanted: ValueType;
    }
  | {
      kind: "parameter";
      /**
       * Which.
       */
      name: string;
      /**
       * The value.
       */
      value: Value;
    }
  | {
      kind: "call";
      /**
       * Which.
       */
      method: string;
    }
  | {
      kind: "returned";
      /**
       * Which.
       */
      method: string;
    }
  | {
      /**
       * The exception.
       */
      error: ScriptError;
      kind: "raised";
      /**
       * Which; `script` if it does not compile.
       */
      method: string;
    }
  | {
      kind: "abandoned";
      /**
       * Which method.
       */
      method: string;
    }
  | {
      /**
       * Who was still busy.
       */
      busy: Busy[];
      kind: "forced";
    }
  | {
      /**
       * What.
       */
      command: TimelinePhase;
      /**
       * At which frame, or which it goes to; −1 if there is none. Of `fps` the rate.
       */
      frame: number;
      kind: "timeline";
    }
  | (CallEvent & {
      kind: "service";
    })
  | (ReplyEvent & {
      kind: "service_done";
    })
  | {
      kind: "unsupported";
      /**
       * Line of the box's script, from 1; 0 if not known.
       */
      line?: number;
      /**
       * The method; empty if there is no such service.
       */
      method: string;
      /**
       * The service.
       */
      service: string;
    }
  | {
      /**
       * It comes from outside.
       */
      dir?: Incoming & string;
      /**
       * The key of the memory, or `Service.signal`.
       */
      key: string;
      kind: "event";
      /**
       * Its value.
       */
      value: Value;
    }
  | (Act & {
      kind: "act";
    })
  | (DialogEvent & {
      kind: "dialog";
    })
  | {
      /**
       * By joint: radians, hands 0…1.
       */
      angles: {
        [k: string]: number;
      };
      kind: "joints";
      /**
       * Where the torso is, if physics moves the robot.
       *
       * @minItems 7
       * @maxItems 7
       */
      torso?: [number, number, number, number, number, number, number] | null;
    }
  | {
      /**
       * The key.
       */
      key: string;
      kind: "memory";
      /**
       * Its value; `None` if there was none.
       */
      value?: Value | null;
    }
  | {
      kind: "log";
      /**
       * How serious it is.
       */
      level: LogLevel;
      /**
       * Line of the box's script, from 1; 0 if not known.
       */
      line?: number;
      /**
       * What.
       */
      text: string;
    }
  | {
      kind: "print";
      /**
       * Line of the box's script, from 1; 0 if not known.
       */
      line?: number;
      /**
       * On the error stream.
       */
      stderr?: boolean;
      /**
       * What.
       */
      text: string;
    }
  | ((
      | {
          details: {
            /**
             * Its key.
             */
            key: string;
            /**
             * Its value.
             */
            value?: Value;
          };
          what: "event";
        }
      | {
          details: {
            /**
             * What.
             */
            text: string;
          };
          what: "hear";
        }
      | {
          details: {
            /**
             * The key.
             */
            key: string;
            /**
             * Its value.
             */
            value?: Value;
          };
          what: "memory";
        }
      | {
          details: {
            /**
             * Which.
             */
            port: string;
            /**
             * With what.
             */
            value?: Value;
          };
          what: "stimulate";
        }
      | {
          details: {
            /**
             * Which.
             */
            parameter: string;
            /**
             * Its value.
             */
            value?: Value;
          };
          what: "set";
        }
      | {
          details: {
            /**
             * The arguments.
             */
            args?: Value[];
            /**
             * e.g. `rest`
             */
            method: string;
            /**
             * e.g. `ALMotion`
             */
            service: string;
          };
          what: "call";
        }
      | {
          details: null;
          what: "stop";
        }
      | {
          details: null;
          what: "interrupt";
        }
      | {
          details: null;
          what: "limit";
        }
    ) & {
      /**
       * It comes from outside.
       */
      dir?: Incoming & string;
      kind: "control";
    })
  | (ResourceEvent & {
      kind: "resource";
    })
  | (Delegation & {
      kind: "delegation";
    })
  | (ReloadEvent & {
      kind: "reload";
    })
  | (ShowEvent & {
      kind: "show";
    })
  | {
      kind: "warning";
      /**
       * What.
       */
      text: string;
    };
/**
 * A step in the life of a behavior.
 */
export type BehaviorPhase = "loading" | "loaded" | "started" | "stopping" | "unloaded";
/**
 * A step in the life of a box.
 */
export type BoxPhase =
  | "constructed"
  | "loading"
  | "loaded"
  | "starting"
  | "started"
  | "stopping"
  | "stopped"
  | "unloading"
  | "unloaded"
  | "destroyed";
/**
 * A step in the life of a diagram inside a box.
 */
export type DiagramPhase = "loading" | "loaded" | "unloading" | "unloaded";
/**
 * Why a stimulation had no effect.
 */
export type DropReason =
  | "the box is not loaded"
  | "the diagram is not loaded"
  | "the diagram is not loaded any more"
  | "the run is being interrupted"
  | "the box has been unloaded"
  | "the call was given up"
  | "the box's script is being changed";
/**
 * What a typed port takes.
 */
export type ValueType = "number" | "string";
/**
 * The path of a box, as every message and option names it.
 */
export type BoxPath = string;
/**
 * What happened to a timeline.
 */
export type TimelinePhase =
  "load" | "play" | "pause" | "goto" | "fps" | "frame" | "wait" | "end" | "unload" | "dropped";
/**
 * The direction of events that go to the robot.
 */
export type Outgoing = "out";
/**
 * The end of a call of a service.
 */
export type ReplyEvent = {
  /**
   * It comes from the robot.
   */
  dir?: Incoming & string;
  /**
   * e.g. `setAngles`
   */
  method: string;
  /**
   * A mock answered, and no robot.
   */
  mock?: boolean;
  /**
   * e.g. `ALMotion`
   */
  service: string;
} & ReplyEvent1;
/**
 * The direction of events that come from outside.
 */
export type Incoming = "in";
export type ReplyEvent1 =
  | {
      value: Value;
    }
  | {
      error: string;
    };
/**
 * Something that happens in the robot's dialog (`docs/reference/qichat.md`).
 */
export type DialogEvent =
  | {
      /**
       * What was said.
       */
      text: string;
      what: "heard";
    }
  | {
      /**
       * What was captured: `$1`, `$2` ….
       */
      captures?: string[];
      /**
       * The rule.
       */
      rule: RulePlace;
      what: "matched";
      /**
       * How many words its wildcards cover.
       */
      wild?: number;
      /**
       * How many words its own words and concepts cover.
       */
      words?: number;
    }
  | {
      /**
       * The rules that came nearest.
       */
      near?: NearRule[];
      /**
       * What was said.
       */
      text: string;
      what: "not_understood";
    }
  | {
      /**
       * The rule.
       */
      rule: RulePlace;
      what: "unsayable";
    }
  | {
      /**
       * The key of the event.
       */
      key: string;
      what: "missed";
    }
  | {
      /**
       * What it says, without annotations for voice and gestures.
       */
      text: string;
      what: "answer";
    }
  | {
      /**
       * Its name.
       */
      key: string;
      /**
       * Its value.
       */
      value: Value;
      what: "variable";
    }
  | {
      /**
       * The rule that they belong to; none if no sub-rules are open.
       */
      rule?: RulePlace | null;
      what: "scope";
    }
  | {
      /**
       * Which; none if no topic has it.
       */
      topic?: string | null;
      what: "focus";
    };
/**
 * How serious a script's log line is.
 */
export type LogLevel = "debug" | "info" | "warning" | "error" | "fatal";
/**
 * What happened to a resource.
 */
export type ResourcePhase =
  "taken" | "waiting" | "refused" | "dropped" | "free" | "released" | "lost" | "paused" | "asked";
/**
 * Something that happened to a behavior of a runner; without a box, to the runner itself.
 */
export type Delegation = {
  /**
   * Of a behavior that the version that plays does not have, or has another one in the place of: its number, which no
   * other one of the runner has.
   */
  earlier?: number | null;
  /**
   * The behavior's name, if the last step of its path is another one: `idle/4` in `companion/idle/4`.
   */
  name?: string | null;
} & Delegation1;
export type Delegation1 =
  | {
      what: "entering";
    }
  | {
      what: "entered";
    }
  | {
      /**
       * By which delegation.
       */
      ticket?: number;
      what: "activated";
    }
  | {
      /**
       * The delegation to the first; those to the others count from there.
       */
      ticket?: number;
      /**
       * To whom.
       */
      to?: string[];
      what: "delegated";
    }
  | {
      /**
       * By which delegation.
       */
      ticket?: number;
      what: "waits";
    }
  | {
      /**
       * What.
       */
      request: Request;
      /**
       * Whom that was about.
       */
      to?: string[];
      what: "refused";
      /**
       * Why not.
       */
      why: string;
    }
  | ((
      | {
          how: "done";
          /**
           * With what.
           */
          value?: Value;
        }
      | {
          how: "failed";
          /**
           * Why.
           */
          why?: string;
        }
      | {
          how: "cancelled";
          /**
           * By whom.
           */
          why?: string;
        }
    ) & {
      /**
       * Which.
       */
      ticket?: number;
      what: "ended";
    })
  | {
      /**
       * Which.
       */
      ticket?: number;
      what: "restarts";
    }
  | {
      what: "stopping";
    }
  | {
      what: "deactivated";
    }
  | {
      what: "forced";
    }
  | {
      what: "leaving";
    }
  | {
      what: "left";
    }
  | {
      /**
       * The last two that had it.
       */
      to?: string[];
      what: "livelock";
      /**
       * In words.
       */
      why?: string;
    }
  | {
      what: "stopped";
    }
  | {
      /**
       * By name.
       */
      value: Plan;
      what: "plan";
    }
  | {
      /**
       * The answer.
       */
      how: YesNo;
      /**
       * What its condition has found.
       */
      value?: ConditionResult | null;
      what: "wants";
      /**
       * By whom it is silenced.
       */
      why?: string | null;
    }
  | {
      /**
       * What that has found.
       */
      value?: ConditionResult[];
      what: "watches";
    }
  | {
      /**
       * The answer.
       */
      how: YesNo;
      /**
       * Which.
       */
      to?: string[];
      what: "asked";
      /**
       * Why not.
       */
      why?: string | null;
    }
  | {
      /**
       * Which.
       */
      to?: string[];
      /**
       * How long.
       */
      value: CooldownEvent;
      what: "cools";
    }
  | {
      /**
       * Which.
       */
      to?: string[];
      what: "timer";
    };
/**
 * What a behavior of a runner asks for.
 */
export type Request = "ask" | "delegate" | "cancel_delegates" | "cancel_self" | "complete" | "fail";
/**
 * An answer.
 */
export type YesNo = "yes" | "no";
/**
 * What became of something that has changed while the run goes on.
 */
export type ReloadPhase = "waiting" | "forced" | "taken" | "withdrawn" | "refused" | "modules" | "not_taken";
/**
 * Something that a run tells about the show in which it plays the part of a robot (`docs/reference/trace.md`).
 */
export type ShowEvent =
  | {
      /**
       * The performance, a random number in hex.
       */
      performance: string;
      /**
       * The process that plays it, a random number in hex: signals are counted by process.
       */
      process: string;
      /**
       * The robot.
       */
      robot: string;
      /**
       * The name of the show.
       */
      show: string;
      what: "part";
    }
  | {
      /**
       * A time of this run.
       */
      at: Time;
      /**
       * By how much `fleet` may be wrong.
       */
      error: Time;
      /**
       * The time of the show then: nanoseconds since the leader's clock was zero.
       */
      fleet: Time;
      /**
       * Seconds of the show per second of the run.
       */
      rate: number;
      what: "clock";
    }
  | {
      /**
       * The name of the scene.
       */
      scene: string;
      what: "scene";
    }
  | {
      /**
       * What gives it: `root/Say.onStopped`, or the key of an event.
       */
      cue: string;
      /**
       * The number of the signal, counted by the process.
       */
      number: number;
      /**
       * The robots that get it.
       */
      to: string[];
      what: "given";
    }
  | {
      /**
       * What gave it.
       */
      cue: string;
      /**
       * The robot that gave it.
       */
      from: string;
      /**
       * The number of the signal, counted by the process that gave it.
       */
      number: number;
      /**
       * The process that gave it.
       */
      process: string;
      what: "got";
    }
  | {
      /**
       * The entry of the account.
       */
      entry: Value;
      /**
       * The scene, if one was announced.
       */
      scene?: string | null;
      /**
       * What has happened, in words, without the robot.
       */
      text: string;
      what: "account";
    };
/**
 * How a run ended.
 */
export type EndReason = "ended" | "waiting" | "limit" | "failed" | "interrupted" | "deadlock" | "livelock";

/**
 * The first line of a trace.
 */
export interface Header {
  /**
   * Body, e.g. `nao`.
   */
  body?: string;
  /**
   * Which clock the run had.
   */
  clock?: ClockKind & string;
  /**
   * What the virtual clock says at time zero: seconds since 1970, UTC.
   */
  epoch?: number;
  /**
   * Files of the behavior: name as given, SHA-256 in hex.
   */
  files?: {
    [k: string]: string;
  };
  /**
   * Other options that change what happens.
   */
  options?: {
    [k: string]: Value;
  };
  /**
   * Parameters set from outside: `Path/Parameter` and value.
   */
  parameters?: {
    [k: string]: Value;
  };
  /**
   * e.g. `boxstep 0.1.0`
   */
  product?: string;
  /**
   * The version of the form.
   */
  schema: number;
  /**
   * Random seed.
   */
  seed?: number;
  /**
   * Of the recording of a whole show: what it is made of.
   */
  show?: ShowHeader | null;
  /**
   * Wall-clock time of the start (RFC 3339); in real time only, because it differs each run.
   */
  started?: string | null;
}
/**
 * What the recording of a whole show is made of, in its header.
 */
export interface ShowHeader {
  /**
   * The name of the show.
   */
  name: string;
  /**
   * The performance, a random number in hex.
   */
  performance: string;
  /**
   * The robots, in the order of the show.
   */
  robots: ShowRobot[];
  /**
   * The show as its account states it; null without one.
   */
  show?: Value;
}
/**
 * A robot of a recorded show.
 */
export interface ShowRobot {
  /**
   * Its name.
   */
  name: string;
  /**
   * The recordings of its runs: one, several if its process was started again, none if it is missing.
   */
  runs?: ShowRun[];
}
/**
 * The recording of a robot's run in a show.
 */
export interface ShowRun {
  /**
   * The robot's body.
   */
  body?: string;
  /**
   * By how much its times may be wrong at most, from its first scene on.
   */
  error?: Time;
  /**
   * The name of its file.
   */
  file: string;
  /**
   * Why it is not whole, if it is not.
   */
  wants?: string;
}
/**
 * An exception that left a script.
 */
export interface ScriptError {
  /**
   * Exception class, e.g. `NameError`.
   */
  kind: string;
  /**
   * Line of the box's own script, from 1.
   */
  line?: number | null;
  /**
   * Its text.
   */
  message?: string;
  /**
   * The whole traceback, as Python prints it, with the author's own lines.
   */
  traceback?: string;
}
/**
 * Who is not done yet with a stop.
 */
export interface Busy {
  /**
   * The behavior that is being stopped, or a part of it.
   */
  behavior: string;
  /**
   * The script's method (`onUnload`), or what the robot does (`walking`).
   */
  does: string;
  /**
   * It has had its time: nobody waits for it any more.
   */
  given_up?: boolean;
  /**
   * The box; `None` for the robot.
   */
  path?: BoxPath | null;
  /**
   * Since when, on the run's clock.
   */
  since: Time;
  /**
   * What it waits for: `a lock`, `sleep`, the call of a service; empty if it computes or moves.
   */
  waits_for?: string;
}
/**
 * A call of a service.
 */
export interface CallEvent {
  /**
   * The arguments.
   */
  args?: Value[];
  /**
   * It goes to the robot.
   */
  dir?: Outgoing & string;
  /**
   * Line of the box's script, from 1; 0 if not known.
   */
  line?: number;
  /**
   * e.g. `setAngles`
   */
  method: string;
  /**
   * e.g. `ALMotion`
   */
  service: string;
}
/**
 * Something that a person would see or hear the robot do.
 */
export interface Act {
  /**
   * What kind: `say`, `move`, `joints`, `leds`, `sound`, `posture`, `tablet`, `listen`, …
   */
  act: string;
  /**
   * The facts, as a map.
   */
  data?: Value;
  /**
   * One line for people, e.g. the sentence that is said.
   */
  text?: string;
}
/**
 * A rule of a topic.
 */
export interface RulePlace {
  /**
   * The name of the file; empty if the topic came as text.
   */
  file?: string;
  /**
   * The rule's keyword and input: `u:(hello)`.
   */
  head: string;
  /**
   * The line of the rule, from 1.
   */
  line: number;
  /**
   * The name of the topic.
   */
  topic: string;
}
/**
 * A rule that nearly answered.
 */
export interface NearRule {
  /**
   * The name of the file; empty if the topic came as text.
   */
  file?: string;
  /**
   * The rule's keyword and input: `u:(hello)`.
   */
  head: string;
  /**
   * The line of the rule, from 1.
   */
  line: number;
  /**
   * The name of the topic.
   */
  topic: string;
  /**
   * Why it did not answer.
   */
  why: string;
}
/**
 * Something about a resource.
 */
export interface ResourceEvent {
  /**
   * The resource.
   */
  name: string;
  /**
   * The other side: of `waiting` and `refused` who has it, of `lost`, `paused` and `asked` who asks.
   */
  others?: string[];
  /**
   * Who, if that is not the event's box: the name that a script gave.
   */
  owner?: string | null;
  /**
   * What happened.
   */
  what: ResourcePhase;
}
/**
 * Who is in a character, by name and in its order.
 */
export interface Plan {
  [k: string]: PlanEntry;
}
/**
 * A behavior of a character.
 */
export interface PlanEntry {
  /**
   * Its children.
   */
  children?: string[];
  /**
   * The resources that it claims.
   */
  claims?: string[];
  /**
   * The key that it has in the file, e.g. `sequence`.
   */
  is?: string;
}
/**
 * A part of a condition, with what it has found.
 */
export interface ConditionResult {
  /**
   * What it found, e.g. `is 35`; empty if there is nothing to say.
   */
  found?: string;
  /**
   * Is it true?
   */
  holds: boolean;
  /**
   * What that follows from.
   */
  parts?: ConditionResult[];
  /**
   * What it is about, e.g. `memory Battery less 20`.
   */
  what: string;
}
/**
 * For how long a child is not chosen.
 */
export interface CooldownEvent {
  /**
   * It is forgotten with its parent.
   */
  reset?: boolean;
  /**
   * Seconds.
   */
  seconds?: number;
  /**
   * The named timer that counts.
   */
  timer?: string | null;
}
/**
 * What became of something that has changed while the run goes on (`docs/guides/reload.md`).
 */
export interface ReloadEvent {
  /**
   * Of `refused`: why.
   */
  error?: ScriptError | null;
  /**
   * What became of it.
   */
  phase: ReloadPhase;
  /**
   * The same in words, with file and line where there is one.
   */
  text: string;
}
/**
 * The last line of a trace.
 */
export interface Footer {
  deterministic?: boolean;
  /**
   * Stimulations dropped.
   */
  dropped?: number;
  /**
   * Scripts that raised.
   */
  errors?: number;
  /**
   * Number of events.
   */
  events?: number;
  /**
   * Stops that took too long and were ended by force.
   */
  forced?: number;
  /**
   * Scripts that do not compile, and dialogs that cannot be loaded: their boxes took no part.
   */
  not_compiled?: number;
  /**
   * How the run ended.
   */
  reason: EndReason;
  /**
   * When.
   */
  t?: Time;
  /**
   * Unsupported calls met.
   */
  unsupported?: number;
  /**
   * Warnings.
   */
  warnings?: number;
  why?: string | null;
}
