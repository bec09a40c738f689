// The page of a show with several robots, recorded and while it goes on, in a real browser.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, asked, opened, root, shot, started, temp } from './helpers.mjs';

/** Rehearses the chorus, and says where it is recorded. */
async function rehearsed(...args) {
  const folder = mkdtempSync(join(temp, 'show-'));
  const program = spawn(process.env.BOXSTEP, ['fleet', 'rehearse', 'examples/chorus/show.yaml', '--record', folder, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  assert.equal(await new Promise((done) => program.once('exit', done)), 0);
  return folder;
}

/** A recorded show that nobody has rehearsed: many robots, and all that can happen. */
function written(robots, scenes, { name = (robot) => `robot-${robot + 1}`, long = 12 } = {}) {
  const folder = mkdtempSync(join(temp, 'written-'));
  const all = Array.from({ length: robots }, (_, robot) => robot);
  const show = {
    name: 'Large', robots: all.map((robot) => ({ name: name(robot), body: robot % 3 ? 'nao' : 'pepper' })), packages: [],
    scenes: Array.from({ length: scenes }, (_, scene) => ({ name: `Scene ${scene + 1}`, parts: [], at: null, at_most: null })),
    cues: all.map((robot) => ({ from: robot, when: { event: { key: 'a' } }, to: [(robot + 1) % robots], then: { event: { key: 'b' } }, after: 0.2 })),
    lost: 'go-on', alone: 30, posture: null,
  };
  const entries = all.map((robot) => ({ at: 0.1 + robot / 100, robot, event: 'joined' }));
  let at = 2;
  for (let scene = 0; scene < scenes; scene++) {
    entries.push({ at, robot: null, event: { scene: { scene, at: (at + 0.5) * 1e9 } } });
    for (const robot of all) entries.push({ at: at + 0.5, robot, event: { started: { scene } } });
    for (const robot of all.filter((robot) => robot % 7 === scene % 7)) entries.push({ at: at + 3 + robot / 20, robot, event: { cue: { cue: robot } } });
    for (const robot of all.filter((robot) => robot % 13 === 4)) entries.push({ at: at + 5, robot, event: { trouble: { text: `its arm is hot in scene ${scene + 1}` } } });
    if (scene === 1) entries.push({ at: at + 6, robot: 2, event: 'lost' }, { at: at + 9, robot: 2, event: 'back' });
    if (scene === 2 && robots > 5) entries.push({ at: at + 6, robot: 5, event: { held: { why: 'the leader is lost' } } }, { at: at + 8, robot: 5, event: 'armed' });
    for (const robot of all) entries.push({ at: at + long - 3 + (robot % 5) / 5, robot, event: { ended: { scene } } });
    at += long;
  }
  entries.push({ at, robot: null, event: { stopped: { by: 'a person' } } });
  entries.sort((a, b) => a.at - b.at);
  writeFileSync(join(folder, 'account.jsonl'), [show, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return folder;
}

const lanes = (page) => page.getByRole('region', { name: 'lanes' });
const lane = (page, name) => lanes(page).getByRole('group', { name });
/** Nothing beyond the page's width, and no text that is too small. */
async function fits(page) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is not wider than the window');
  const small = await page.evaluate(() => [...document.querySelectorAll('body *')].filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) && parseFloat(getComputedStyle(one).fontSize) < 9).map((one) => one.outerHTML));
  assert.deepEqual(small, []);
}

test('a recorded show has a lane for each robot, with scenes, signals and the account', async (t) => {
  const url = await started(t, 'view', await rehearsed());
  const page = await opened(t, url, { viewport: { width: 1200, height: 620 } });
  await page.getByRole('heading', { name: 'Chorus' }).waitFor();
  assert.equal(await page.title(), 'Chorus – Boxstep');
  await page.getByRole('status').getByText('the show is over').waitFor();
  for (const name of ['soprano', 'alto', 'bass']) {
    const of = lane(page, `${name}, nao: the show is over`);
    for (const scene of ['Greeting', 'Song']) {
      const bar = of.getByRole('button', { name: new RegExp(`: ${name} plays “${scene}”, until \\d+\\.\\d s`) });
      assert.equal((await bar.textContent()).trim(), scene);
      assert.ok((await bar.boundingBox()).width > 30);
    }
  }
  for (const scene of ['Greeting', 'Song']) await lanes(page).getByRole('button', { name: `the scene “${scene}” begins` }).waitFor();
  assert.equal(await page.locator('line.begin').count(), 2, 'a line for each scene');
  // The signal goes from the soprano to both others, and comes there later.
  const signal = lane(page, /^soprano/).getByRole('button', { name: /soprano gives a signal to alto, bass/ });
  await signal.waitFor();
  const lines = await page.locator('line.cue').evaluateAll((all) => all.map((line) => ['x1', 'x2', 'y1', 'y2'].map((name) => Number(line.getAttribute(name)))));
  assert.equal(lines.length, 2);
  for (const [x1, x2, y1, y2] of lines) assert.ok(x2 > x1 && y2 > y1, `${x1} ${x2} ${y1} ${y2}`);
  // What it is is said to the pointer and to the keyboard.
  await signal.hover();
  await page.getByRole('tooltip').getByText(/\d s: soprano gives a signal to alto, bass/).waitFor();
  await page.mouse.move(5, 5);
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
  // The mark and its line are chosen together.
  await signal.click();
  const line = page.getByRole('region', { name: 'account' }).getByRole('button', { name: /soprano gives a signal/ });
  assert.equal(await line.getAttribute('aria-current'), 'true');
  assert.ok(await line.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight));
  await page.mouse.move(5, 5);
  await shot(page, 'fleet');
  await fits(page);
});

