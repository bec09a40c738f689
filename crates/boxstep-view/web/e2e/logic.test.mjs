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

test('an arrangement is kept and read again, whatever a cookie says', async () => {
  const { read, written, PRESETS, keyOf } = await load('../layout.svelte.ts');
  for (const [name, { docks, sizes }] of Object.entries(PRESETS)) assert.deepEqual(read(written(name, docks, sizes)), { preset: name, docks, sizes });
  assert.deepEqual(read('Play-drd.r.l-999999-x').docks, { main: ['diagram', 'robot'], side: [], below: ['log'] }, 'each region once');
  assert.deepEqual(read('Play-d..-999999-x').sizes, { side: 0.8, below: PRESETS.Play.sizes.below });
  for (const text of ['', 'Play', 'Play---', 'Nothing-d..-1-1', '__proto__-d..-1-1', 'Play-ZZ.?.!-1-1']) assert.equal(read(text), undefined, text);
  assert.notEqual(keyOf('hello'), keyOf('hallo'));
  assert.match(keyOf('größer 🙂'), /^[0-9a-z]+$/);
});

test('a search finds names first, then ports, values and lines of scripts, and no hidden value', async () => {
  const { found } = await load('../find.ts');
  const box = (name, more = {}) => ({ name, path: `root/${name}`, tooltip: '', script: null, inputs: [], outputs: [], parameters: [], ...more });
  const boxes = [
    box('b', { script: { text: 'x = 1\nsay("wave")\n' } }),
    box('c', { parameters: [{ name: 'Text', value: 'wave now', password: false }, { name: 'Key', value: 'wave', password: true }] }),
    box('d', { inputs: [{ name: 'onWave' }] }),
    box('Wave 10'),
    box('Wave 9'),
  ];
  assert.deepEqual(found(boxes, 'WAVE').map(({ what, text }) => [what, text]), [['box', 'root/Wave 9'], ['box', 'root/Wave 10'], ['port', 'onWave'], ['value', 'Text = wave now'], ['script', '2: say("wave")']]);
  assert.equal(found(boxes, 'wave 10')[0].name, 'Wave 10');
  assert.deepEqual(found(boxes, '  '), []);
  assert.deepEqual(found(boxes, 'key').map(({ text }) => text), ['Key']);
});

test('a parameter has the field of its type, and what is typed there is a value of it', async () => {
  const { fieldOf, valueOf } = await load('../parameter.ts');
  const of = (type, more = {}) => ({ name: 'p', type, value: '', min: null, max: null, choices: [], custom_choice: false, password: false, ...more });
  const fields = [of('bool'), of('int', { min: 0, max: 9 }), of('float'), of('float', { min: 0, max: 1e9 }), of('string', { choices: ['a'] }), of('string', { choices: ['a'], custom_choice: true }), of('string', { value: 'x'.repeat(40) }), of('string', { value: 'x'.repeat(40), password: true })];
  assert.deepEqual(fields.map(fieldOf), ['switch', 'slider', 'number', 'number', 'choice', 'line', 'lines', 'line']);
  assert.deepEqual([valueOf(of('bool'), '1'), valueOf(of('bool'), '0'), valueOf(of('int'), '2.6'), valueOf(of('float'), '2.5'), valueOf(of('string'), '3')], [true, false, 3, 2.5, '3']);
  for (const text of ['', 'x', 'NaN', '1e999']) assert.equal(valueOf(of('float'), text), undefined, text);
});

test('lines of a traceback lead to the scripts that they are of, also where a behavior has another root', async () => {
  const { framesOf } = await load('../traceback.ts');
  const text = 'Traceback (most recent call last):\n  File "{behavior}/a.xar: root/A: b", line 3, in f\n    x\n  File "/usr/lib/x.py", line 9, in g\nE: File "x: y"\n';
  const places = (own) => framesOf(text, own).map(({ at }) => at && `${at.path} ${at.line}`);
  assert.deepEqual(places('root/A: b'), [undefined, 'root/A: b 3', undefined, undefined, undefined]);
  const plain = (own) => framesOf(text.replace('A: b', 'A'), own).map(({ at }) => at && `${at.path} ${at.line}`);
  assert.deepEqual(plain('root/A'), [undefined, 'root/A 3', undefined, undefined, undefined]);
  assert.equal(plain('dance/root/A')[1], 'dance/root/A 3');
  assert.equal(plain('root/B')[1], 'root/A 3');
  assert.equal(framesOf(text, '').map(({ text }) => text).join('\n'), text.trimEnd());
});

