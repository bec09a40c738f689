// The example hello, built in the page from an empty file: it is without findings, and plays to the line as its golden trace.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { button, dragged, edited, middle, save } from './editing.mjs';
import { box, inspector, opened, region, root, shot, temp } from './helpers.mjs';

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

test('the example hello is built from an empty file and plays as its golden trace', async (t) => {
  const folder = join(mkdtempSync(join(temp, 'built-')), 'hello');
  mkdirSync(folder);
  const example = readFileSync(join(root, 'examples/hello/behavior.xar'), 'utf8');
  const file = join(folder, 'behavior.xar');
  writeFileSync(file, example.replace(/<Diagram scale="100">[\s\S]*<\/Diagram>/, '<Diagram scale="100" />'));
  const page = await opened(t, await edited(t, folder), { viewport: { width: 1600, height: 1000 } });
  const stage = page.getByRole('application').first();
  await button(page, 'Undo').waitFor();

  const added = async (kind, name) => {
    await stage.focus();
    await page.keyboard.press('a');
    await page.getByRole('combobox', { name: 'box to add' }).fill(kind);
    await page.keyboard.press('Enter');
    await box(page, `root/${kind}`).waitFor();
    await renamed(kind, name);
  };
  const renamed = async (old, name) => {
    await box(page, `root/${old}`).focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'name of the box' }).fill(name);
    await page.keyboard.press('Enter');
    await box(page, `root/${name}`).waitFor();
    await box(page, `root/${name}`).click();
    await inspector(page).getByRole('heading', { name }).waitFor();
  };
  const needs = async (name) => {
    await button(inspector(page), 'add a resource').click();
    const form = page.getByRole('dialog', { name: 'add a resource' });
    await form.getByLabel('name').fill(name);
    await form.getByLabel('name').press('Enter');
    await inspector(page).getByRole('button', { name: `change resource ${name}` }).waitFor();
  };
  const says = async (text) => {
    const field = inspector(page).getByRole('textbox', { name: 'Text', exact: true });
    await field.fill(text);
    await field.press('Enter');
    await page.locator('[title^="undo: "][title*="Text"]').waitFor();
  };

  // Say: a script, a text, and the voice of the robot.
  await added('Python Script', 'Say');
  await button(inspector(page), 'Script').click();
  const editor = page.getByRole('textbox', { name: 'script' });
  await editor.click();
  await page.keyboard.press('Control+a');
  await editor.evaluate((field, text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, SAY);
  await button(inspector(page), 'add a parameter').click();
  const parameter = page.getByRole('dialog', { name: 'add a parameter' });
  await parameter.getByLabel('name').fill('Text');
  await parameter.getByLabel('name').press('Enter');
  await says('Hello, I am a robot.');
  await needs('Speech');
  await shot(page, 'hello-say');

  // Wave: its curves, and the arm.
  await added('Timeline', 'Wave');
  await needs('Right arm');
  await page.getByRole('radio', { name: 'Animate' }).check();
  const timeline = await region(page, 'Timeline');
  for (const [joint, keys] of Object.entries(WAVE)) {
    await timeline.getByRole('combobox', { name: 'add a curve' }).selectOption(joint);
    const of = timeline.locator(`[data-joint="${joint}"]`);
    await of.first().waitFor({ state: 'attached' });
    // From the last one, so that the place of a new key is free.
    for (const [frame, value] of Object.entries(keys).reverse()) {
      await timeline.getByRole('application').focus();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Home');
      await button(timeline, 'Add key').click();
      await of.locator('[data-frame="1"]').first().waitFor({ state: 'attached' });
      const field = timeline.getByRole('spinbutton', { name: 'frame', exact: true });
      await field.fill(frame);
      await field.press('Enter');
      await of.locator(`[data-frame="${frame}"]`).first().waitFor({ state: 'attached' });
      const height = timeline.getByRole('spinbutton', { name: 'value' });
      if (Number(await height.inputValue()) === value) continue;
      const done = page.waitForResponse((answer) => answer.request().method() === 'POST' && /\/edit\/\d+$/.test(answer.url()));
      await height.fill(String(value));
      await height.press('Enter');
      await done;
    }
  }
  await shot(page, 'hello-wave');

  // Say bye: as Say, with another text.
  await page.getByRole('radio', { name: 'Play' }).check();
  await box(page, 'root/Say').click();
  await page.keyboard.press('Control+d');
  await box(page, 'root/Say (1)').waitFor();
  await renamed('Say (1)', 'Say bye');
  await says('See you soon!');

  for (const [from, to] of [
    ['input onStart root', 'input onStart root/Say'],
    ['input onStart root', 'input onStart root/Wave'],
    ['output onStopped root/Wave', 'input onStart root/Say bye'],
    ['output onStopped root/Say bye', 'output onStopped root'],
  ]) {
    const tabs = (name) => name.replace(' ', '\t').replace(' ', '\t');
    const port = (name) => page.locator(`[data-port="${tabs(name)}"] .port`);
    await dragged(page, await middle(port(from)), await middle(port(to)));
    await page.locator(`[data-from="${tabs(from)}"][data-to="${tabs(to)}"]`).waitFor({ state: 'attached' });
  }
  await shot(page, 'hello-built');
  await save(page);

  const boxstep = (...args) => spawnSync(process.env.BOXSTEP, args, { encoding: 'utf8' });
  const found = boxstep('check', folder);
  assert.equal(found.status, 0, found.stdout + found.stderr);
  const trace = join(temp, 'built.jsonl');
  const run = boxstep('play', folder, '--virtual-time', '--trace', trace);
  assert.equal(run.status, 0, run.stderr);
  const lines = (path) => readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
  assert.deepEqual(lines(trace), lines(join(root, 'examples/hello/golden.jsonl')));
});
