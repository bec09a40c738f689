// The player: runs begin, stop and begin again at the same address; recordings and the past play back.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { box, inspector, opened, play, recorded, region, root, shot, started, temp, valued } from './helpers.mjs';

const ended = (page) => page.getByRole('banner').getByText('ended').waitFor();
const past = (page) => page.getByRole('status', { name: 'the past' });
const slider = (page) => page.getByRole('slider', { name: 'time' });
const seconds = async (page) => Number(await slider(page).inputValue()) / 1e9;
const button = (page, name) => page.getByRole('button', { name, exact: true });

test('a run is seen before it plays, and played any number of times at the same address', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/hello', '--view', '--paused'));
  await page.getByRole('banner').getByText('ready').waitFor();
  await box(page, 'root/Say bye').waitFor();
  await shot(page, 'play-before');
  const address = page.url();
  await page.keyboard.press(' ');
  await page.locator('[data-box="root/Wave"].running').waitFor();
  await page.getByLabel('speed').selectOption('10');
  await ended(page);
  for (const key of [false, true]) {
    if (key) await page.keyboard.press(' ');
    else await play(page);
    await page.locator('[data-box="root/Wave"].running').waitFor();
    assert.ok((await seconds(page)) < 5, 'from the beginning');
    await button(page, 'Stop').click();
    await ended(page);
    await page.locator('[data-box="root/Wave"]:not(.running)').waitFor();
  }
  // In the middle of a run, too; the log is that of the new one.
  await play(page);
  await page.locator('[data-box="root/Wave"].running').waitFor();
  await page.waitForFunction(() => Number(document.querySelector('[aria-label=time]').value) > 2e9);
  await button(page, 'Restart').click();
  await page.waitForFunction(() => Number(document.querySelector('[aria-label=time]').value) < 2e9);
  await page.locator('[data-box="root/Wave"].running').waitFor();
  const log = page.getByRole('listbox', { name: 'log' });
  await log.getByText('started hello').first().waitFor();
  assert.equal(await log.getByText('started hello').count(), 1);
  assert.equal(page.url(), address);
});

test('another page that shows the run follows it into the next', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  const [one, other] = [await opened(t, url), await opened(t, url)];
  await box(other, 'root/Say ouch').waitFor();
  await button(one, 'Stop').click();
  for (const page of [one, other]) await ended(page);
  await play(one);
  for (const page of [one, other]) await page.locator('[data-box="root/Say ready"].running').waitFor();
  // Who still sees the run before, and asks for the next one too late, ends nothing.
  await other.evaluate(() => new Promise((done) => {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    socket.onopen = () => socket.send('{"do":"restart","run":0}');
    // What is sent after it is answered after it.
    socket.onmessage = ({ data }) => (JSON.parse(data).type === 'picture' ? socket.send('{"do":"errors","from":0,"to":1,"most":1}') : JSON.parse(data).type === 'errors' && done());
  }));
  await other.locator('[data-box="root/Say ready"]:not(.running)').waitFor();
  const log = other.getByRole('listbox', { name: 'log' });
  await log.getByText('started touch').first().waitFor();
  assert.equal(await log.getByText('started touch').count(), 1);
});

test('a run that ends is repeated as long as one likes', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/say-and-wait', '--view', '--paused'));
  await page.getByLabel('speed').selectOption('10');
  await button(page, 'Loop').click();
  await page.evaluate(() => {
    window.begun = 0;
    let last = Infinity;
    const look = () => {
      const t = Number(document.querySelector('[aria-label=time]').value);
      if (t < last - 1e8) window.begun += 1;
      last = t;
      requestAnimationFrame(look);
    };
    look();
  });
  await play(page);
  await page.waitForFunction(() => window.begun >= 2);
  await button(page, 'Loop').click();
  await ended(page);
});

