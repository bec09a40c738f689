// What the page reckons by itself, without a browser.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createServer } from 'vite';

let vite;
before(async () => {
  const root = join(import.meta.dirname, '..');
  vite = await createServer({ root, logLevel: 'error', server: { middlewareMode: true, ws: false, watch: null }, appType: 'custom' });
});
after(() => vite.close());
const load = (file) => vite.ssrLoadModule(`/src/panels/${file}`);

test('a timeline goes on between its commands, as fast as was said', async () => {
  const { cursorAt } = await load('cursor.ts');
  const s = 1e9;
  const at = (value, t) => cursorAt({ value }, t, 25)?.frame;
  assert.equal(cursorAt(undefined, 0, 25), undefined);
  assert.equal(at(['load', 1, 0, false, []], 5 * s), 1);
  assert.equal(at(['play', 1, 2 * s, true, []], 3 * s), 26);
  assert.equal(at(['play', 1, 2 * s, true, [[2 * s, 10]]], 3 * s), 11, 'set before it began to play');
  assert.equal(at(['play', 1, 0, true, [[2 * s, 10]]], 3 * s), 61, 'two seconds at 25, one at 10');
  assert.equal(at(['pause', 40, 2 * s, false, [[2 * s, 10], [3 * s, 5]]], 9 * s), 40);
  assert.equal(at(['play', 7, 2 * s, true, []], 1 * s), 7, 'never before where it began');
});

test('a conversation has each sentence once, where the dialog hears it, and each answer with its rule', async () => {
  const { conversation } = await load('talk.ts');
  const rule = { topic: 'a', file: 'a.top', line: 3, head: 'u:(hello)' };
  let n = 0;
  const line = (t, kind, fields) => ({ n: (n += 1), t, kind, ...fields });
  const dialog = (t, what, fields) => line(t, 'dialog', { what, path: 'root/D', ...fields });
  const entries = conversation([
    line(1, 'control', { what: 'hear', details: { text: 'hello' } }),
    dialog(1, 'heard', { text: 'hello' }),
    line(1, 'event', { key: 'WordRecognized', value: ['hello', 1], cause: 1 }),
    dialog(1, 'matched', { rule, captures: ['x'] }),
    dialog(1, 'focus', { topic: 'a' }),
    dialog(1, 'answer', { text: 'One.' }),
    line(1, 'act', { act: 'say', text: 'One.', path: 'root/D' }),
    line(2, 'control', { what: 'hear', details: { text: 'bye' } }),
    dialog(3, 'answer', { text: 'Two.' }),
    line(3, 'act', { act: 'say', text: 'Two.', path: 'root/D' }),
    dialog(4, 'variable', { key: 'v', value: 1 }),
    dialog(5, 'heard', { text: 'bye' }),
    dialog(5, 'not_understood', { text: 'bye', near: [{ ...rule, why: 'no' }] }),
    line(6, 'act', { act: 'say', text: 'A box.', path: 'root/Say' }),
    line(7, 'control', { what: 'hear', details: { text: 'later' } }),
  ]);
  const told = entries.map((one) => [one.kind, one.t, one.text ?? one.sentences?.map(({ text }) => text).join(' ') ?? one.name ?? one.near.length]);
  assert.deepEqual(told, [
    ['heard', 1, 'hello'],
    ['reply', 1, 'One. Two.'],
    ['step', 1, 'focus'],
    ['step', 4, '$v'],
    ['heard', 5, 'bye'],
    ['miss', 5, 1],
    ['reply', 6, 'A box.'],
    ['heard', 7, 'later'],
  ]);
  assert.deepEqual([entries[1].rule.line, entries[1].captures, entries[6].rule], [3, ['x'], undefined]);
  assert.equal(entries[0].recognized, 'hello');
  assert.deepEqual([entries[4].said, entries[4].waits, entries[7].waits], [2, false, true]);
});

test('LEDs of a recording that says what it likes are drawn as far as that can be', async () => {
  const { lights } = await load('../robot/body.ts');
  const body = { leds: [{ name: 'Chest', channels: ['red', 'green', 'blue'] }], groups: [] };
  const act = (data) => ({ about: 'leds', name: 'Chest', path: '', n: 1, t: 0, times: 1, value: { text: '', data } });
  for (const colors of ['red', 7, { a: 1 }, [null], [[]], null]) {
    assert.equal(lights(body, [act({ group: 'Chest', colors })], 1e9).colors.size, 1, JSON.stringify(colors));
  }
});

