// How fast the view is: prints figures, judges nothing. `cargo xtask view --figures`.

import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { box, opened, play, recorded, root, started, temp } from './helpers.mjs';

const say = (what, value, bar) => console.log(`${what.padEnd(58)} ${value}${bar ? `   (bar: ${bar})` : ''}`);
const sorted = (all) => [...all].sort((a, b) => a - b);
const at = (all, part) => sorted(all)[Math.min(all.length - 1, Math.floor(all.length * part))];
const spread = (all, unit) => `${at(all, 0.5).toFixed(1)} ${unit} (99 %: ${at(all, 0.99).toFixed(1)}, most: ${at(all, 1).toFixed(1)})`;

/** A ring of boxes that pass a signal on until it has gone round so many times, each time in so many microseconds. */
function ring(name, boxes, hops, delay) {
  const ports = `<Input name="in" type="1" type_size="1" nature="1" inner="0" tooltip="" id="2"/><Output name="out" type="1" type_size="1" nature="2" inner="0" tooltip="" id="3"/>`;
  const script = (body) => `<script language="4"><content><![CDATA[import qi\nclass MyClass(GeneratedClass):\n${body}]]></content></script>`;
  const pass = script(`    def onInput_in(self):\n        self.out()\n`);
  const count = script(`    def onLoad(self):\n        self.left = ${hops}\n    def onInput_in(self):\n        self.left -= 1\n        if self.left > 0:\n            qi.async(self.out, delay=${delay})\n        else:\n            self.done()\n`);
  const wide = Math.ceil(Math.sqrt(boxes));
  const place = (id) => `x="${150 + (id % wide) * 160}" y="${40 + Math.floor(id / wide) * 90}"`;
  let content = '';
  for (let id = 1; id <= boxes; id++) {
    const done = id === 1 ? '<Output name="done" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>' : '';
    content += `<Box name="b${id}" id="${id}" localization="8" tooltip="" ${place(id)}>${id === 1 ? count : pass}${ports}${done}</Box>`;
  }
  for (let id = 1; id <= boxes; id++) content += `<Link outputowner="${id}" indexofoutput="3" inputowner="${(id % boxes) + 1}" indexofinput="2"/>`;
  content += '<Link outputowner="0" indexofoutput="2" inputowner="1" indexofinput="2"/><Link outputowner="1" indexofoutput="4" inputowner="0" indexofinput="4"/>';
  const file = join(temp, `${name}.xar`);
  const head = '<?xml version="1.0" encoding="UTF-8" ?><ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">';
  const own = '<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>';
  const inside = `<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>${content}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>`;
  writeFileSync(file, `${head}<Box name="root" id="-1" localization="8" tooltip="" x="0" y="0">${own}${inside}</Box></ChoregrapheProject>`);
  return file;
}

test('weight', () => {
  const dist = join(import.meta.dirname, '../dist');
  const files = readdirSync(dist).filter((name) => !name.endsWith('.txt'));
  const bytes = new Map(files.map((name) => [name, gzipSync(readFileSync(join(dist, name))).length]));
  const sum = (names) => names.reduce((all, name) => all + bytes.get(name), 0);
  say('page, compressed', `${(sum(files) / 1e6).toFixed(2)} MB`, '1.5 MB');
  // What is loaded when it is needed: scripts, the robot, the page of a show, the tablet's pages.
  const later = ['editor.js', 'robot.js', 'Lanes.js', 'jquery.js'];
  say('what each page loads, compressed', `${(sum(files.filter((name) => !later.includes(name))) / 1e6).toFixed(2)} MB`, '0.25 MB');
  say('editor, compressed', `${(bytes.get('editor.js') / 1e3).toFixed(0)} KB`, '170 KB');
});

test('ten thousand boxes', async (t) => {
  const url = await started(t, 'play', ring('tenthousand', 10_000, 1, 5000), '--view', '--quiet', '--paused', '--scripts', 'off');
  const opens = [];
  for (let round = 0; round < 5; round++) {
    const page = await opened(t, url);
    await box(page, 'root/b1').waitFor({ state: 'attached' });
    opens.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))));
    await page.close();
  }
  say('from the page to 10,000 boxes that are drawn', spread(opens, 'ms'), '2000 ms');
});

