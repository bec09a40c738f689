// The example hello, built in the page from an empty file, with the mouse alone (besides what is written into fields) and with the
// keyboard alone: it is without findings, and plays to the line as its golden trace.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { button, dragged, edited, middle, tabbed } from './editing.mjs';
import { box, inspector, opened, root, shot, temp } from './helpers.mjs';

const SAY = `class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onLoad(self):
        self.tts = ALProxy("ALTextToSpeech")
        self.talking = False

    def onUnload(self):
        if self.talking:
            self.tts.stopAll()

    def onInput_onStart(self):
        text = self.getParameter("Text")
        self.logger.info("%d words to say" % len(text.split()))
        self.talking = True
        self.tts.say(text)
        self.talking = False
        self.onStopped() # activate the output of the box

    def onInput_onStop(self):
        self.onUnload() # clean up as if the box were unloaded
        self.onStopped()`;

/** The curves of the wave: frames and values. */
const WAVE = {
  RShoulderPitch: { 10: 40, 25: -60, 75: -60, 95: 82 },
  RShoulderRoll: { 25: -12, 35: -40, 45: -5, 55: -40, 65: -5, 75: -25, 95: -9 },
  RElbowRoll: { 25: 60, 75: 55, 95: 25 },
  RElbowYaw: { 25: 40, 95: 60 },
  RHand: { 20: 1, 75: 1, 95: 0.25 },
  HeadYaw: { 25: -15, 75: -15, 95: 0 },
};

/** A page that shows the behavior without its boxes, and what it is compared with in the end. */
async function empty(t, { allowed }) {
  const folder = join(mkdtempSync(join(temp, 'built-')), 'hello');
  mkdirSync(folder);
  const example = readFileSync(join(root, 'examples/hello/behavior.xar'), 'utf8');
  writeFileSync(join(folder, 'behavior.xar'), example.replace(/<Diagram scale="100">[\s\S]*<\/Diagram>/, '<Diagram scale="100" />'));
  const page = await opened(t, await edited(t, folder), { viewport: { width: 1600, height: 1000 } });
  await button(page, 'Undo').waitFor();
  // What is not allowed is not done by mistake.
  const never = (what) => () => {
    throw new Error(`this is done without the ${what}`);
  };
  if (allowed === 'mouse') [page.keyboard.press, page.keyboard.down] = [never('keys'), never('keys')];
  else for (const act of ['move', 'down', 'up', 'click', 'dblclick', 'wheel']) page.mouse[act] = never('mouse');
  return { page, folder };
}

