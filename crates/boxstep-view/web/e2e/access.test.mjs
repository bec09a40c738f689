// Who sees a page, in a real browser.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { asked, box, opened, started, temp } from './helpers.mjs';

test('the printed address is opened once, and the page needs it no more', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{32}$/);
  const page = await opened(t, url);
  await box(page, 'root/Say ouch').waitFor();
  const bare = new URL('/', url).href;
  assert.equal(page.url(), bare);
  assert.equal(await page.evaluate(() => history.length), 2, 'about:blank, and this: the token is in no entry');
  assert.equal(await page.evaluate(() => document.referrer + document.cookie), '');
  const [cookie] = await page.context().cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.expires], [true, 'Strict', -1]);
  assert.ok(!url.includes(cookie.value));
  await page.reload();
  await box(page, 'root/Say ouch').waitFor();
  // Another tab of the browser needs no token either.
  const other = await page.context().newPage();
  await other.goto(bare);
  await box(other, 'root/Say ouch').waitFor();
});

test('without the token one is told where the address is', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  const page = await opened(t, 'about:blank', { errs: true });
  assert.equal((await page.goto(new URL('/', url).href)).status(), 401);
  await page.getByText('Open the whole address that boxstep has printed in the terminal').waitFor();
  assert.deepEqual(await page.context().cookies(), []);
});

test('a link to the printed address works from another site, too', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(`<a href="${url}">the run</a>`));
  await new Promise((done) => site.listen(0, '127.0.0.1', done));
  t.after(() => site.close());
  const page = await opened(t, `http://localhost:${site.address().port}/`);
  await page.getByText('the run').click();
  await box(page, 'root/Say ouch').waitFor();
  assert.equal(page.url(), new URL('/', url).href);
});

test('two runs of one host are seen side by side', async (t) => {
  const [one, other] = [await started(t, 'play', 'examples/touch', '--view'), await started(t, 'play', 'examples/hello', '--view')];
  const page = await opened(t, one);
  const beside = await page.context().newPage();
  await beside.goto(other);
  await box(beside, 'root/Wave').waitFor();
  for (const [at, path] of [[page, 'root/Say ouch'], [beside, 'root/Wave']]) {
    await at.reload();
    await box(at, path).waitFor();
  }
});

test('the token of a file is that of the page', async (t) => {
  const file = join(temp, 'token');
  const token = 'a-token_of-ones-own-0123456789';
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  const url = await started(t, 'open', 'examples/hello', '--view-token', file);
  assert.equal(new URL(url).searchParams.get('token'), token);
  assert.equal((await asked(url, '/gallery')).status, 200);
  assert.equal((await fetch(new URL('/gallery', url))).status, 401);
});