test('the keyboard goes from mark to mark, and along the account', async (t) => {
  const url = await started(t, 'view', await rehearsed('--lose', 'alto@3-6'));
  const page = await opened(t, url);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  await lanes(page).focus();
  await page.keyboard.press('Tab');
  assert.match(await focused(), /the scene “Greeting” begins/);
  await page.getByRole('tooltip').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /soprano plays “Greeting”/);
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /alto plays “Greeting”/);
  await page.keyboard.press('ArrowRight');
  assert.match(await focused(), /alto is lost/);
  const line = page.getByRole('button', { name: /s alto is lost/ }).and(page.locator('[data-line]'));
  assert.equal(await line.getAttribute('aria-current'), 'true');
  await shot(page, 'fleet-lost');
  // Larger, what is chosen stays in sight.
  for (let round = 0; round < 6; round++) await page.keyboard.press('+');
  const lost = lane(page, /^alto/).getByRole('button', { name: /alto is lost, until/ });
  const [at, view] = [await lost.boundingBox(), await lanes(page).boundingBox()];
  assert.ok(at.width > 100 && at.x < view.x + view.width && at.x + at.width > view.x, 'in sight');
  await page.keyboard.press('End');
  await page.keyboard.press('0');
  await line.focus();
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await focused(), await line.textContent());
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), await line.textContent());
});

