// The robot on the page: what it does is seen, and what is done to it there happens.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { box, opened, play, recorded, region, shot, started, temp } from './helpers.mjs';

const screen = 'crates/boxstep-view/web/e2e/files/screen/behavior.xar';

/** The robot's region, with what is below it open. */
async function robot(page, ...open) {
  const panel = await region(page, 'Robot');
  for (const name of open) await panel.getByText(name, { exact: true }).click();
  return panel;
}

/** Where a joint is, and where it is told to be: radians, of hands parts. */
async function joint(panel, name) {
  const cells = panel.getByRole('row', { name: new RegExp(`^${name} `) }).locator('td');
  return (await cells.allTextContents()).map((text) => (text ? Number.parseFloat(text) * (text.endsWith('°') ? Math.PI / 180 : 0.01) : undefined));
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

/** Where a touch sensor is in the picture: the middle of all points where the picture, asked with the pointer, has it as its tooltip. */
async function spot(canvas, place) {
  return canvas.evaluate(async (canvas, place) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const found = [];
    for (let y = top + 2; y < top + height; y += 4) {
      for (let x = left + 2; x < left + width; x += 4) {
        canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y }));
        if (canvas.style.cursor !== 'pointer') continue;
        // The tooltip is there once the page has heard of it.
        await new Promise((done) => setTimeout(done));
        if (canvas.title === place) found.push([x, y]);
      }
    }
    const middle = (at) => found.reduce((sum, point) => sum + point[at], 0) / found.length;
    return { x: middle(0), y: middle(1) };
  }, place);
}

/** Writes down what the page has this computer say and play. */
function recorder() {
  window.heard = [];
  const speechSynthesis = { speak: ({ text, lang }) => window.heard.push(`says ${lang}: ${text}`), cancel: () => window.heard.push('says no more') };
  Object.defineProperty(window, 'speechSynthesis', { value: speechSynthesis });
  const { play, pause } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    const path = new URL(this.src).pathname;
    const begun = play.call(this);
    begun.then(
      () => window.heard.push(`plays ${path}`),
      (why) => window.heard.push(`does not play ${path}: ${why}`),
    );
    return begun;
  };
  HTMLMediaElement.prototype.pause = function () {
    window.heard.push(`pauses ${new URL(this.src).pathname}`);
    pause.call(this);
  };
}

/** How much of the picture has a colour: `is` is asked red, green and blue, 0 to 255. */
async function share(canvas, is) {
  const png = (await canvas.screenshot()).toString('base64');
  return canvas.evaluate(
    async (_, [png, is]) => {
      const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const sheet = new OffscreenCanvas(image.width, image.height).getContext('2d');
      sheet.drawImage(image, 0, 0);
      const { data } = sheet.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue] = data.subarray(at, at + 3);
        if (is === 'red' ? red > 200 && green < 60 && blue < 60 : Math.min(red, green, blue) > 120) count += 1;
      }
      return (count * 4) / data.length;
    },
    [png, is],
  );
}

/** A square of two metres that stands around the origin, in the link's y and z. */
const CORNERS = [
  [0.2, -1, -1],
  [0.2, 1, -1],
  [0.2, 1, 1],
  [0.2, -1, 1],
];
const FACES = [
  [0, 1, 2],
  [0, 2, 3],
];

/** As STL, the text of it. */
function stl() {
  const face = (corners) => `facet normal 1 0 0\nouter loop\n${corners.map((at) => `vertex ${CORNERS[at].join(' ')}\n`).join('')}endloop\nendfacet\n`;
  return `solid square\n${FACES.map(face).join('')}endsolid square\n`;
}

/** As a binary glTF, shining red. */
function glb() {
  const points = Buffer.from(new Float32Array(FACES.flat().flatMap((at) => CORNERS[at])).buffer);
  const document = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
    materials: [{ emissiveFactor: [1, 0, 0], doubleSided: true, pbrMetallicRoughness: { baseColorFactor: [0, 0, 0, 1] } }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 6, type: 'VEC3', min: [0.2, -1, -1], max: [0.2, 1, 1] }],
    bufferViews: [{ buffer: 0, byteLength: points.length }],
    buffers: [{ byteLength: points.length }],
  };
  const text = JSON.stringify(document);
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4));
  const words = (...numbers) => Buffer.from(new Uint32Array(numbers).buffer);
  return Buffer.concat([
    words(0x46546c67, 2, 12 + 8 + json.length + 8 + points.length),
    words(json.length, 0x4e4f534a),
    json,
    words(points.length, 0x004e4942),
    points,
  ]);
}