test('a box of ten thousand is moved', async (t) => {
  const url = await started(t, 'play', ring('tenthousand', 10_000, 1, 5000), '--view', '--edit', '--quiet', '--paused', '--scripts', 'off');
  const page = await opened(t, url);
  await box(page, 'root/b1').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Add a box' }).waitFor();
  const title = box(page, 'root/b202').locator('.title').first();
  await title.waitFor();
  await page.waitForTimeout(2000);
  const [drags, drops, longest] = [[], [], []];
  for (let round = 0; round < 5; round++) {
    const { x, y, width, height } = await title.boundingBox();
    await page.evaluate(() => {
      const frames = (window.frames_ = []);
      let last = performance.now();
      window.on_ = true;
      const next = () => {
        const now = performance.now();
        frames.push(now - last);
        last = now;
        if (window.on_) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
    const [fromX, fromY] = [x + width / 2, y + height / 2];
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    for (let step = 1; step <= 30; step++) await page.mouse.move(fromX + step, fromY + step / 2);
    drags.push(...(await page.evaluate(() => window.frames_.splice(0))).slice(1));
    const before = await box(page, 'root/b202').locator('.box').getAttribute('x');
    await page.evaluate(() => { window.let_ = performance.now(); });
    await page.mouse.up();
    await page.waitForFunction((before) => document.querySelector('[data-box="root/b202"] .box')?.getAttribute('x') !== before, before, { polling: 'raf' });
    drops.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - window.let_))))));
    // What comes after it: the check of the file, for instance.
    await page.waitForTimeout(1500);
    longest.push(at(await page.evaluate(() => ((window.on_ = false), window.frames_)), 1));
  }
  say('frames while one of 10,000 boxes is dragged', spread(drags, 'ms'), '34 ms');
  say('from the drop until it is drawn where it is now', spread(drops, 'ms'), '300 ms');
  say('the longest frame after it', spread(longest, 'ms'));
});