test('the trace of a robot opens as a page of its own', async (t) => {
  const url = await started(t, 'view', await rehearsed());
  const page = await opened(t, url);
  const name = lane(page, /^alto/).getByRole('button', { name: 'open the trace of alto' });
  assert.match(await name.getAttribute('title'), /^boxstep view \S+alto\.jsonl$/);
  const [other] = await Promise.all([page.waitForEvent('popup'), name.click()]);
  await other.getByText('alto.jsonl').first().waitFor();
  assert.notEqual(new URL(other.url()).port, new URL(url).port);
  const ask = (what, body, headers = { 'content-type': 'application/json' }) => asked(url, what, { method: 'POST', headers, body });
  assert.match((await (await ask('/trace', '{"robot":9}')).json()).refused, /there is no robot 9/);
  assert.equal((await ask('/trace', '{"robot":0,"file":"/etc/passwd"}')).status, 422);
  assert.equal((await ask('/trace', '{"robot":0}', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await ask('/stop', '{}')).status, 409, 'a recording is not stopped');
  assert.equal(await page.getByRole('button', { name: 'Stop everything' }).count(), 0);
});

test('everybody can use it, wide and narrow, light and dark, with 3 robots and with 40', async (t) => {
  const few = await rehearsed('--lose', 'alto@3-6');
  for (const [what, folder, lowest] of [['few', few, 3], ['many', written(40, 6), 40]]) {
    const url = await started(t, 'view', folder);
    for (const [width, height] of [[1440, 900], [390, 844]]) {
      for (const colorScheme of ['light', 'dark']) {
        const page = await opened(t, url, { viewport: { width, height }, colorScheme });
        await lanes(page).getByRole('group').nth(lowest).waitFor();
        await accessible(page);
        await fits(page);
        await shot(page, `fleet-${what}-${width}-${colorScheme}`);
        if (width === 390) {
          // Lanes are below their names. A longer show is longer than the page, and scrolls alone.
          assert.equal(await lanes(page).evaluate((one) => one.scrollWidth > one.clientWidth), what === 'many');
          const flag = await lanes(page).getByRole('button', { name: /begins$/ }).first().boundingBox();
          const line = await page.locator('line.begin').first().boundingBox();
          assert.ok(Math.abs(flag.x - line.x) < 2, 'the axis and the lanes have the same time at a place');
          const [name, bar] = [await lane(page, /^(alto|robot-2),/).locator('.name').boundingBox(), await lane(page, /^(alto|robot-2),/).locator('.bar').first().boundingBox()];
          assert.ok(bar.y >= name.y + name.height - 3);
        }
        await page.close();
      }
    }
  }
});

test('a long show is enlarged, and all of its account can be read', async (t) => {
  const url = await started(t, 'view', written(12, 240));
  const page = await opened(t, url);
  await lanes(page).getByRole('group').nth(12).waitFor();
  const widest = () => lanes(page).evaluate((one) => one.scrollWidth);
  const all = await widest();
  for (let round = 0; round < 8; round++) await page.getByRole('button', { name: 'zoom in' }).click();
  assert.ok((await widest()) > 10 * all);
  const account = page.getByRole('region', { name: 'account' });
  assert.equal(await account.locator('[data-line]').count(), 800);
  await account.getByRole('searchbox').fill('scene 17');
  await account.getByRole('button', { name: /robot-5 its arm is hot in scene 17$/ }).click();
  const mark = lane(page, /^robot-5,/).getByRole('button', { name: /its arm is hot in scene 17$/ });
  const [at, view] = [await mark.boundingBox(), await lanes(page).boundingBox()];
  assert.ok(at.x > view.x && at.x < view.x + view.width, 'its mark has come into sight');
  await shot(page, 'fleet-long');
  await page.getByRole('button', { name: 'show all' }).click();
  assert.equal(await widest(), all);
});

test('a name from elsewhere is text, and a cut account is shown to its end', async (t) => {
  const folder = written(3, 2, { name: (robot) => (robot ? `r${robot}` : '<img src=x onerror="document.title=1">\u202e') });
  appendFileSync(join(folder, 'account.jsonl'), '{"at":99,"robot":1,"ev');
  const page = await opened(t, await started(t, 'view', join(folder, 'account.jsonl')));
  await lanes(page).getByText('<img src=x onerror="document.title=1">\\u{202e}').waitFor();
  await page.getByRole('status').getByText('the account is cut off here').waitFor();
  assert.equal(await page.locator('img').count(), 0);
});

/** The page of a show that goes on: what the server would tell is written here, as the program may not have a network. */
async function live(t, told, options) {
  const url = await started(t, 'view', written(3, 1));
  const stops = [];
  const page = await opened(t, url, { ...options, first: undefined });
  await page.route('**/show?*', (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('entries'));
    const { entries, ...rest } = told;
    const first = from > entries.length ? 0 : from;
    return route.fulfill({ json: { title: 'Live', live: true, stops: true, over: false, says: 'plays “One”', ...rest, first, entries: entries.slice(first) } });
  });
  await page.route('**/stop', (route) => (stops.push(route.request().postData()), route.fulfill({ status: 204 })));
  await page.reload();
  return { page, stops };
}
const robot = (name, state, says, clock = 0.4) => ({ name, body: 'nao', state, says, clock, trace: null });