test('the robot moves, says what it says, and is drawn', async (t) => {
  const url = await started(t, 'play', 'examples/hello', '--view', '--paused');
  const page = await opened(t, url);
  const panel = await robot(page);
  await panel.locator('canvas[data-frames]').waitFor();
  await play(page);
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

test('a robot that leans too far tips over, and one that sits is not judged', async (t) => {
  const file = join(temp, 'leans.py');
  writeFileSync(
    file,
    `from naoqi import ALProxy
import time
motion = ALProxy("ALMotion", "nao.local", 9559)
motion.angleInterpolation(["LAnklePitch", "RAnklePitch"], [-0.77, -0.77], 0.5, True)
time.sleep(4)
ALProxy("ALRobotPosture", "nao.local", 9559).goToPosture("Sit", 1.0)
time.sleep(20)
`,
  );
  const page = await opened(t, await started(t, 'run', file, '--view'));
  const panel = await robot(page);
  await panel.getByText(/^tips over forward, \d+ mm outside$/).waitFor();
  await shot(page, 'robot-leans');
  await until(() => panel.getByText(/ mm( outside)?$/).count(), (shown) => shown === 0);
});

for (const [scheme, size] of [['light', [1440, 900]], ['dark', [1920, 1080]], ['light', [390, 800]]]) {
  test(`the robot is sent to a posture, ${scheme}, ${size[0]} wide`, async (t) => {
    const page = await opened(t, await started(t, 'play', 'examples/touch', '--view'), { colorScheme: scheme, viewport: { width: size[0], height: size[1] } });
    const panel = await robot(page, 'Postures', 'Joints');
    assert.deepEqual(await panel.getByRole('button', { name: /^(Crouch|Sit|StandInit)$/ }).allTextContents(), ['StandInit', 'Crouch', 'Sit']);
    await panel.getByRole('button', { name: 'Crouch', exact: true }).focus();
    await page.keyboard.press('Enter');
    await panel.locator('button[aria-pressed=true]', { hasText: 'Crouch' }).waitFor();
    await until(() => joint(panel, 'LKneePitch'), ([is]) => is > 2);
    await shot(page, `robot-posture-${scheme}-${size[0]}`);
  });
}

test('a recording, and a robot that is not simulated, go to no posture', async (t) => {
  const page = await opened(t, await started(t, 'view', await recorded('examples/hello')));
  const panel = await robot(page);
  await panel.getByText('LEDs', { exact: true }).waitFor();
  assert.equal(await panel.getByText('Postures', { exact: true }).count(), 0);
});

test('the zero moment point of a robot is drawn while it moves', async (t) => {
  const file = join(temp, 'swings.py');
  writeFileSync(
    file,
    `from naoqi import ALProxy
import time
motion = ALProxy("ALMotion", "nao.local", 9559)
arms = ["LShoulderPitch", "RShoulderPitch"]
motion.angleInterpolation(arms, [[0.2, 1.6] * 10] * 2, [[0.5 * (at + 1) for at in range(20)]] * 2, True)
time.sleep(30)
`,
  );
  const page = await opened(t, await started(t, 'run', file, '--view'));
  const panel = await robot(page);
  const [still, moving] = [panel.getByText(/^balance \d+ mm$/), panel.getByText(/^moving \d+ mm$/)];
  const margin = async (text) => Number((await text.textContent()).match(/\d+/)[0]);
  await moving.waitFor();
  // Arms that are thrown back and forth need the floor elsewhere than below the center of mass.
  await until(async () => [await margin(still), await margin(moving)], ([one, other]) => Math.abs(one - other) > 3);
  await shot(page, 'robot-moves');
  // It has come to rest.
  await until(() => moving.count(), (shown) => shown === 0);
  assert.equal(await still.count(), 1);
});

test('a robot of another maker is drawn with its balance', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/hello', '--body', 'examples/bodies/booster-t1.toml', '--view', '--paused'));
  const panel = await robot(page);
  await panel.locator('canvas[data-frames]').waitFor();
  await panel.getByText(/^balance [5-9]\d mm$/).waitFor();
  await shot(page, 'robot-t1');
});

test('a robot that is pushed falls in the picture, and gets up', async (t) => {
  const file = join(temp, 'falls.py');
  writeFileSync(
    file,
    `from naoqi import ALProxy
import time
memory = ALProxy("ALMemory", "nao.local", 9559)
while not memory.getData("robotHasFallen"):
    time.sleep(0.1)
time.sleep(2)
ALProxy("ALMotion", "nao.local", 9559).wakeUp()
time.sleep(30)
`,
  );
  const page = await opened(t, await started(t, 'run', file, '--view', '--physics'));
  const panel = await robot(page, 'Push');
  const height = async () => Number(await panel.locator('canvas').getAttribute('data-height'));
  await until(height, (now) => now > 0.3);
  await panel.getByRole('button', { name: 'forward', exact: true }).click();
  await until(height, (now) => now < 0.15);
  await shot(page, 'robot-falls');
  await until(height, (now) => now > 0.3);
  await panel.getByText(/ mm$/).waitFor();
  await shot(page, 'robot-gets-up');
});

test('touching the head does what a touch does, held and let go', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  const page = await opened(t, url);
  const panel = await robot(page, 'Touch');
  const spot = panel.getByRole('button', { name: 'head, front' });
  await spot.hover();
  await page.mouse.down();
  await panel.getByRole('button', { name: 'head, front', pressed: true }).waitFor();
  await page.locator('[data-box="root/Say ouch"].running').waitFor();
  await panel.getByRole('status', { name: 'it says' }).waitFor();
  await page.mouse.up();
  await panel.getByRole('button', { name: 'head, front', pressed: false }).waitFor();
});

