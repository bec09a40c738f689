// What is drawn of an account: bars, spans, marks and lines, all with the number of the entry that they are of.

import type { Entry } from './show.svelte';

/** Until `to`; until now if it is left out. */
export type Bar = { entry: number; kind: 'scene' | 'lost' | 'held'; text: string; from: number; to?: number };
export type Mark = { entry: number; kind: 'cue' | 'trouble' | 'stopped' | 'refused' | 'over'; at: number };
/** What is drawn of a robot, or of the show as a whole. */
export type Row = { bars: Bar[]; spans: Bar[]; marks: Mark[] };
export type Begins = { entry: number; scene: string; at: number };
export type Cue = { entry: number; from: number; to: number[]; at: number; due: number };
export type Drawn = { show: Row; rows: Row[]; begins: Begins[]; cues: Cue[]; end: number };

export function drawn(entries: Entry[], lanes: number): Drawn {
  const row = (): Row => ({ bars: [], spans: [], marks: [] });
  const [show, rows] = [row(), Array.from({ length: lanes }, row)];
  const [begins, cues]: [Begins[], Cue[]] = [[], []];
  let end = 0;
  /** Those that go on. */
  const close = (bars: Bar[], at: number) => {
    const last = bars.at(-1);
    if (last && last.to === undefined) last.to = at;
  };
  const closeAll = (of: Row, at: number) => (close(of.bars, at), close(of.spans, at));
  entries.forEach((one, entry) => {
    const { at } = one;
    end = Math.max(end, at);
    const of = one.robot === null ? show : rows[one.robot];
    if (!of) return;
    const span = (kind: 'lost' | 'held', text: string) => (close(of.spans, at), of.spans.push({ entry, kind, text, from: at }));
    switch (one.what) {
      case 'scene':
        begins.push({ entry, scene: one.scene, at: one.begins });
        end = Math.max(end, one.begins);
        close(show.spans, at);
        break;
      case 'started':
        closeAll(of, at);
        of.bars.push({ entry, kind: 'scene', text: one.scene, from: at });
        break;
      case 'ended': {
        const last = of.bars.at(-1);
        // It was lost, and has played on meanwhile.
        const back = of.spans.at(-1);
        const unseen = last?.to !== undefined && last.text === one.scene && back?.kind === 'lost' && back.to !== undefined && back.from >= last.to;
        if (unseen && back.to! < at) of.bars.push({ ...last, from: back.to!, to: at });
        closeAll(of, at);
        break;
      }
      case 'lost':
        closeAll(of, at);
        span('lost', 'lost');
        break;
      case 'held':
        closeAll(of, at);
        span('held', 'holds');
        break;
      case 'back':
      case 'armed':
      case 'goes_on':
        close(of.spans, at);
        break;
      case 'cue':
        of.marks.push({ entry, kind: 'cue', at });
        cues.push({ entry, from: one.robot ?? 0, to: one.to.filter((to) => to < lanes), at, due: at + one.after });
        end = Math.max(end, at + one.after);
        break;
      case 'trouble':
        of.marks.push({ entry, kind: 'trouble', at });
        break;
      case 'stopped':
      case 'refused':
        closeAll(of, at);
        of.marks.push({ entry, kind: one.what, at });
        if (of === show) rows.forEach((row) => closeAll(row, at));
        break;
      case 'called_off':
        of.marks.push({ entry, kind: 'refused', at });
        [show, ...rows].forEach((row) => closeAll(row, at));
        break;
      case 'over':
        of.marks.push({ entry, kind: 'over', at });
        [show, ...rows].forEach((row) => closeAll(row, at));
        break;
    }
  });
  return { show, rows, begins, cues, end };
}

/** The entries that are drawn in a row, each once, by time. */
export function order(row: Row, begins: Begins[] = []): { entry: number; at: number }[] {
  const bars = [...row.bars, ...row.spans].map(({ entry, from }) => ({ entry, at: from }));
  const first = new Map<number, { entry: number; at: number }>();
  for (const one of [...bars, ...row.marks, ...begins]) if (!first.has(one.entry)) first.set(one.entry, one);
  return [...first.values()].sort((a, b) => a.at - b.at || a.entry - b.entry);
}

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];
/** The least distance between two numbers of the axis, in pixels. */
const APART = 64;

/** The times at the axis between two times. */
export function ticks(from: number, to: number, scale: number): number[] {
  const step = STEPS.find((step) => step * scale >= APART) ?? STEPS.at(-1)!;
  const first = Math.max(0, Math.floor(from / step));
  const count = Math.min(1000, Math.ceil(to / step) - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step).filter((at) => at <= to);
}

/** A time at the axis: `12 s`, `1:05`. */
export function clock(at: number): string {
  if (at < 60) return `${+at.toFixed(1)} s`;
  const [minutes, seconds] = [Math.floor(at / 60), +(at % 60).toFixed(1)];
  const rest = `${seconds < 10 ? '0' : ''}${seconds}`;
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/** How long the axis of a show that goes on is: longer than what was, so that not everything moves all the time. */
export function room(seconds: number): number {
  const step = seconds < 30 ? 10 : seconds < 120 ? 30 : seconds < 900 ? 120 : 900;
  return Math.ceil((seconds + step / 10) / step) * step;
}
