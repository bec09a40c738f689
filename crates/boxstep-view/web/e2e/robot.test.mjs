// The robot on the page: what it does is seen, and what is done to it there happens.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { box, opened, recorded, shot, started, temp } from './helpers.mjs';

const screen = 'crates/boxstep-view/web/e2e/files/screen/behavior.xar';

async function robot(page) {
  await page.getByRole('tab', { name: 'Robot' }).click();
  return page.getByRole('tabpanel', { name: 'Robot' });
}

/** A joint's row in the table: where it is, and where it is told to be. */
async function joint(panel, name) {
  const cells = panel.getByRole('row', { name: new RegExp(`^${name} `) }).locator('td');
  return (await cells.allTextContents()).map((text) => (text ? Number(text) : undefined));
}

/** Waits until something holds of a value that is looked at again and again, half a minute at most. */
async function until(look, holds) {
  for (const end = Date.now() + 30_000; ; ) {
    const value = await look();
    if (holds(value)) return value;
    assert.ok(Date.now() < end, `still ${String(value)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

test('the robot moves, says what it says, and is drawn', async (t) => {
  const url = await started(t, 'play', 'examples/hello', '--view', '--paused');
  const page = await opened(t, url);
  const loaded = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  assert.ok(!loaded.includes('/robot.js'), 'it is loaded when it is wanted');
  const panel = await robot(page);
  await panel.locator('canvas[data-frames]').waitFor();
  assert.ok(loaded.includes('/robot.js'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Go on' }).click();
  await panel.getByRole('status', { name: 'it says' }).getByText('Hello, I am a robot.').waitFor();
  await panel.getByText('Joints').click();
  const [start] = await joint(panel, 'RShoulderPitch');
  await page.locator('[data-box="root/Wave"].running').waitFor();
  await until(() => joint(panel, 'RShoulderPitch'), ([now]) => Math.abs(now - start) > 0.3);
  await shot(page, 'robot-nao');
  const canvas = panel.locator('canvas');
  const frames = async () => Number(await canvas.getAttribute('data-frames'));
  await page.getByRole('banner').getByText('ended').waitFor();
  // It is drawn when something has changed, and by keys.
  await new Promise((done) => setTimeout(done, 500));
  const rests = await frames();
  await new Promise((done) => setTimeout(done, 500));
  assert.equal(await frames(), rests, 'nothing moves, nothing is drawn');
  await canvas.focus();
  await page.keyboard.press('ArrowLeft');
  await until(frames, (now) => now > rests);
});

test('touching the head does what a touch does, held and let go', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  const page = await opened(t, url);
  const panel = await robot(page);
  const spot = panel.getByRole('button', { name: 'head, front' });
  await spot.hover();
  await page.mouse.down();
  await panel.getByRole('button', { name: 'head, front', pressed: true }).waitFor();
  await page.locator('[data-box="root/Say ouch"].running').waitFor();
  await panel.getByRole('status', { name: 'it says' }).waitFor();
  await page.mouse.up();
  await panel.getByRole('button', { name: 'head, front', pressed: false }).waitFor();
});

test('a touch by keys lasts as long as the key is held', async (t) => {
  const url = await started(t, 'play', screen, '--body', 'pepper', '--view');
  const page = await opened(t, url);
  const panel = await robot(page);
  const says = panel.getByRole('status', { name: 'it says' });
  await says.getByText('Look at my screen').waitFor();
  await panel.getByRole('button', { name: 'head, front' }).focus();
  await page.keyboard.down(' ');
  await panel.getByRole('button', { name: 'head, front', pressed: true }).waitFor();
  await says.getByText('touched').waitFor();
  await page.keyboard.up(' ');
  await says.getByText('let go').waitFor();
});

test('LEDs shine, a limp arm is not where it is told to be, words are heard', async (t) => {
  const url = await started(t, 'play', screen, '--body', 'pepper', '--view');
  const page = await opened(t, url);
  const panel = await robot(page);
  const led = (name) => panel.locator(`[data-led="${name}"]`);
  await until(() => led('ChestLed').getAttribute('title'), (title) => title === 'ChestLed rgb(255 0 0)');
  assert.equal(await led('FaceLedLeft3').getAttribute('title'), 'FaceLedLeft3 rgb(0 255 0)');
  assert.equal(await led('FaceLedRight3').getAttribute('title'), 'FaceLedRight3 rgb(255 255 255)');
  await panel.getByText('Joints').click();
  const [is, told] = await until(() => joint(panel, 'LShoulderPitch'), ([, told]) => told !== undefined && Math.abs(told - 0.2) < 1e-3);
  assert.ok(Math.abs(is - told) > 1, 'it has no stiffness');
  await until(() => joint(panel, 'HeadYaw'), ([now]) => Math.abs(now - 0.5) < 1e-3);
  await panel.getByText('♪ beep.wav').waitFor();
  assert.equal((await page.request.get(new URL('/sound/beep.wav', url).href)).status(), 200);
  await panel.getByText('listens for: banana, good morning').waitFor();
  await shot(page, 'robot-pepper');
  await panel.getByLabel('say words to it').fill('banana');
  await page.keyboard.press('Enter');
  // What is elsewhere is told, and not loaded.
  await panel.getByRole('link', { name: 'http://example.com/banana' }).waitFor();
  assert.equal(await panel.locator('iframe').count(), 0);
});

test('the tablet is a sandboxed frame of another origin that reaches nobody', async (t) => {
  const url = await started(t, 'play', screen, '--body', 'pepper', '--view');
  const page = await opened(t, url);
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).host));
  const panel = await robot(page);
  const frame = panel.locator('iframe');
  await frame.waitFor();
  assert.equal(await frame.getAttribute('sandbox'), 'allow-scripts');
  const source = new URL(await frame.getAttribute('src'));
  assert.notEqual(source.port, new URL(url).port);
  const inside = panel.frameLocator('iframe');
  await inside.getByText('Hello from the tablet').waitFor();
  await inside.getByText('reaches nobody, origin null').waitFor();
  assert.deepEqual([...new Set(asked)].sort(), [new URL(url).host, source.host].sort());
});

test('a run that is looked at writes the same trace', async (t) => {
  const plain = readFileSync(await recorded('examples/hello'), 'utf8');
  const trace = join(temp, 'seen.jsonl');
  const url = await started(t, 'play', 'examples/hello', '--virtual-time', '--view', '--trace', trace);
  const page = await opened(t, url);
  await page.getByRole('banner').getByText('ended').waitFor();
  assert.equal(readFileSync(trace, 'utf8'), plain);
  // And the joints are there at any time of it.
  const panel = await robot(page);
  await panel.getByText('Joints').click();
  const [end] = await joint(panel, 'RShoulderPitch');
  await page.getByRole('slider', { name: 'time' }).fill('2000000000');
  await until(() => joint(panel, 'RShoulderPitch'), ([then]) => then !== undefined && Math.abs(then - end) > 0.1);
});

test('a recording without joints says so', async (t) => {
  const url = await started(t, 'view', await recorded('examples/hello'), 'examples/hello');
  const page = await opened(t, url);
  const panel = await robot(page);
  await panel.getByText('This recording has no joints').waitFor();
  assert.equal(await panel.getByRole('button', { name: 'head, front' }).isDisabled(), true);
});

for (const [name, options] of Object.entries({
  'robot-dark': { colorScheme: 'dark' },
  'robot-phone': { viewport: { width: 390, height: 844 } },
})) {
  test(`the robot has its place: ${name}`, async (t) => {
    const nao = name === 'robot-dark';
    const url = await started(t, 'play', ...(nao ? ['examples/hello'] : [screen, '--body', 'pepper']), '--view');
    const page = await opened(t, url, options);
    await box(page, nao ? 'root/Wave' : 'root/Show').waitFor();
    const panel = await robot(page);
    await panel.locator('canvas[data-frames]').waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, 'nothing is wider than the display');
    await panel.scrollIntoViewIfNeeded();
    await shot(page, name);
  });
}
