// The page of `boxstep open` in a real browser.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { accessible, asked, begun, box, opened, ran, recorded, root, shot, started, temp } from './helpers.mjs';

test('a behavior is found, played and stopped', async (t) => {
  const url = await started(t, 'open', 'examples');
  const page = await opened(t, url);
  const hello = page.getByRole('article', { name: 'hello', exact: true });
  await hello.getByRole('img').waitFor();
  await hello.getByText('3 boxes').waitFor();
  await hello.getByText('no findings').waitFor();
  const companion = page.getByRole('article', { name: 'companion' });
  await companion.getByText('character', { exact: true }).waitFor();
  await companion.getByRole('img').waitFor();
  await shot(page, 'open');
  await page.getByRole('searchbox').fill('hello');
  assert.equal(await page.getByRole('article').count(), 1);
  await hello.getByRole('button', { name: 'play hello' }).click();
  const run = hello.getByLabel('run of hello');
  await run.getByText('plays').waitFor();
  const link = await run.getByRole('link', { name: 'watch' }).getAttribute('href');
  const other = await opened(t, link);
  await box(other, 'root/Say').waitFor();
  await run.getByText('has ended, its page is open').waitFor();
  await other.close();
  await run.getByRole('button', { name: 'close hello' }).click();
  await run.getByText('has ended', { exact: true }).waitFor();
});

test('the picture of a character has its behaviors, and is opened as large as it is', async (t) => {
  const url = await started(t, 'open', 'examples/companion');
  const page = await opened(t, url);
  const companion = page.getByRole('article', { name: 'companion' });
  const picture = companion.getByRole('img', { name: 'diagram of companion' });
  await picture.waitFor();
  await page.waitForFunction((picture) => picture.naturalWidth > 0, await picture.elementHandle());
  const [large] = await Promise.all([page.waitForEvent('popup'), picture.click()]);
  await large.locator('svg[aria-label=Companion]').waitFor();
  await large.getByText('stroked', { exact: true }).last().waitFor();
  await shot(large, 'open-character');
});

test('what cannot be played says why', async (t) => {
  const url = await started(t, 'open', 'crates/boxstep-view/web/e2e/files');
  const page = await opened(t, url);
  const broken = page.getByRole('article', { name: 'broken.xar' });
  await broken.getByText('broken.xar').first().waitFor();
  assert.equal(await broken.getByRole('button').count(), 0);
  await page.getByRole('article', { name: 'fails' }).getByRole('button', { name: 'play fails' }).click();
  await page.getByLabel('run of fails').getByText('has ended, its page is open').waitFor();
});