test('a touch in the picture is one of the robot', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view', '--paused');
  const page = await opened(t, url);
  const panel = await robot(page);
  await panel.locator('canvas[data-frames]').waitFor();
  await play(page);
  await page.locator('[data-box="root/Say ready"].running').waitFor({ state: 'attached' });
  await page.locator('[data-box="root/Say ready"]:not(.running)').waitFor();
  await panel.getByText('Touch', { exact: true }).click();
  const { x, y } = await spot(panel.locator('canvas'), 'head, front');
  await page.mouse.move(x, y);
  await panel.locator('canvas[title="head, front"]').waitFor();
  await page.mouse.down();
  await panel.getByRole('button', { name: 'head, front', pressed: true }).waitFor();
  await page.locator('[data-box="root/Say ouch"].running').waitFor();
  await page.mouse.up();
  await panel.getByRole('button', { name: 'head, front', pressed: false }).waitFor();
  const log = page.getByRole('listbox', { name: 'log' });
  for (const value of [1, 0]) await log.getByText(`FrontTactilTouched ${value}`, { exact: true }).first().waitFor();
});

test('a touch by keys lasts as long as the key is held', async (t) => {
  const url = await started(t, 'play', screen, '--body', 'pepper', '--view');
  const page = await opened(t, url);
  const panel = await robot(page, 'Touch');
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
  const panel = await robot(page, 'LEDs');
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
  const talk = await region(page, 'Talk');
  await talk.getByRole('button', { name: 'good morning' }).waitFor();
  await shot(page, 'robot-pepper');
  await talk.getByLabel('say something to the robot').fill('banana');
  await page.keyboard.press('Enter');
  // What is elsewhere is told, and not loaded.
  await panel.getByRole('link', { name: 'http://example.com/banana' }).waitFor();
  assert.equal(await panel.locator('iframe').count(), 0);
});

