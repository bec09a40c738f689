// What is said of lines, values and times.

import type { ScriptError } from '../trace';
import type { Line } from '../wire.svelte';

/** Nanoseconds as seconds, in so many digits after the point. */
export const seconds = (ns: number, digits = 3): string => (ns / 1e9).toFixed(digits);

/** How long something took, as short as it can be said. */
export function lasted(ns: number): string {
  if (ns < 1e6) return ns <= 0 ? '0 s' : `${(ns / 1e3).toFixed(0)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toFixed(ns < 1e7 ? 1 : 0)} ms`;
  if (ns < 120e9) return `${(ns / 1e9).toFixed(ns < 10e9 ? 2 : 1)} s`;
  return `${Math.floor(ns / 60e9)} min ${String(Math.floor(ns / 1e9) % 60).padStart(2, '0')} s`;
}

/** What a box does, as people who build behaviors say it. */
const PHASES: Record<string, string> = { constructed: 'not loaded', destroyed: 'not loaded', starting: 'starts', started: 'plays', stopping: 'stops', loading: 'loads', unloading: 'unloads', unloaded: 'not loaded' };
export const phaseWord = (phase: string): string => PHASES[phase] ?? phase;

/** The kind of a line in the same words; all others are called as in recordings. */
export const kindWord = (kind: string): string => (kind === 'act' ? 'action' : kind);
/** What is searched for, as lines have it. */
export const asInLines = (words: string): string => words.replaceAll(/\baction\b/gi, 'act');

/** A value of a port or of memory. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'bang';
  return typeof value === 'number' ? String(+value.toPrecision(7)) : JSON.stringify(value);
}

/** The exception that a line tells of. */
export const raised = (line: Line): ScriptError | undefined =>
  'error' in line && typeof line.error === 'object' ? (line.error as ScriptError) : undefined;

/** The line of the script, if it is known. */
export function scriptLine(line: Line): number | undefined {
  const at = raised(line)?.line ?? ('line' in line ? line.line : undefined);
  return at !== undefined && at > 0 ? at : undefined;
}

/** What a line says beside its time, box and kind: whatever fields it has. */
export function message(of: Line): string {
  const line = of as Record<string, unknown>;
  // What waits says so in its text.
  const phase = line.kind === 'box' ? phaseWord(String(line.phase)) : line.kind === 'reload' && line.text ? undefined : line.phase;
  const parts: unknown[] = [line.text, phase, line.what === 'stimulate' ? 'signal' : line.what];
  if (line.act && !line.text) parts.push(line.act);
  if (line.service) parts.push(`${String(line.service)}.${String(line.method)}`);
  else if (line.method) parts.push(line.method);
  if (line.args) parts.push(`(${(line.args as unknown[]).map((one) => JSON.stringify(one)).join(', ')})`);
  parts.push(line.key, line.name);
  if (line.port) parts.push(`${String(line.port)} ← ${shown(line.value)}`);
  else if (line.value !== undefined && line.value !== null) parts.push(JSON.stringify(line.value));
  if (Array.isArray(line.to)) parts.push(`→ ${line.to.join(', ')}`);
  if (line.how) parts.push(parts.length ? `: ${String(line.how)}` : line.how);
  if (line.why) parts.push(line.how ? `(${String(line.why)})` : line.why);
  parts.push(line.owner);
  if (Array.isArray(line.others) && line.others.length) parts.push(`(${line.others.join(', ')})`);
  if (line.details) parts.push(JSON.stringify(line.details));
  const error = raised(of);
  parts.push(error ? `${error.kind}: ${error.message}` : line.error);
  return parts.filter((part) => part !== undefined && part !== null && part !== '').join(' ').replaceAll(' : ', ': ');
}