test('what is in the files now is what is played again, and a file that cannot be read says so', async (t) => {
  const file = join(mkdtempSync(join(temp, 'again-')), 'behavior.xar');
  const source = readFileSync(join(root, 'examples/say-and-wait/behavior.xar'), 'utf8');
  writeFileSync(file, source);
  const page = await opened(t, await started(t, 'play', file, '--view'));
  await box(page, 'root/Say one').waitFor();
  await button(page, 'Stop').click();
  writeFileSync(file, source.replaceAll('Say one', 'Say first'));
  await play(page);
  await box(page, 'root/Say first').and(page.locator('.running')).waitFor();
  assert.equal(await box(page, 'root/Say one').count(), 0);
  await button(page, 'Stop').click();
  await ended(page);
  writeFileSync(file, 'no behavior');
  await play(page);
  await page.getByRole('alert').getByText('it cannot be played again').waitFor();
  writeFileSync(file, source);
  await play(page);
  await box(page, 'root/Say one').and(page.locator('.running')).waitFor();
  await page.getByText('it cannot be played again').waitFor({ state: 'detached' });
});

test('a run is played from a time on', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/hello', '--view', '--paused'));
  await page.getByLabel('speed').selectOption('10');
  await play(page);
  await ended(page);
  await slider(page).fill('2500000000');
  await past(page).waitFor();
  await button(page, 'Play from here').click();
  await past(page).waitFor({ state: 'detached' });
  await page.locator('[data-box="root/Wave"].running').waitFor();
  assert.ok((await seconds(page)) < 3.7, 'it plays on from there as usual');
  await ended(page);
  assert.equal(await page.locator('[data-from^="output\tonStopped\troot/Say bye"].passed').count(), 1, 'all that was before has been');
});

test('the past is unmistakable, and nothing acts on the run from there', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/touch', '--view'));
  await page.locator('[data-box="root/Say ready"].running').waitFor();
  await page.locator('[data-box="root/Say ready"]:not(.running)').waitFor();
  await box(page, 'root/If touched').click();
  await inspector(page).getByRole('button', { name: 'send to released' }).waitFor();
  const talk = await region(page, 'Talk');
  await slider(page).fill('0');
  await past(page).getByText('The run goes on').waitFor();
  await page.getByRole('banner').getByText('the past').waitFor();
  await shot(page, 'play-past');
  assert.equal(await inspector(page).getByRole('button', { name: /^send to/ }).count(), 0);
  assert.ok(await talk.getByRole('textbox').isDisabled());
  assert.ok(await button(page, 'Restart').isDisabled());
  assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0);
  await page.getByRole('region', { name: 'Robot' }).getByText('Touch', { exact: true }).click();
  assert.ok(await button(page, 'head, front').isDisabled());
  // Space plays what was; it does not stop the run.
  await page.getByRole('banner').click();
  await page.keyboard.press(' ');
  await page.waitForFunction(() => Number(document.querySelector('[aria-label=time]').value) > 2e8);
  await button(page, 'Now').click();
  await past(page).waitFor({ state: 'detached' });
  await button(page, 'Pause').waitFor();
  await inspector(page).getByRole('button', { name: 'send to released' }).waitFor();
});

test('a recording plays with speed, steps and loop, and its links light up', async (t) => {
  const file = 'crates/boxstep-view/web/e2e/files/mishaps.xar';
  const page = await opened(t, await started(t, 'view', await recorded(file), file));
  await page.getByRole('banner').getByText('recording').waitFor();
  assert.equal(await past(page).count(), 0, 'all of a recording is past');
  await page.evaluate(() => {
    window.lit = 0;
    new MutationObserver((all) => (window.lit += all.filter(({ target }) => target.classList?.contains('lit')).length)).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['class'] });
  });
  await page.getByLabel('speed').selectOption('4');
  await play(page);
  await button(page, 'Pause').waitFor();
  await page.waitForFunction(() => window.lit > 0);
  // To its end, where it rests.
  await button(page, 'Play').waitFor();
  const end = await seconds(page);
  assert.equal(end, Number(await slider(page).getAttribute('max')) / 1e9);
  await button(page, 'step back').click();
  await page.waitForFunction((end) => Number(document.querySelector('[aria-label=time]').value) < end * 1e9, end);
  const before = await seconds(page);
  await page.keyboard.press('.');
  await page.waitForFunction((t) => Number(document.querySelector('[aria-label=time]').value) > t * 1e9, before);
  await slider(page).fill('0');
  await button(page, 'Loop').click();
  await page.getByLabel('speed').selectOption('10');
  await page.evaluate(() => {
    window.rounds = 0;
    let last = 0;
    const look = () => {
      const t = Number(document.querySelector('[aria-label=time]').value);
      if (t < last) window.rounds += 1;
      last = t;
      requestAnimationFrame(look);
    };
    look();
  });
  await play(page);
  await page.waitForFunction(() => window.rounds >= 2);
  await button(page, 'Pause').click();
});