test('an unmuted page says what the robot says and plays its sounds, and a mute one does not', async (t) => {
  const url = await started(t, 'play', screen, '--body', 'pepper', '--view', '--paused');
  const [loud, mute] = [await opened(t, url, { first: recorder }), await opened(t, url, { first: recorder })];
  const panels = [await robot(loud), await robot(mute)];
  await panels[0].getByRole('button', { name: 'Unmute' }).click();
  await play(loud);
  const hears = (panel) => [panel.getByRole('status', { name: 'it says' }).getByText('Look at my screen').waitFor(), panel.getByText('♪ beep.wav').waitFor()];
  await Promise.all(panels.flatMap(hears));
  await loud.waitForFunction(() => window.heard.length === 2);
  const [plays, says] = (await loud.evaluate(() => window.heard)).sort();
  assert.equal(plays, 'plays /sound/beep.wav');
  assert.match(says, /^says en-US: Look at my screen/);
  await panels[0].getByRole('button', { name: 'Mute' }).click();
  await loud.waitForFunction(() => window.heard.includes('says no more') && window.heard.includes('pauses /sound/beep.wav'));
  assert.deepEqual(await mute.evaluate(() => window.heard), []);
});

/** Shows a robot that has one mesh of one's own. */
async function meshed(t, name, bytes) {
  const folder = mkdtempSync(join(temp, 'meshes-'));
  writeFileSync(join(folder, name), bytes);
  const url = await started(t, 'play', 'examples/hello', '--view', '--paused', '--meshes', folder);
  // In the dark nothing but the robot is light.
  const page = await opened(t, url, { colorScheme: 'dark' });
  const fetched = new Set();
  page.on('response', (answer) => answer.url().includes('/mesh/') && fetched.add(`${answer.status()} ${new URL(answer.url()).pathname}`));
  const panel = await robot(page);
  await panel.locator('canvas[data-frames]').waitFor();
  return { page, panel, fetched };
}

for (const [name, bytes, colour] of [
  ['Torso.stl', stl(), 'light'],
  ['Head.glb', glb(), 'red'],
]) {
  test(`a link is drawn by a mesh of one's own: ${name}`, async (t) => {
    const { page, panel, fetched } = await meshed(t, name, bytes);
    // The robot alone is a fifth of its picture, and nowhere red.
    await until(() => share(panel.locator('canvas'), colour), (part) => part > 0.35);
    assert.deepEqual([...fetched], [`200 /mesh/${name}`]);
    assert.equal(await panel.getByRole('alert').count(), 0);
    await shot(page, `robot-${name}`);
  });
}

test('a mesh that cannot be read is named, and the robot is drawn without it', async (t) => {
  const { panel } = await meshed(t, 'Head.glb', 'no mesh');
  await panel.getByRole('alert').getByText('Head.glb').waitFor();
  const part = await until(() => share(panel.locator('canvas'), 'light'), (part) => part > 0);
  assert.ok(part < 0.3, `the robot alone is ${part} of its picture`);
});

test('the tablet is a sandboxed frame of another origin that reaches nobody', async (t) => {
  const url = await started(t, 'play', screen, '--body', 'pepper', '--view');
  const asked = [];
  const page = await opened(t, url, { hears: (request) => asked.push(new URL(request.url()).host) });
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
  const panel = await robot(page, 'Touch');
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

for (const [width, height] of [[1440, 900], [1024, 700], [390, 800]]) {
  test(`what the robot says is within its view, and not on the notes: ${width} px`, async (t) => {
    const page = await opened(t, await started(t, 'play', 'examples/say-and-wait', '--view', '--paused'), { viewport: { width, height } });
    await region(page, 'Robot');
    const bubble = page.getByRole('status', { name: 'it says' });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await bubble.waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const inside = await bubble.evaluate((one) => {
      const [own, around, notes, corner] = [one, one.closest('.scene'), document.querySelector('.scene .notes'), document.querySelector('.scene .corner')].map((of) => of.getBoundingClientRect());
      const covers = (other) => own.left < other.right && other.left < own.right && own.top < other.bottom && other.top < own.bottom;
      return own.left >= around.left && own.right <= around.right && own.top >= around.top && own.bottom <= around.bottom && !covers(notes) && !covers(corner);
    });
    await shot(page, `robot-says-${width}`);
    assert.ok(inside);
  });
}