test('a show that goes on moves, and one button stops everything without a question', async (t) => {
  const told = {
    now: 12,
    lanes: [robot('soprano', 'playing', 'plays “One”'), robot('alto', 'lost', 'is lost', null), robot('bass', 'holding', 'holds: the leader is lost', 1.26)],
    entries: [
      { at: 2, robot: null, what: 'scene', scene: 'One', begins: 3, text: 'the scene “One” is announced' },
      ...[0, 1, 2].map((robot) => ({ at: 3, robot, what: 'started', scene: 'One', text: 'plays “One”' })),
      { at: 8, robot: 1, what: 'lost', text: 'is lost' },
      { at: 9, robot: 2, what: 'held', text: 'holds: the leader is lost' },
    ],
  };
  const { page, stops } = await live(t, told);
  await lane(page, 'bass, nao: holds: the leader is lost, clock ± 1.3 ms').waitFor();
  await lane(page, /^alto/).getByRole('button', { name: 'is lost, until now' }).waitFor();
  const at = () => page.locator('line.now').getAttribute('x1').then(Number);
  const before = await at();
  told.now = 14;
  told.entries.push({ at: 13, robot: 0, what: 'trouble', text: 'its arm is hot' });
  await lane(page, /^soprano/).getByRole('button', { name: 'its arm is hot' }).waitFor();
  assert.ok((await at()) > before, 'now goes on');
  assert.equal(await page.locator('[data-line]').count(), 7, 'lines come once');
  await shot(page, 'fleet-live');
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await accessible(page);
  }
  // The first that the tab key reaches.
  await page.keyboard.press('Tab');
  const stop = page.getByRole('button', { name: 'Stop everything' });
  assert.ok(await stop.evaluate((one) => one === document.activeElement));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Stopping …' }).waitFor();
  assert.deepEqual(stops, ['{}']);
  Object.assign(told, { over: true, says: 'everything was stopped by a person at the page of the show' });
  told.entries.push({ at: 14.1, robot: null, what: 'stopped', text: told.says });
  await page.getByRole('status').getByText('everything was stopped').waitFor();
  await page.getByRole('button', { name: 'Stopping …' }).waitFor({ state: 'detached' });
  await lane(page, /^soprano/).getByRole('button', { name: 'plays “One”, until 14.1 s' }).waitFor();
});

test('on a phone the button that stops everything is in sight, and what is now is, too', async (t) => {
  const lanes = [robot('soprano', 'playing', 'plays “One”'), robot('alto', 'playing', 'plays “One”')];
  const { page } = await live(t, { now: 200, lanes, entries: [{ at: 1, robot: 0, what: 'started', scene: 'One', text: 'plays “One”' }] }, { viewport: { width: 390, height: 700 } });
  const stop = await page.getByRole('button', { name: 'Stop everything' }).boundingBox();
  assert.ok(stop.y + stop.height < 200 && stop.height >= 34);
  await page.waitForFunction(() => {
    const at = document.querySelector('line.now')?.getBoundingClientRect().x;
    return at > 0 && at < innerWidth;
  });
  await accessible(page);
  await shot(page, 'fleet-live-phone');
});

test('the page of a show is for who has its address, and asks nothing of other sites', async (t) => {
  const url = await started(t, 'view', written(3, 1));
  assert.equal((await fetch(new URL('/show', url))).status, 401);
  assert.equal((await asked(url, '/show', { headers: { origin: 'http://evil.example' } })).status, 403);
  const answer = await asked(url, '/');
  assert.match(answer.headers.get('content-security-policy'), /default-src 'self'/);
  assert.ok(!/<script>/.test(await answer.text()));
  const of = async (query) => (await asked(url, `/show${query}`)).json();
  const all = await of('');
  assert.ok(all.entries.length > 3 && all.first === 0);
  assert.equal((await of(`?entries=${all.entries.length}`)).entries.length, 0);
  assert.equal((await of('?entries=999999')).first, 0);
});
