// Changes of a timeline in the page: keys, tangents, curves, layers, poses; by pointer and by keys; undone, saved, played.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addCurve } from './editing.mjs';
import { accessible, box, opened, play, region, root, shot, started, temp, valued } from './helpers.mjs';

const DANCE = 'root/Dance';

/** A page with the timeline of a copy of an example, and what its file says. */
async function animated(t, name = 'timeline-layers', change = (text) => text, options = {}) {
  const folder = mkdtempSync(join(temp, 'timeline-'));
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  const file = join(folder, 'behavior.xar');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  const before = readFileSync(file, 'utf8');
  const url = await started(t, 'play', folder, '--view', '--edit', '--paused');
  const page = await opened(t, url, { viewport: { width: 1440, height: 900 }, ...options });
  if ((options.viewport?.width ?? 1440) > 720) await page.getByRole('radio', { name: 'Animate' }).check();
  const timeline = await region(page, 'Timeline');
  await timeline.getByRole('group', { name: 'changes of the timeline' }).waitFor();
  return { page, timeline, file, before, now: () => readFileSync(file, 'utf8') };
}

const row = (timeline, joint) => timeline.locator(`[data-joint="${joint}"]`);
const grip = (timeline, joint, frame) => row(timeline, joint).locator(`[data-frame="${frame}"]`);
const frames = (timeline, joint) => row(timeline, joint).locator('[data-frame]').evaluateAll((all) => all.map((key) => Number(key.dataset.frame)));
const chosen = (timeline) => timeline.locator('.key.chosen').count();
async function waitFrames(timeline, joint, wanted) {
  for (let now, tries = 0; ; tries++) {
    now = await frames(timeline, joint);
    if (String(now) === String(wanted)) return;
    assert.ok(tries < 100, `${joint} has keys at ${now}, not ${wanted}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
async function middle(of) {
  const { x, y, width, height } = await of.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}
/** The pixels of a frame. */
async function pixels(timeline, joint = 'HeadYaw', one = 15, other = 45) {
  return ((await middle(grip(timeline, joint, other))).x - (await middle(grip(timeline, joint, one))).x) / (other - one);
}
async function dragged(page, from, by, key) {
  if (key) await page.keyboard.down(key);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2, { steps: 3 });
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 3 });
  await page.mouse.up();
  if (key) await page.keyboard.up(key);
}
const undo = (page) => page.getByRole('button', { name: 'Undo', exact: true });
const did = (page, what) => undo(page).and(page.locator(`[title^="undo: ${what}"]`)).waitFor();
async function save(page) {
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
}
function difference(before, now) {
  const [old, young] = [before.split('\n'), now.split('\n')];
  return { gone: old.filter((line) => !young.includes(line)).map((line) => line.trim()), come: young.filter((line) => !old.includes(line)).map((line) => line.trim()) };
}
/** Looks at a frame: its cursor is there then. */
async function lookAt(page, timeline, frame) {
  const ruler = await timeline.locator('.scrub').boundingBox();
  const k = await pixels(timeline);
  await page.mouse.click(ruler.x + 8 + (frame - 1) * k, ruler.y + 10);
  await timeline.getByText(`frame ${frame},`).waitFor();
}

test('a key is dragged in time: one line changes, and undo gives the file back', async (t) => {
  const { page, timeline, before, now } = await animated(t);
  const k = await pixels(timeline);
  await dragged(page, await middle(grip(timeline, 'LShoulderRoll', 30)), { x: 5 * k, y: 2 });
  await waitFrames(timeline, 'LShoulderRoll', [15, 35, 45, 60, 75]);
  assert.equal(await chosen(timeline), 1);
  assert.equal(await timeline.getByRole('spinbutton', { name: 'frame', exact: true }).inputValue(), '35');
  assert.equal(await timeline.getByRole('spinbutton', { name: 'value' }).inputValue(), '5', 'a low row does not change values');
  await save(page);
  assert.deepEqual(difference(before, now()), { gone: ['<Key frame="30" value="5" />'], come: ['<Key frame="35" value="5" />'] });
  await page.keyboard.press('Control+z');
  await waitFrames(timeline, 'LShoulderRoll', [15, 30, 45, 60, 75]);
  await save(page);
  assert.equal(now(), before);
});

test('several keys are chosen and dragged together; a place that is taken is refused', async (t) => {
  const { page, timeline, before, now } = await animated(t);
  const k = await pixels(timeline);
  await grip(timeline, 'LShoulderRoll', 60).click();
  await grip(timeline, 'RShoulderRoll', 60).click({ modifiers: ['Shift'] });
  assert.equal(await chosen(timeline), 2);
  await dragged(page, await middle(grip(timeline, 'RShoulderRoll', 60)), { x: 3 * k, y: 0 });
  await waitFrames(timeline, 'LShoulderRoll', [15, 30, 45, 63, 75]);
  await waitFrames(timeline, 'RShoulderRoll', [15, 30, 45, 63, 75]);
  // A frame around keys of three curves.
  const corner = await middle(grip(timeline, 'LShoulderRoll', 15));
  const end = await middle(grip(timeline, 'HeadYaw', 15));
  await dragged(page, { x: corner.x - 15, y: corner.y - 9 }, { x: 30, y: end.y - corner.y + 18 });
  await timeline.getByText('3 keys chosen').waitFor();
  await shot(page, 'timeline-chosen');
  await page.keyboard.press('Escape');
  assert.equal(await chosen(timeline), 0);
  await dragged(page, await middle(grip(timeline, 'LShoulderRoll', 15)), { x: 15 * k, y: 0 });
  await page.getByRole('alert').getByText(/30/).waitFor();
  await waitFrames(timeline, 'LShoulderRoll', [15, 30, 45, 63, 75]);
  await page.getByRole('button', { name: 'put the refusal away' }).click();
  // Both keys were one gesture.
  await undo(page).click();
  await waitFrames(timeline, 'RShoulderRoll', [15, 30, 45, 60, 75]);
  await waitFrames(timeline, 'LShoulderRoll', [15, 30, 45, 60, 75]);
  assert.equal(now(), before);
});

test('on a curve a key is dragged in value, and its handle bends the curve', async (t) => {
  const { page, timeline, before, now } = await animated(t);
  await timeline.getByRole('button', { name: /^LShoulderRoll,/ }).click();
  await row(timeline, 'LShoulderRoll').and(page.locator('.high')).waitFor();
  const path = () => row(timeline, 'LShoulderRoll').locator('path.curve').first().getAttribute('d');
  await dragged(page, await middle(grip(timeline, 'LShoulderRoll', 30)), { x: 0, y: -40 });
  await did(page, 'move the key of LShoulderRoll at 30');
  const value = Number(await timeline.getByRole('spinbutton', { name: 'value' }).inputValue());
  assert.ok(value > 10 && value < 30, `${value}`);
  const curve = await path();
  await dragged(page, await middle(row(timeline, 'LShoulderRoll').locator('[data-side="right"]')), { x: 10, y: 12 });
  await did(page, 'bend the curve');
  await page.waitForFunction((old) => document.querySelector('[data-joint="LShoulderRoll"] path.curve').getAttribute('d') !== old, curve);
  assert.equal(await timeline.getByRole('combobox', { name: 'interpolation after the key' }).inputValue(), 'bezier');
  await shot(page, 'timeline-tangents');
  await timeline.getByRole('combobox', { name: 'interpolation before the key' }).selectOption('constant');
  await did(page, 'interpolate');
  await save(page);
  const { gone, come } = difference(before, now());
  assert.deepEqual(gone, ['<Key frame="30" value="5" />']);
  assert.match(come.join('\n'), new RegExp(`^<Key frame="30" value="${value}"[^/]*>\n<Tangent side="left" interpType="constant" .*\n<Tangent side="right" interpType="bezier" abscissaParam="[\\d.]+" ordinateParam="-[\\d.]+" />`));
  for (let n = 0; n < 3; n++) await undo(page).click();
  await undo(page).and(page.locator(':disabled')).waitFor();
  await save(page);
  assert.equal(now(), before);
});

test('keys are added with the value of the curve, copied, pasted, removed', async (t) => {
  const { page, timeline } = await animated(t);
  const k = await pixels(timeline);
  const at = await middle(grip(timeline, 'HeadYaw', 15));
  await page.mouse.dblclick(at.x + 15 * k, at.y);
  await waitFrames(timeline, 'HeadYaw', [15, 30, 45, 75]);
  const value = Number(await timeline.getByRole('spinbutton', { name: 'value' }).inputValue());
  assert.ok(Math.abs(value) < 12, `between 20 and -20: ${value}`);
  await grip(timeline, 'HeadYaw', 15).click();
  await grip(timeline, 'HeadYaw', 30).click({ modifiers: ['Shift'] });
  await page.keyboard.press('Control+c');
  await lookAt(page, timeline, 50);
  await timeline.getByRole('application').focus();
  await page.keyboard.press('Control+v');
  await waitFrames(timeline, 'HeadYaw', [15, 30, 45, 50, 65, 75]);
  assert.equal(await chosen(timeline), 2, 'what was pasted is chosen');
  await page.keyboard.press('Delete');
  await waitFrames(timeline, 'HeadYaw', [15, 30, 45, 75]);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await waitFrames(timeline, 'HeadYaw', [15, 45, 75]);
});

test('with the keyboard alone keys are found, moved, set, added and removed', async (t) => {
  const { page, timeline, before, now } = await animated(t);
  await timeline.getByRole('button', { name: 'RShoulderRoll, keys at frames 15, 30, 45, 60, 75' }).focus();
  await page.keyboard.press('.');
  await timeline.getByText('frame 15,').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await waitFrames(timeline, 'RShoulderRoll', [17, 30, 45, 60, 75]);
  await page.waitForFunction(() => [...document.querySelectorAll('label')].some((one) => one.textContent.startsWith('value') && one.control.value === '-3'));
  await save(page);
  assert.deepEqual(difference(before, now()).come, ['<Key frame="17" value="-3" />']);
  // The steps were one gesture.
  await page.keyboard.press('Control+z');
  await waitFrames(timeline, 'RShoulderRoll', [15, 30, 45, 60, 75]);
  await save(page);
  assert.equal(now(), before);
  // With no key chosen they move the cursor.
  await page.keyboard.press('ArrowRight');
  await timeline.getByText('frame 16,').waitFor();
  await page.keyboard.press('k');
  await waitFrames(timeline, 'RShoulderRoll', [15, 16, 30, 45, 60, 75]);
  await page.keyboard.press('Delete');
  await waitFrames(timeline, 'RShoulderRoll', [15, 30, 45, 60, 75]);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Shift+ArrowRight');
  await waitFrames(timeline, 'RShoulderRoll', [25, 40, 55, 70, 85]);
  await waitFrames(timeline, 'HeadYaw', [25, 55, 85]);
});

test('curves are added, muted, mirrored and removed; time is shifted and stretched; settings are fields', async (t) => {
  const { page, timeline, before, now } = await animated(t);
  await addCurve(timeline, 'LHand');
  await row(timeline, 'LHand').waitFor();
  await row(timeline, 'LHand').getByRole('button', { name: 'changes of LHand' }).click();
  // The keyboard goes into the menu, and comes back.
  await page.keyboard.press('Escape');
  await row(timeline, 'LHand').locator('button.more:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Mute the curve' }).click();
  await timeline.getByRole('button', { name: 'LHand (mute), no keys' }).waitFor();
  await row(timeline, 'LHand').getByRole('button', { name: 'changes of LHand' }).click();
  await page.getByRole('menuitem', { name: 'Remove the curve' }).click();
  await row(timeline, 'LHand').waitFor({ state: 'detached' });
  const more = timeline.getByRole('button', { name: 'more changes' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Mirror left and right' }).click();
  await did(page, 'mirror');
  await lookAt(page, timeline, 45);
  await more.click();
  await page.getByRole('menuitem', { name: 'Shift or stretch…' }).click();
  await page.getByRole('dialog', { name: 'shift or stretch' }).getByLabel('times as long').fill('2');
  await page.keyboard.press('Enter');
  await waitFrames(timeline, 'LShoulderRoll', [15, 30, 45, 75, 105]);
  const fps = timeline.getByRole('spinbutton', { name: 'fps' });
  await fps.fill('10');
  await fps.press('Enter');
  await did(page, 'set frames per second to 10');
  await fps.fill('-4');
  await fps.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll('label')].some((one) => one.textContent.startsWith('fps') && one.control.value === '10'));
  await page.getByRole('button', { name: 'put the refusal away' }).click();
  const last = timeline.getByRole('spinbutton', { name: 'last frame' });
  await last.fill('120');
  await last.press('Enter');
  await did(page, 'set the last frame');
  await save(page);
  const { come } = difference(before, now());
  assert.ok(come.some((line) => line.startsWith('<Timeline enable="1" fps="10" start_frame="1" end_frame="120"')), come.join('\n'));
  assert.ok(come.includes('<Key frame="15" value="-30" />'), 'the right shoulder does what the left did');
  for (let n = 0; n < 7; n++) await undo(page).click();
  await undo(page).and(page.locator(':disabled')).waitFor();
  await save(page);
  assert.equal(now(), before);
});

test('layers and keyframes are added, named, moved, muted, entered and removed', async (t) => {
  const { page, timeline, before, now } = await animated(t);
  const bar = (name) => timeline.getByRole('button', { name: new RegExp(`^${name}, frame`) });
  const k = await pixels(timeline);
  await dragged(page, await middle(bar('right')), { x: 4 * k, y: 0 });
  await did(page, 'move right');
  await save(page);
  const { gone, come } = difference(before, now());
  assert.equal(gone.length, 1);
  assert.match(gone[0], /^<BehaviorKeyframe name="right" index="(\d+)">$/);
  assert.equal(Number(come[0].match(/index="(\d+)"/)[1]), Number(gone[0].match(/index="(\d+)"/)[1]) + 4);
  await bar('right').focus();
  // Steps that follow each other are one.
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const from = Number(come[0].match(/index="(\d+)"/)[1]);
  await timeline.getByRole('button', { name: `right, frame ${from - 8}` }).waitFor();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'name of the keyframe' }).fill('swing');
  await page.keyboard.press('Enter');
  await bar('swing').waitFor();
  await timeline.getByRole('button', { name: 'more changes' }).click();
  await page.getByRole('menuitem', { name: 'Add a layer' }).click();
  await timeline.getByRole('button', { name: 'changes of layer 1' }).click();
  await page.getByRole('menuitem', { name: /^Add a keyframe at frame/ }).click();
  await bar('keyframe 1').waitFor();
  await shot(page, 'timeline-layers');
  await timeline.getByRole('button', { name: 'changes of layer 1' }).click();
  await page.getByRole('menuitem', { name: 'Mute the layer' }).click();
  await timeline.getByText('layer 1 (mute)').waitFor();
  await bar('keyframe 1').focus();
  await page.keyboard.press('Delete');
  await bar('keyframe 1').waitFor({ state: 'detached' });
  await timeline.getByRole('button', { name: 'changes of layer 1' }).click();
  await page.getByRole('menuitem', { name: 'Remove the layer' }).click();
  await timeline.getByText('layer 1 (mute)').waitFor({ state: 'detached' });
  await bar('left').dblclick();
  await box(page, `${DANCE}/Left`).or(page.locator(`[data-box^="${DANCE}"][data-box$="/Left"]`)).first().waitFor();
  for (let n = 0; n < 8; n++) await undo(page).click();
  await undo(page).and(page.locator(':disabled')).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await save(page);
  assert.equal(now(), before);
});

/** The same, without anything in it. */
const empty = (text) => text.replace(/<Diagram scale="100">[\s\S]*<\/Diagram>/, '<Diagram scale="100" />');

test('a dance is built from nothing, and the robot dances it', async (t) => {
  const { page, timeline, now } = await (async () => {
    const folder = mkdtempSync(join(temp, 'dance-'));
    cpSync(join(root, 'examples/hello'), folder, { recursive: true });
    const file = join(folder, 'behavior.xar');
    writeFileSync(file, empty(readFileSync(file, 'utf8')));
    const page = await opened(t, await started(t, 'play', folder, '--view', '--edit', '--paused'), { viewport: { width: 1440, height: 900 } });
    await page.getByRole('radio', { name: 'Animate' }).check();
    return { page, timeline: await region(page, 'Timeline'), now: () => readFileSync(file, 'utf8') };
  })();
  const stage = page.getByRole('application', { name: /diagram|boxes/ }).or(page.locator('.stage')).first();
  await stage.focus();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'box to add' }).waitFor();
  await page.keyboard.type('timeline');
  await page.getByRole('option', { name: /^Timeline/ }).first().click();
  await box(page, 'root/Timeline').waitFor();
  for (const [from, to] of [['input onStart root', 'input onStart root/Timeline'], ['output onStopped root/Timeline', 'output onStopped root']]) {
    const port = (name) => page.locator(`[data-port="${name.replaceAll(' ', '\t')}"] .port`);
    await page.waitForTimeout(300);
    const [one, other] = [await middle(port(from)), await middle(port(to))];
    await dragged(page, one, { x: other.x - one.x, y: other.y - one.y });
    await page.locator(`[data-from="${from.replaceAll(' ', '\t')}"]`).waitFor({ state: 'attached' });
  }
  await timeline.getByText('Timeline', { exact: true }).first().waitFor();
  // A pose of the robot, and later another value of it.
  await addCurve(timeline, 'HeadYaw');
  await row(timeline, 'HeadYaw').waitFor();
  await timeline.getByRole('button', { name: 'Add key' }).click();
  await waitFrames(timeline, 'HeadYaw', [1]);
  await timeline.getByRole('application').focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('k');
  const frame = timeline.getByRole('spinbutton', { name: 'frame', exact: true });
  await page.waitForFunction(() => document.querySelectorAll('[data-joint="HeadYaw"] [data-frame]').length === 2);
  await frame.fill('25');
  await frame.press('Enter');
  await waitFrames(timeline, 'HeadYaw', [1, 25]);
  const value = timeline.getByRole('spinbutton', { name: 'value' });
  await value.fill('40');
  await value.press('Enter');
  await did(page, 'set');
  await shot(page, 'timeline-built');
  await save(page);
  assert.match(now(), /<Key frame="25" value="40" \/>/);
  await play(page);
  await page.getByRole('banner').getByText('ended').waitFor({ timeout: 30_000 });
  const robot = page.getByRole('region', { name: 'Robot' });
  await robot.getByText('Joints', { exact: true }).click();
  const cell = robot.getByRole('row', { name: /^HeadYaw/ }).getByRole('cell').first();
  assert.match(await cell.innerText(), /^-?\d+\.\d°$/);
  assert.ok(Math.abs(Number.parseFloat(await cell.innerText()) - 40) < 1.2, await cell.innerText());
});

test('the pose of the robot is stored: of the curves, or of all joints', async (t) => {
  const { page, timeline, before, now } = await animated(t);
  await lookAt(page, timeline, 50);
  await timeline.getByRole('button', { name: 'Store pose' }).click();
  await did(page, 'store a pose at 50');
  await waitFrames(timeline, 'LShoulderRoll', [15, 30, 45, 50, 60, 75]);
  await waitFrames(timeline, 'HeadYaw', [15, 45, 50, 75]);
  await save(page);
  const { gone, come } = difference(before, now());
  assert.equal(gone.length, 0);
  assert.ok(come.length >= 1 && come.every((line) => line.startsWith('<Key frame="50" value="')), come.join('\n'));
  await timeline.getByRole('combobox', { name: 'joints of the pose' }).selectOption('all');
  await timeline.getByRole('button', { name: 'Store pose' }).click();
  await row(timeline, 'RHand').waitFor();
  assert.ok((await timeline.locator('[data-joint]').count()) >= 24);
  await waitFrames(timeline, 'RHand', [50]);
  await save(page);
  const hand = now().match(/actuator="RHand"[^>]*unit="1"[^>]*>\s*<Key frame="50" value="([\d.]+)"/);
  assert.ok(hand && Number(hand[1]) <= 1, 'a hand is 0 to 1');
  await page.keyboard.press('Control+z');
  await row(timeline, 'RHand').waitFor({ state: 'detached' });
  // Joints that were moved by hand.
  const robot = page.getByRole('region', { name: 'Robot' });
  await robot.getByText('Joints', { exact: true }).click();
  await timeline.getByRole('combobox', { name: 'joints of the pose' }).selectOption('curves');
  await robot.getByRole('slider', { name: 'move HeadYaw' }).fill('0.5');
  await robot.locator('.looked').getByText('moved by hand').waitFor();
  // What is told is where the slider is.
  await robot.getByRole('row', { name: /^HeadYaw 28\.6°/ }).waitFor();
  await shot(page, 'timeline-posed');
  await timeline.getByRole('button', { name: 'Store pose' }).click();
  await robot.getByText(/^frame 50 of Dance$/).waitFor();
  await grip(timeline, 'HeadYaw', 50).click();
  await valued(page, 'value °', String(+((0.5 * 180) / Math.PI).toFixed(2)));
  // The robot shows the changed curve, once that is known.
  const slider = await robot.getByRole('slider', { name: 'move HeadYaw' }).elementHandle();
  await page.waitForFunction((slider) => Math.abs(Number(slider.value) - 0.5) < 0.011, slider);
});

test('five thousand keys are moved together', async (t) => {
  const joints = ['Head', 'LShoulder', 'LElbow', 'LWrist', 'RShoulder', 'RElbow', 'RWrist', 'LHip', 'LAnkle', 'RHip', 'RAnkle'].flatMap((part) => ['Yaw', 'Pitch', 'Roll'].map((way) => part + way)).slice(0, 25);
  const keys = Array.from({ length: 200 }, (_, n) => `<Key frame="${5 + 6 * n}" value="${n % 5}" />`).join('\n');
  const curves = joints.map((joint) => `<ActuatorCurve name="value" actuator="${joint}" recordable="1" mute="0" unit="0">\n${keys}\n</ActuatorCurve>`).join('\n');
  const { page, timeline, before, now } = await animated(t, 'timeline-layers', (text) => text.replace(/(<ActuatorList model="nao">)[\s\S]*(<\/ActuatorList>)/, `$1\n${curves}\n$2`).replace('end_frame="75"', 'end_frame="1300"'));
  await grip(timeline, 'HeadYaw', 5).waitFor();
  await timeline.getByRole('application').focus();
  await page.keyboard.press('Control+a');
  await timeline.getByText('5000 keys chosen').waitFor();
  await page.keyboard.press('ArrowRight');
  await grip(timeline, 'HeadYaw', 6).waitFor({ timeout: 10_000 });
  await save(page);
  assert.equal(now(), before.replace(/Key frame="(\d+)"/g, (_, frame) => `Key frame="${Number(frame) + 1}"`));
  await undo(page).click();
  await grip(timeline, 'HeadYaw', 5).waitFor({ timeout: 10_000 });
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [1440, 390]) {
    test(`everybody can use it: ${colorScheme}, ${width} pixels`, async (t) => {
      const { page, timeline } = await animated(t, 'timeline-layers', undefined, { viewport: { width, height: 844 }, colorScheme });
      await timeline.getByRole('button', { name: /^HeadYaw,/ }).click();
      await grip(timeline, 'HeadYaw', 45).click();
      await timeline.getByRole('spinbutton', { name: 'value' }).waitFor();
      await accessible(page);
      await shot(page, `timeline-edit-${colorScheme}-${width}`);
    });
  }
}