test('touches and sentences of a run are marked below the slider', async (t) => {
  const trace = await recorded('examples/touch', '--event', 'FrontTactilTouched=1@2', '--hear', 'hello', '--for', '8');
  const page = await opened(t, await started(t, 'view', trace, 'examples/touch'));
  await page.locator('.slider .event').first().waitFor({ state: 'attached' });
  assert.ok((await page.locator('.slider .event').count()) >= 1);
});

test('after the program has ended the page is whole and says so', async (t) => {
  // The program is ended by its own signal; the page loses its server, which is no error of the page.
  const { spawn } = await import('node:child_process');
  const program = spawn(process.env.BOXSTEP, ['play', 'examples/nested-parameters', '--view'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => program.kill('SIGKILL'));
  let said = '';
  const url = await new Promise((found) => program.stdout.on('data', (text) => {
    const address = (said += text).match(/http:\/\/\S+/);
    if (address) found(address[0]);
  }));
  const page = await opened(t, url, { errs: true });
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await box(page, 'root/Visit').waitFor();
  await ended(page);
  program.kill('SIGINT');
  await page.getByText('boxstep has ended').waitFor();
  // All of it can still be looked at.
  for (const name of ['Timeline', 'Talk', 'Behaviors', 'Memory', 'Calls', 'Resources']) await (await region(page, name)).waitFor();
  await box(page, 'root/Visit').click();
  await inspector(page).getByText('root/Visit', { exact: true }).waitFor();
  await box(page, 'root/Visit').dblclick();
  await page.getByText('This level was not loaded').waitFor();
  await page.keyboard.press('e');
  await shot(page, 'play-gone');
  assert.deepEqual(errors, []);
});

test('a page that is loaded again is where it was', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/nested-parameters', '--view', '--paused'));
  await box(page, 'root/Visit').dblclick();
  await box(page, 'root/Visit/Politely').click();
  await page.getByRole('radio', { name: 'Debug' }).check();
  await page.reload();
  await page.getByRole('banner').getByText('ready').waitFor();
  await box(page, 'root/Visit/Politely').and(page.locator('.selected')).waitFor();
  assert.ok(await page.getByRole('radio', { name: 'Debug' }).isChecked());
  await inspector(page).getByText('root/Visit/Politely').waitFor();
});

test('a parameter has a field that fits, says what the file says, and is reset', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/hello', '--view', '--paused'));
  await box(page, 'root/Say').click();
  await valued(page, 'Text', 'Hello, I am a robot.');
  const field = inspector(page).getByLabel('Text', { exact: true });
  await field.fill('Good day.');
  await field.press('Enter');
  await play(page);
  await inspector(page).getByText('file: Hello, I am a robot.').waitFor();
  await box(page, 'root/Say').locator('.face').getByText('Good day.', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Robot' }).getByRole('status', { name: 'it says' }).getByText('Good day.').waitFor();
  await inspector(page).getByRole('button', { name: 'reset Text' }).click();
  await valued(page, 'Text', 'Hello, I am a robot.');
  await inspector(page).getByText(/^file:/).waitFor({ state: 'detached' });
});

test('what is pressed twice to stop does not play again', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/say-and-wait', '--view'));
  const stop = button(page, 'Stop');
  const { x, y, width, height } = await stop.boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await button(page, 'Play').waitFor();
  await page.mouse.click(x + width / 2, y + height / 2);
  assert.equal(await stop.isDisabled(), true);
  assert.deepEqual(await stop.boundingBox(), { x, y, width, height });
});