test('a card says how its behavior ended last, by a recording of the folder until it is played', async (t) => {
  const folder = mkdtempSync(join(temp, 'last-'));
  const file = join(folder, 'behavior.xar');
  copyFileSync(join(root, 'examples/say-and-wait/behavior.xar'), file);
  for (const scheme of ['light', 'dark']) {
    copyFileSync(await recorded(file), join(folder, 'kept.jsonl'));
    const page = await opened(t, await started(t, 'open', folder), { colorScheme: scheme });
    const card = page.getByRole('article').first();
    const last = card.getByLabel(/^last run of/);
    await last.getByText(/ended after \d\.\d s kept\.jsonl, /).waitFor();
    await accessible(page, 'article');
    await shot(page, `open-last-${scheme}`);
    rmSync(join(folder, 'kept.jsonl'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await last.waitFor({ state: 'detached' });
    await card.getByRole('button', { name: /^play / }).click();
    await last.getByText(/ended after \d\.\d s/).waitFor();
    assert.ok(!(await last.textContent()).includes('kept'), 'that of the gallery');
  }
});

test('a card says that a behavior has failed', async (t) => {
  const page = await opened(t, await started(t, 'open', 'crates/boxstep-view/web/e2e/files'));
  const card = page.getByRole('article', { name: 'fails' });
  await card.getByRole('button', { name: 'play fails' }).click();
  await card.getByLabel('last run of fails').getByText('failed after 0.0 s, 1 exception').waitFor();
  // What the run has said to the gallery alone is not shown.
  assert.ok(!(await card.locator('pre').first().textContent()).includes('result:'));
});

test('nobody plays what is not on the wall', async (t) => {
  const url = await started(t, 'open', 'examples/hello');
  const ask = (what, body, headers = { 'content-type': 'application/json' }) => asked(url, what, { method: 'POST', headers, body });
  assert.equal((await ask('/play', '{"entry":99}')).status, 409);
  assert.equal((await ask('/play', '{"entry":0,"file":"/etc/passwd"}')).status, 422);
  assert.equal((await ask('/play', '{"entry":0}', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await ask('/play', '{"entry":0}', { 'content-type': 'application/json', origin: 'http://evil.example' })).status, 403);
  assert.equal((await ask('/stop', '{"run":7}')).status, 409);
  assert.equal((await ask('/play', '{"entry":0,"robot":"/tmp/robot.py"}')).status, 409);
  assert.equal((await asked(url, '/picture/99')).status, 404);
});

test('a robot for qi clients is seen, and what it is sent is drawn', async (t) => {
  const { url, said } = await begun(t, 'robot', '--listen', '127.0.0.1:0', '--view');
  const page = await opened(t, url);
  await page.getByText('There is no diagram here').waitFor();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  const robot = said.match(/tcp:\/\/(\S+)/)[1];
  await ran('send', 'examples/touch', robot);
  await page.locator('[data-box$="/If touched"].running, [data-box$="/If touched"].loaded').waitFor();
  // The one that was begun last is shown.
  await ran('send', 'examples/hello', robot);
  await page.locator('[data-box$="/Wave"]').waitFor();
  await page.locator('.link.passed').first().waitFor({ state: 'attached' });
  await page.getByRole('combobox', { name: 'behavior' }).selectOption({ index: 0 });
  await page.locator('[data-box$="/If touched"]').waitFor();
  await shot(page, 'robot-sent');
});

test('what is played on is one of the robots that were named at the start', async (t) => {
  const url = await started(t, 'open', 'examples/hello', '--robot', 'nao.local', '--robot', 'tcp://10.0.0.7:9559');
  const page = await opened(t, url);
  const robot = page.getByRole('combobox', { name: 'robot' });
  await robot.selectOption('tcp://10.0.0.7:9559');
  assert.deepEqual(await robot.locator('option').allTextContents(), ['simulated', 'nao.local', 'tcp://10.0.0.7:9559']);
  await page.getByText('Play on tcp://10.0.0.7:9559').waitFor();
});

test('a card shows all of its diagram, one button leads at most, and a damaged file is told of in plain words', async (t) => {
  const page = await opened(t, await started(t, 'open', 'examples'), { viewport: { width: 1920, height: 1080 } });
  const hello = page.getByRole('article', { name: 'hello', exact: true });
  await hello.getByText('no findings').waitFor();
  const picture = hello.getByRole('img');
  await page.waitForFunction((picture) => picture.naturalWidth > 0, await picture.elementHandle());
  const inside = await picture.evaluate((one) => {
    const [own, around] = [one.getBoundingClientRect(), one.closest('.picture').getBoundingClientRect()];
    return own.left >= around.left - 1 && own.right <= around.right + 1 && own.bottom <= around.bottom + 1;
  });
  assert.ok(inside, 'all of it');
  const drawing = await (await page.request.get(await picture.getAttribute('src').then((src) => new URL(src, page.url()).href))).text();
  assert.ok(!drawing.includes('class="caption"'), 'the card has the name');
  assert.ok((await page.locator('button.primary').count()) <= 1);
  // The character was recorded, and not the dance that it plays.
  await page.getByRole('article', { name: 'companion' }).getByText('reached its time limit').waitFor();
  assert.equal(await page.getByRole('article', { name: 'dance', exact: true }).getByLabel(/^last run of/).count(), 0);
  await page.getByRole('heading', { name: /^chorus/ }).waitFor();
  await shot(page, 'open-1920');
  const other = await opened(t, await started(t, 'open', 'crates/boxstep-view/web/e2e/files'));
  await other.getByRole('article', { name: 'broken.xar' }).getByText('the file is cut off or damaged near line 2', { exact: false }).waitFor();
});