test('a script waits in the calls without a reply, else in the methods that have not returned', async () => {
  const { waitsOf } = await load('../editor/marks.ts');
  const text = 'class MyClass(GeneratedClass):\n    def a(self):\n        say()\n\n    def b(self):\n        sleep()\n';
  const lines = (methods, calls) => waitsOf({ methods: methods.map((method) => ({ method })), calls }, text).map(({ line, note }) => `${line} ${note}`);
  const say = { service: 'S', method: 'say', line: 3 };
  assert.deepEqual(lines(['a'], [say]), ['3 ⧗ no reply yet: S.say']);
  assert.deepEqual(lines(['b', 'a'], [say]), ['3 ⧗ no reply yet: S.say', '5 ⧗ has not returned']);
  assert.deepEqual(lines(['a', 'a', 'gone'], []), ['2 ⧗ has not returned']);
  assert.deepEqual(lines([], [say, { ...say, method: 'stop' }, { ...say, line: 0 }]), ['3 ⧗ no reply yet: S.say, S.stop']);
});

test('the robot stands between two postures, and never beyond them', async () => {
  const { BALANCE, framesOf, postureAt, pointsOf, rangeOf, tickStep } = await load('timeline.ts');
  const postures = { first: 1, stride: 2, fps: 25, joints: { HeadYaw: [0, 1, 3] }, fast: [], balance: [[1, 30]] };
  assert.deepEqual([-5, 1, 2, 3, 4, 99].map((frame) => postureAt(postures, frame).get('HeadYaw')), [0, 0, 0.5, 1, 2, 3]);
  const curve = { name: 'value', joint: 'HeadYaw', mute: false, unit: 'degree', keys: [{ frame: 1, value: 0 }, { frame: 5, value: null }] };
  assert.deepEqual(pointsOf(curve, postures).map(([frame]) => frame), [1, 3, 5]);
  assert.deepEqual(pointsOf({ ...curve, mute: true }, postures), [[1, 0]], 'a muted one moves nothing');
  assert.deepEqual(pointsOf(curve, undefined), [[1, 0]]);
  assert.deepEqual([pointsOf(BALANCE, postures), pointsOf(BALANCE, undefined)], [[[1, 30]], []]);
  assert.deepEqual(framesOf({ start_frame: null, end_frame: null, curves: [curve], layers: [] }), [1, 5]);
  assert.deepEqual(framesOf({ start_frame: null, end_frame: null, curves: [], layers: [] }), [1, 2]);
  assert.deepEqual([rangeOf([]), rangeOf([5]), rangeOf([0, 10])], [[0, 1], [4, 6], [-1, 11]]);
  assert.deepEqual([0.01, 1, 8, 60, 100].map((pixels) => tickStep(pixels)), [10000, 100, 10, 2, 1]);
});