test('ten thousand boxes are moved along', async (t) => {
  const url = await started(t, 'play', ring('tenthousand', 10_000, 1, 5000), '--view', '--quiet', '--paused', '--scripts', 'off');
  const page = await opened(t, url);
  await box(page, 'root/b1').waitFor({ state: 'attached' });
  await page.waitForTimeout(2000);
  const { x, y, width, height } = await page.locator('.stage').boundingBox();
  const frames = [];
  // From the middle up to the left, and back again: what comes into sight is put in on the way.
  for (let round = 0; round < 6; round++) {
    const by = round % 2 ? 1 : -1;
    const [fromX, fromY] = [x + width / 2 - by * 200, y + height / 2 - by * 100];
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.evaluate(() => {
      const frames = (window.frames_ = []);
      let last = performance.now();
      window.on_ = true;
      const next = () => {
        const now = performance.now();
        frames.push(now - last);
        last = now;
        if (window.on_) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
    for (let step = 1; step <= 60; step++) await page.mouse.move(fromX + by * step * 7, fromY + by * step * 4);
    frames.push(...(await page.evaluate(() => ((window.on_ = false), window.frames_))).slice(1));
    await page.mouse.up();
  }
  say('frames while 10,000 boxes are panned', spread(frames, 'ms'), '34 ms');
});

test('first paint', async (t) => {
  const trace = await recorded('examples/hello');
  const url = await started(t, 'view', trace, 'examples/hello');
  const paints = [];
  for (let round = 0; round < 5; round++) {
    const page = await opened(t, url);
    await box(page, 'root/Wave').waitFor();
    paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
    await page.close();
  }
  say('first paint', spread(paints, 'ms'), '1000 ms');
});

test('event to pixel', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  const page = await opened(t, url);
  await box(page, 'root/If touched').click();
  await page.getByRole('button', { name: 'send to released' }).waitFor();
  // The first shows no number of times.
  for (let round = 0; round < 2; round++) await page.getByRole('button', { name: 'send to released' }).click();
  const took = await page.evaluate(async () => {
    const button = document.querySelector('[aria-label="send to released"]');
    const times = () => Number(button.closest('tr').textContent.match(/×(\d+)/)?.[1] ?? 0);
    const all = [];
    for (let round = 0; round < 30; round++) {
      const before = times();
      const began = performance.now();
      button.click();
      while (times() === before) await new Promise((frame) => requestAnimationFrame(frame));
      await new Promise((frame) => requestAnimationFrame(frame));
      all.push(performance.now() - began);
      await new Promise((then) => setTimeout(then, 60));
    }
    return all;
  });
  say('click in the page, signal in the engine, light on the page', spread(took, 'ms'), '100 ms');
});

test('script time', async (t) => {
  const file = ring('thousand', 1000, 1e6, 5000);
  const url = await started(t, 'play', file, '--view', '--quiet', '--paused');
  const page = await opened(t, url);
  await page.addInitScript(() => {
    // All that our own code does in a frame: messages, and what is done before it is drawn.
    const frames = (window.frames_ = []);
    let own = 0;
    const timed = (f) => function (...args) {
      const began = performance.now();
      try {
        return f.apply(this, args);
      } finally {
        own += performance.now() - began;
      }
    };
    const message = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
    Object.defineProperty(WebSocket.prototype, 'onmessage', { ...message, set(f) { message.set.call(this, timed(f)); } });
    const soon = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (f) => soon(timed(f));
    const micro = window.queueMicrotask.bind(window);
    window.queueMicrotask = (f) => micro(timed(f));
    const then = Promise.prototype.then;
    Promise.prototype.then = function (a, b) {
      return then.call(this, typeof a === 'function' ? timed(a) : a, b);
    };
    const next = () => {
      frames.push(own);
      own = 0;
      soon(next);
    };
    soon(next);
  });
  await page.reload();
  await box(page, 'root/b1').waitFor({ state: 'attached' });
  await play(page);
  // Of a large diagram only what is seen is in the page.
  await page.locator('.link.passed').nth(40).waitFor({ state: 'attached' });
  await page.evaluate(() => { window.frames_.length = 0; });
  await page.waitForTimeout(5000);
  const all = await page.evaluate(() => window.frames_);
  // Those in between have nothing new to show.
  const frames = all.filter((ms) => ms > 0.5);
  say(`own script time in a frame, 1000 boxes, ${frames.length} pictures in ${all.length} frames`, spread(frames, 'ms'), '8 ms');
});

test('throughput', async (t) => {
  const file = ring('busy', 100, 40_000, 1000);
  /** Runs it in virtual time: with a page, from the moment at which that lets it go. */
  const takes = async (...more) => {
    const program = spawn(process.env.BOXSTEP, ['play', file, '--virtual-time', '--quiet', ...more], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let [said, began, page] = ['', performance.now(), undefined];
    const played = new Promise((done) => program.stdout.on('data', (text) => {
      said += text;
      if (said.includes('played ')) done(performance.now());
    }));
    if (more.length) {
      const url = await new Promise((found) => program.stdout.on('data', () => {
        const address = said.match(/http:\/\/\S+/);
        if (address) found(address[0]);
      }));
      page = await opened(t, url);
      await box(page, 'root/b100').waitFor({ state: 'attached' });
      // To load the page takes time as well, but once.
      await page.waitForTimeout(1500);
      began = performance.now();
      await play(page);
    }
    const took = (await played) - began;
    await page?.context().close();
    program.kill('SIGINT');
    await new Promise((done) => program.exitCode !== null ? done() : program.once('exit', done));
    return took;
  };
  const ratios = [];
  for (let round = 0; round < 5; round++) ratios.push((await takes()) / (await takes('--view', '--paused')));
  say('4 million signals in virtual time, with the page and without', `${(at(ratios, 0.5) * 100).toFixed(0)} % as fast (${sorted(ratios).map((ratio) => (ratio * 100).toFixed(0)).join(', ')})`, '95 %');
});