test('numbers are drawn as they are, stretches from the smallest to the largest, others as counts', async () => {
  const { drawn } = await load('plot.ts');
  const s = 1e9;
  assert.deepEqual(drawn([[0, 1, 5, 5, 5], [s, 1, 7, 7, 7]], 2 * s), { data: [[0, 1, 2], [5, 7, 7]], counted: false });
  assert.deepEqual(drawn([[0, 9, 1, 8, 3], [4 * s, 1, 2, 2, 2]], 4 * s).data, [[0, 1, 2, 4], [1, 8, 3, 2]]);
  assert.deepEqual(drawn([[0, 1], [s, 3]], s), { data: [[0, 1], [1, 4]], counted: true });
  assert.deepEqual(drawn([[0, 1, 5, 5, 5], [s, 1]], s).data, [[0, 1], [5, null]], 'a gap, where it was no number');
  assert.deepEqual(drawn([], s).data, [[], []]);
});

test('behaviors are a tree, also if what is told of them is damaged', async () => {
  const { behaviorRows } = await load('tree.ts');
  const one = (name, children, more = {}) => ({ name, path: name, is: '', children, phase: 'out', active: null, waits: null, winds_down: null, runs: 0, ...more });
  const names = (all) => behaviorRows(all).map((row) => `${' '.repeat(row.depth)}${row.name}`);
  assert.deepEqual(names([one('a', ['b', 'c', 'gone']), one('b', ['d']), one('c', ['d']), one('d', [])]), ['a', ' b', '  d', ' c', '  d']);
  const rows = behaviorRows([one('a', ['b', 'b2'], { active: 5 }), one('b', [], { phase: 'in' }), one('b2', [], { phase: 'entering' })]);
  assert.deepEqual(rows.map((row) => [row.state, row.since]), [['runs', 5], ['scope', null], ['loads', null]]);
  assert.equal(new Set(rows.map((row) => row.key)).size, 3);
  assert.ok(names([one('a', ['b']), one('b', ['a'])]).length < 20, 'a circle has an end');
});

test('boxes stand below the next one around them that has run', async () => {
  const { boxRows } = await load('tree.ts');
  const bar = (path, spans, delegates = false) => ({ path, delegates, spans });
  const bars = [bar('root/A', [['runs', 0, 9, false, 1]]), bar('root/A b', [['runs', 5, null, false, 3]]), bar('root/A/In/Deep', [['runs', 2, 4, false, 1]]), bar('root', [['runs', 0, null, false, 1]]), bar('main', [], true)];
  const rows = boxRows(bars, 3, (path) => path.split('/').at(-1));
  assert.deepEqual(rows.map((row) => [row.depth, row.name, row.state]), [[0, 'root', 'runs'], [1, 'A', 'runs'], [2, 'Deep', 'runs'], [1, 'A b', 'out']]);
});

test('a line says what matters, whatever it is', async () => {
  const { message, scriptLine, lasted } = await load('words.ts');
  const line = { n: 1, t: 0, kind: 'service', service: 'ALMotion', method: 'moveTo', args: [1, 'x'], line: 7 };
  assert.equal(message(line), 'ALMotion.moveTo (1, "x")');
  assert.equal(scriptLine(line), 7);
  assert.equal(message({ kind: 'raised', method: 'm', error: { kind: 'E', message: 'no', line: 3 } }), 'm E: no');
  assert.equal(message({ kind: 'of tomorrow', others: [1] }), '(1)');
  assert.deepEqual([0, 5e5, 25e6, 1.5e9, 125e9].map(lasted), ['0 s', '500 µs', '25 ms', '1.50 s', '2 min 05 s']);
});

test('sounds are served if they lie in the folder of what plays', async () => {
  const { soundPath } = await load('../robot/body.ts');
  assert.equal(soundPath('{behavior}/sounds/a b.wav'), 'sounds/a%20b.wav');
  assert.equal(soundPath('{character}/beep.ogg'), 'beep.ogg');
  assert.equal(soundPath('sounds/beep.ogg'), 'sounds/beep.ogg', 'as a script names it');
  assert.equal(soundPath('/usr/share/beep.ogg'), undefined);
  assert.equal(soundPath('{home}/beep.ogg'), undefined);
});