function isTheExample(folder, name) {
  const boxstep = (...args) => spawnSync(process.env.BOXSTEP, args, { encoding: 'utf8' });
  const found = boxstep('check', folder);
  assert.equal(found.status, 0, found.stdout + found.stderr);
  assert.doesNotMatch(found.stdout + found.stderr, /(error|warning|note)\[/);
  const trace = join(temp, `${name}.jsonl`);
  const run = boxstep('play', folder, '--virtual-time', '--trace', trace);
  assert.equal(run.status, 0, run.stderr);
  const lines = (path) => readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
  assert.deepEqual(lines(trace), lines(join(root, 'examples/hello/golden.jsonl')));
}

const did = (page, what) => page.locator(`[title^="undo: "][title*="${what}"]`).waitFor();
const LINKS = [
  ['input onStart root', 'input onStart root/Say'],
  ['input onStart root', 'input onStart root/Wave'],
  ['output onStopped root/Wave', 'input onStart root/Say bye'],
  ['output onStopped root/Say bye', 'output onStopped root'],
];
const tabs = (name) => name.replace(' ', '\t').replace(' ', '\t');
const linked = (page, [from, to]) => page.locator(`[data-from="${tabs(from)}"][data-to="${tabs(to)}"]`).waitFor({ state: 'attached' });
const keyOf = (timeline, joint, frame) => timeline.locator(`[data-joint="${joint}"] [data-frame="${frame}"]`).first();
/** Waits until a change is in the file. */
const changes = (page, act) => Promise.all([page.waitForResponse((answer) => answer.request().method() === 'POST' && /\/edit\/\d+$/.test(answer.url())), act()]);

test('hello is built with the mouse alone', async (t) => {
  const { page, folder } = await empty(t, { allowed: 'mouse' });
  const at = async (of, { times = 1, button = 'left' } = {}) => {
    await of.waitFor();
    // As with the wheel.
    await of.evaluate((one) => one.closest('.inspector') && one.scrollIntoView({ block: 'nearest' }));
    const { x, y } = await middle(of);
    await page.mouse.click(x, y, { clickCount: times, button });
  };
  const stage = page.getByRole('application').first();
  /** A place of the diagram where nothing is. */
  const nowhere = () => stage.evaluate((stage) => {
    const { left, top, width, height } = stage.getBoundingClientRect();
    for (let y = top + 0.25 * height; y < top + height; y += 20) {
      for (let x = left + 0.2 * width; x < left + 0.8 * width; x += 20) {
        const near = [[0, 0], [-60, 0], [60, 0], [0, -40], [0, 40]].map(([dx, dy]) => document.elementFromPoint(x + dx, y + dy));
        if (near.every((one) => one && stage.contains(one) && !one.closest('[data-box], [data-port], .link, .over'))) return { x, y };
      }
    }
    throw new Error('the diagram is full');
  });
  const item = (name) => page.getByRole('menuitem', { name });
  const head = (name) => box(page, `root/${name}`).locator('.title').first();
  /** Writes a text in place of that of a field. */
  const write = async (field, text) => {
    await at(field, { times: 3 });
    await page.keyboard.type(text);
  };
  const heading = (name) => inspector(page).getByRole('heading', { name });

  const renamed = async (old, name) => {
    await at(head(old), { button: 'right' });
    await at(item('Rename…'));
    await page.getByRole('textbox', { name: 'name of the box' }).waitFor();
    await page.keyboard.type(name);
    const { x, y } = await nowhere();
    await page.mouse.click(x, y);
    await box(page, `root/${name}`).waitFor();
    await at(head(name));
    await heading(name).waitFor();
  };
  const added = async (kind, name) => {
    const { x, y } = await nowhere();
    await page.mouse.click(x, y, { button: 'right' });
    await at(item('Add a box…'));
    await page.getByRole('combobox', { name: 'box to add' }).waitFor();
    await page.keyboard.type(kind);
    await at(page.getByRole('option').filter({ hasText: kind }).first());
    await box(page, `root/${kind}`).waitFor();
    await renamed(kind, name);
  };
  /** Presses a button until its form is there: what is found in a box comes later, and moves what is below it. */
  const opens = async (name) => {
    const form = page.getByRole('dialog', { name });
    while (!(await form.isVisible())) {
      await at(button(inspector(page), name));
      await form.waitFor({ timeout: 2000 }).catch(() => {});
    }
    return form;
  };
  const needs = async (name) => {
    const form = await opens('add a resource');
    await write(form.getByLabel('name'), name);
    await at(button(form, 'Add'));
    await inspector(page).getByRole('button', { name: `change resource ${name}` }).waitFor();
  };
  const says = async (name, text) => {
    await write(inspector(page).getByRole('textbox', { name: 'Text', exact: true }), text);
    await at(heading(name));
    await did(page, 'Text');
  };

  await added('Python Script', 'Say');
  await at(button(inspector(page), 'Script'));
  const editor = page.getByRole('textbox', { name: 'script' });
  await editor.waitFor();
  // All of its text is chosen by dragging from its first line beyond its last one.
  const lines = editor.locator('.cm-line');
  const [first, last] = [await lines.first().boundingBox(), await lines.last().boundingBox()];
  await dragged(page, { x: first.x + 1, y: first.y + 4 }, { x: last.x + last.width - 4, y: last.y + last.height - 3 });
  await page.keyboard.insertText(SAY);
  const parameter = await opens('add a parameter');
  await write(parameter.getByLabel('name'), 'Text');
  await at(button(parameter, 'Add'));
  await says('Say', 'Hello, I am a robot.');
  await needs('Speech');

  await added('Timeline', 'Wave');
  await needs('Right arm');
  await at(page.getByRole('radio', { name: 'Animate' }));
  const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
  for (const [joint, keys] of Object.entries(WAVE)) {
    await at(timeline.getByRole('button', { name: 'Add a curve…' }));
    await page.getByRole('combobox', { name: 'add a curve' }).waitFor();
    await page.keyboard.type(joint);
    await at(page.getByRole('option', { name: joint, exact: true }));
    await timeline.locator(`[data-joint="${joint}"]`).first().waitFor({ state: 'attached' });
    // From the last one, so that the place of a new key is free.
    for (const [frame, value] of Object.entries(keys).reverse()) {
      await at(button(timeline, 'Add key'));
      await keyOf(timeline, joint, 1).waitFor({ state: 'attached' });
      const [when, height] = [timeline.getByRole('spinbutton', { name: 'frame', exact: true }), timeline.getByRole('spinbutton', { name: 'value' })];
      await write(when, frame);
      await at(height);
      await keyOf(timeline, joint, frame).waitFor({ state: 'attached' });
      if (Number(await height.inputValue()) === value) continue;
      await write(height, String(value));
      await changes(page, () => at(timeline.locator('output').filter({ hasText: joint })));
    }
  }
  await shot(page, 'hello-wave');

  await at(page.getByRole('radio', { name: 'Play' }));
  await at(head('Say'), { button: 'right' });
  await at(item('Duplicate'));
  await box(page, 'root/Say (1)').waitFor();
  await renamed('Say (1)', 'Say bye');
  await says('Say bye', 'See you soon!');
  for (const link of LINKS) {
    const port = (name) => page.locator(`[data-port="${tabs(name)}"] .port`);
    await dragged(page, await middle(port(link[0])), await middle(port(link[1])));
    await linked(page, link);
  }
  await shot(page, 'hello-built');
  await at(button(page, 'Save'));
  await button(page, 'Saved').waitFor();
  isTheExample(folder, 'mouse');
});

test('hello is built with the keyboard alone', async (t) => {
  const { page, folder } = await empty(t, { allowed: 'keyboard' });
  const { keyboard } = page;
  const press = async (...all) => {
    for (const key of all) await keyboard.press(key);
  };
  const stage = page.getByRole('application').first();
  const at = (of) => of.evaluate((one) => one === document.activeElement).catch(() => false);
  const focused = async (of) => {
    await of.waitFor({ state: 'attached' });
    while (!(await at(of)));
  };
  const renamed = async (name) => {
    await press('F2');
    await focused(page.getByRole('textbox', { name: 'name of the box' }));
    await keyboard.type(name);
    await press('Enter');
    await focused(box(page, `root/${name}`));
  };
  const added = async (kind, name) => {
    await tabbed(page, stage);
    await press('a');
    await focused(page.getByRole('combobox', { name: 'box to add' }));
    await keyboard.type(kind);
    await page.getByRole('option').filter({ hasText: kind }).first().waitFor();
    await press('Enter');
    await focused(box(page, `root/${kind}`));
    await renamed(name);
  };
  const needs = async (name) => {
    await tabbed(page, button(inspector(page), 'add a resource'));
    await press('Enter');
    await focused(page.getByRole('dialog', { name: 'add a resource' }).getByLabel('name'));
    await keyboard.type(name);
    await press('Enter');
    await inspector(page).getByRole('button', { name: `change resource ${name}` }).waitFor();
  };
  const says = async (text) => {
    const field = inspector(page).getByRole('textbox', { name: 'Text', exact: true });
    await field.waitFor();
    await tabbed(page, field);
    await press('Control+a');
    await keyboard.type(text);
    await press('Enter');
    await did(page, 'Text');
  };

  await added('Python Script', 'Say');
  await press('Enter');
  const editor = page.getByRole('textbox', { name: 'script' });
  await focused(editor);
  await press('Control+a');
  await keyboard.insertText(SAY);
  // Out of the editor, where Tab indents: out of its list first.
  await press('Escape', 'Escape');
  await tabbed(page, button(inspector(page), 'add a parameter'));
  await press('Enter');
  await focused(page.getByRole('dialog', { name: 'add a parameter' }).getByLabel('name'));
  await keyboard.type('Text');
  await press('Enter');
  await says('Hello, I am a robot.');
  await needs('Speech');

  await added('Timeline', 'Wave');
  await needs('Right arm');
  await tabbed(page, page.getByRole('radio', { name: 'Play' }));
  await press('ArrowRight');
  const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
  await timeline.waitFor();
  for (const [joint, keys] of Object.entries(WAVE)) {
    const adds = timeline.getByRole('button', { name: 'Add a curve…' });
    await tabbed(page, adds);
    await press('Enter');
    await focused(page.getByRole('combobox', { name: 'add a curve' }));
    await keyboard.type(joint);
    await page.getByRole('option', { name: joint, exact: true }).waitFor();
    await press('Enter');
    await timeline.locator(`[data-joint="${joint}"]`).first().waitFor({ state: 'attached' });
    for (const [frame, value] of Object.entries(keys).reverse()) {
      await tabbed(page, timeline.getByRole('application'));
      await press('k');
      await keyOf(timeline, joint, 1).waitFor({ state: 'attached' });
      const [when, height] = [timeline.getByRole('spinbutton', { name: 'frame', exact: true }), timeline.getByRole('spinbutton', { name: 'value' })];
      await tabbed(page, when, { back: true });
      await press('Control+a');
      await keyboard.type(frame);
      await press('Enter');
      await keyOf(timeline, joint, frame).waitFor({ state: 'attached' });
      await tabbed(page, height);
      if (Number(await height.inputValue()) === value) continue;
      await press('Control+a');
      await keyboard.type(String(value));
      await changes(page, () => press('Enter'));
    }
  }

  await tabbed(page, page.getByRole('radio', { name: 'Animate' }));
  await press('ArrowLeft');
  await tabbed(page, box(page, 'root/Say'));
  await press('Control+d');
  await focused(box(page, 'root/Say (1)'));
  await renamed('Say bye');
  await says('See you soon!');
  // A link is chosen by what it is called.
  for (const [of, from, to, link] of [
    ['Say', 'in: onStart', '', LINKS[0]],
    ['Wave', 'in: onStart', '', LINKS[1]],
    ['Wave', '', 'Say bye . onStart', LINKS[2]],
    ['Say bye', '', 'out: onStopped', LINKS[3]],
  ]) {
    await tabbed(page, box(page, `root/${of}`));
    await press('l');
    const form = page.getByRole('dialog', { name: 'draw a link' });
    await focused(form.getByLabel('from'));
    if (from) await keyboard.type(from);
    await press('Tab');
    if (to) await keyboard.type(to);
    await press('Enter');
    await linked(page, link);
    await form.waitFor({ state: 'detached' });
  }
  await press('Control+s');
  await button(page, 'Saved').waitFor();
  isTheExample(folder, 'keyboard');
});