test('keys are where their curve is, and their handles where the motion has them', async () => {
  const { copyOf, handleOf, idOf, moveOps, pasteOps, pointsIn, refOf, rounded, valueAt } = await load('../edit/keys.ts');
  const curve = { name: 'value', joint: 'HeadYaw', mute: false, unit: 'degree', keys: [{ frame: 31, value: 60 }, { frame: 1, value: 0 }, { frame: 61, value: 61 }, { frame: 70, value: null }] };
  const keys = pointsIn(curve);
  assert.deepEqual(keys.map(({ frame }) => frame), [1, 31, 61]);
  // Automatic: flat at the ends, never beyond the neighbor; `boxstep-motion` has the same numbers in its tests.
  assert.deepEqual(handleOf(keys, 0, 'right'), { interpolation: 'bezier_auto', frames: 10, value: 0 });
  assert.deepEqual(handleOf(keys, 1, 'right'), { interpolation: 'bezier_auto', frames: 10, value: 1 });
  assert.deepEqual(handleOf(keys, 1, 'left'), { interpolation: 'bezier_auto', frames: -10, value: -1 });
  assert.deepEqual(handleOf(keys, 1, 'left', 'linear'), { interpolation: 'linear', frames: -10, value: -20 });
  assert.deepEqual(handleOf(keys, 1, 'left', 'bezier'), { interpolation: 'bezier', frames: -10, value: -1 }, 'it begins as it was');
  assert.deepEqual(handleOf([{ ...keys[0], right: { interpolation: 'bezier', frames: 3, value: 4 } }, keys[1]], 0, 'right'), { interpolation: 'bezier', frames: 3, value: 4 });
  const postures = { first: 1, stride: 2, fps: 25, joints: { HeadYaw: [0, Math.PI, 0] }, fast: [], balance: [] };
  assert.deepEqual([0, 1, 2, 3].map((frame) => Math.round(valueAt(curve, postures, frame))), [0, 0, 90, 180]);
  assert.equal(valueAt(curve, undefined, 16), 30);
  assert.deepEqual([valueAt(curve, postures, 99), valueAt({ ...curve, keys: [] }, postures, 5)], [61, undefined]);
  assert.deepEqual(refOf(idOf('a\tb', 3)), { joint: 'a\tb', frame: 3 });
  assert.deepEqual([rounded(curve, 1.23456), rounded({ ...curve, unit: 'percent' }, 0.12345)], [1.23, 0.123]);
  const chosen = new Set([idOf('HeadYaw', 31), idOf('HeadYaw', 61)]);
  assert.deepEqual(moveOps('b', [curve], chosen, 2, () => 0.004), [
    { op: 'move_keys', box: 'b', keys: [{ joint: 'HeadYaw', frame: 31 }, { joint: 'HeadYaw', frame: 61 }], frames: 2 },
    { op: 'set_keys', box: 'b', joint: 'HeadYaw', keys: [{ frame: 33, value: 60 }, { frame: 63, value: 61 }] },
  ]);
  assert.deepEqual(moveOps('b', [curve], chosen, 0, () => 0), []);
  assert.deepEqual(pasteOps('b', copyOf([curve], chosen), 5)[0].keys.map(({ frame, value }) => [frame, value]), [[5, 60], [35, 61]]);
});

test('a character is a graph with each behavior once, also if what is told of it is damaged', async () => {
  const { behaviorGraph } = await load('tree.ts');
  const one = (name, children) => ({ name, path: name, is: '', children, phase: 'out', active: null, waits: null, winds_down: null, runs: 0 });
  const graph = behaviorGraph([one('a', ['b', 'c', 'gone']), one('b', ['d']), one('c', ['d']), one('d', [])]);
  assert.deepEqual(graph.nodes.map(({ one, x, y }) => [one.name, x, y]), [['a', 0, 0.5], ['b', 1, 0], ['d', 2, 0], ['c', 1, 1]]);
  assert.deepEqual(graph.edges.map(({ from, to, again }) => [from.one.name, to.one.name, again]), [['b', 'd', false], ['a', 'b', false], ['c', 'd', true], ['a', 'c', false]]);
  const tree = [one('T', ['T/1', 'T/2']), { ...one('T/1', ['T/1/then']), is: 'sequence' }, one('T/1/then', []), { ...one('T/2', []), is: '' }];
  assert.deepEqual(behaviorGraph(tree).nodes.map(({ name }) => name).sort(), ['2', 'T', 'sequence 1', 'then']);
  assert.equal(behaviorGraph([one('a', ['b']), one('b', ['a'])]).nodes.length, 2, 'a circle has an end');
  assert.equal(behaviorGraph([one('a', ['a'])]).nodes.length, 1);
});

test('files that a parameter is meant for come first, and pictures of the editor are none of the folder', async () => {
  const { choicesOf, pictureOf } = await load('../attached.ts');
  const files = ['a.wav', 'b.PNG', 'c.dlg', 'd'];
  assert.deepEqual(choicesOf(files, '', ['File', 'Play Sound']), { fits: ['a.wav'], others: ['b.PNG', 'c.dlg', 'd'] });
  assert.deepEqual(choicesOf(files, 'x.jpg', ['File', 'Play Sound']).fits, ['b.PNG'], 'what it has now says more than names');
  assert.deepEqual(choicesOf(files, '', ['File', 'Box']), { fits: [], others: files });
  assert.deepEqual(choicesOf([...files, 'e.csv'], 'x.csv', ['Sound']).fits, ['e.csv']);
  const there = new Set(['images/a.png']);
  assert.equal(pictureOf(['media/images/box/say.png', './images\\a.png'], there), 'images/a.png');
  for (const images of [undefined, [], ['media/images/box/say.png'], ['../images/a.png']]) assert.equal(pictureOf(images, there), undefined);
});
