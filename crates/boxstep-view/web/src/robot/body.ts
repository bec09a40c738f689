// The robot's body as the server sends it (docs/reference/view-protocol.md, `/body`), and what follows from the picture: how bright LEDs are.

import type { Item } from '../wire.svelte';

export type Vector = [number, number, number];
export type Solid = {
  dark: boolean;
  box?: { middle: Vector; size: Vector };
  capsule?: { from: Vector; to: Vector; radius: number };
};
export type Link = {
  name: string;
  parent: string;
  at: Vector;
  turned: Vector;
  joint: string;
  axis: Vector;
  scale: number;
  solids: Solid[];
  mesh: string | null;
};
export type Channel = 'red' | 'green' | 'blue';
export type Led = { name: string; channels: Channel[]; link: string | null; at: Vector | null };
export type Touch = { event: string; place: string; link: string | null; at: Vector | null };
export type Balanced = {
  masses: { link: string; mass: number; center: Vector; inertia: [number, number, number, number, number, number] }[];
  soles: { link: string; floor: number[]; corners: Vector[] }[];
  legs: [string, string][];
  touching: { link: string; seat: boolean; points: [number, number, number, number][] }[];
};
export type Body = {
  name: string;
  links: Link[];
  joints: { name: string; kind: 'angle' | 'hand' | 'wheel'; min: number | null; max: number | null; follows: string | null }[];
  leds: Led[];
  groups: { name: string; leds: string[]; channels: Channel[] }[];
  touch: Touch[];
  /** The names of postures that it can be sent to, if it is simulated. */
  postures?: string[];
  /** What its balance depends on, if that is known. */
  balance: Balanced | null;
  /** How it stands at first. */
  stands: Record<string, number>;
  sounds: boolean;
  tablet: { port: number; key: string } | null;
};

/** Red, green, blue, 0…1. */
export type Color = Vector;
type Facts = { group?: string; colors?: string[]; times?: number[]; intensity?: number; seconds?: number; degrees?: number };

const CHANNELS: Channel[] = ['red', 'green', 'blue'];
/** How LEDs are before anybody says anything: eyes, ears and head shine. */
const shines = (name: string) => /^(Face|LeftEar|RightEar|Brain)/.test(name);

function color(text: string): Color {
  const number = parseInt(text.slice(1), 16);
  return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}

const mix = (one: Color, other: Color, part: number): Color =>
  one.map((x, at) => x + (other[at]! - x) * part) as Color;

/** What an act has them shine at a time after it began, from a colour on; in seconds. */
function shown(facts: Facts, from: Color, after: number): Color {
  const keys: [number, Color][] = (Array.isArray(facts.colors) ? facts.colors : []).map((one, at) => [facts.times?.[at] ?? 0, color(String(one))]);
  const level = facts.intensity ?? (facts.degrees === undefined ? undefined : 1);
  if (level !== undefined) keys.push([facts.seconds ?? 0, [level, level, level]]);
  let [since, before] = [0, from];
  for (const [at, to] of keys) {
    if (after < at) return mix(before, to, (after - since) / (at - since));
    [since, before] = [at, to];
  }
  return before;
}

/** When an act is over, in seconds after it began. */
const lasts = (facts: Facts) => Math.max(0, facts.seconds ?? 0, ...(facts.times ?? []));

/** The colour of each LED at a time in nanoseconds, and until when colours change. */
export function lights(body: Body, acts: Item[], t: number): { colors: Map<string, Color>; until: number } {
  const colors = new Map<string, Color>();
  const first = (led: Led): Color => {
    const on = shines(led.name) ? 1 : 0;
    return [on, on, on];
  };
  for (const led of body.leds) colors.set(led.name, first(led));
  let until = 0;
  for (const act of [...acts].sort((one, other) => one.n - other.n)) {
    const facts = ((act.value as { data?: Facts }).data ?? {}) as Facts;
    const group = body.groups.find((one) => one.name === act.name);
    const names = new Set(group?.leds ?? [act.name]);
    const channels = group?.channels ?? CHANNELS;
    const resets = !facts.colors && facts.intensity === undefined && facts.degrees === undefined && facts.seconds === undefined;
    until = Math.max(until, act.t + lasts(facts) * 1e9);
    for (const led of body.leds) {
      if (!names.has(led.name)) continue;
      const before = colors.get(led.name)!;
      const now = resets ? first(led) : shown(facts, before, (t - act.t) / 1e9);
      colors.set(led.name, before.map((x, at) => (channels.includes(CHANNELS[at]!) ? now[at]! : x)) as Color);
    }
  }
  return { colors, until };
}

/** What can be seen of a LED: those with one colour are blue. */
export function seen(led: Led, [red, green, blue]: Color): Color {
  return led.channels.length > 1 ? [red, green, blue] : [0.25 * blue, 0.5 * blue, blue];
}

export const css = ([red, green, blue]: Color) => `rgb(${[red, green, blue].map((x) => Math.round(x * 255)).join(' ')})`;

/** Where the tablet's pages are on their server; `outside` those that are elsewhere, which are not loaded. */
export function tabletPage(kind: string, url: string): { path: string } | { outside: string } {
  if (kind === 'application') return { path: 'index.html' };
  // As a robot serves its applications: http://198.18.0.1/apps/NAME/…; the folder is that of NAME.
  const own = /^https?:\/\/[^/]+\/apps\/[^/]+\/?(.*)$/.exec(url);
  if (own) return { path: own[1] || 'index.html' };
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith('//')) return { outside: url };
  return { path: url.replace(/^\/+/, '').replace(/^html\//, '') || 'index.html' };
}

/** The path of a sound below the behavior's folder, if it is there: a relative one is, for the robot and here. */
export function soundPath(file: string): string | undefined {
  const inside = /^\{(?:behavior|character)\}\/(.+)$/.exec(file)?.[1] ?? (/^[/{]/.test(file) ? undefined : file);
  return inside?.split('/').map(encodeURIComponent).join('/');
}

/** Languages as NAOqi names them, as browsers do. */
export const LANGUAGES: Record<string, string> = {
  Arabic: 'ar',
  Brazilian: 'pt-BR',
  Chinese: 'zh-CN',
  Czech: 'cs',
  Danish: 'da',
  Dutch: 'nl',
  English: 'en-US',
  Finnish: 'fi',
  French: 'fr',
  German: 'de',
  Greek: 'el',
  Italian: 'it',
  Japanese: 'ja',
  Korean: 'ko',
  MandarinTaiwan: 'zh-TW',
  Norwegian: 'nb',
  Polish: 'pl',
  Portuguese: 'pt-PT',
  Russian: 'ru',
  Spanish: 'es',
  Swedish: 'sv',
  Turkish: 'tr',
};
