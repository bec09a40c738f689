// The robots of the gallery: found, looked at, played on, stopped, and a project installed.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { copied } from './editing.mjs';
import { opened, root, shot, started } from './helpers.mjs';

/** A simulated robot that has a behavior, and its address. */
async function served(t) {
  const robot = spawn(process.env.BOXSTEP, ['robot', '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const over = new Promise((done) => robot.once('exit', done));
  t.after(async () => {
    robot.kill('SIGINT');
    await over;
  });
  let said = '';
  const address = await new Promise((found, failed) => {
    robot.stdout.on('data', (text) => {
      said += text;
      const address = said.match(/127\.0\.0\.1:\d+/);
      if (address) found(address[0]);
    });
    void over.then(() => failed(new Error(said)));
  });
  const send = spawn(process.env.BOXSTEP, ['send', join(root, 'examples/companion/dance.xar'), '--robot', address, '--no-start'], { stdio: 'inherit' });
  assert.equal(await new Promise((done) => send.once('exit', done)), 0);
  return address;
}

test('robots are cards, whose behaviors are played and stopped', async (t) => {
  const { folder } = copied('hello');
  const robot = await served(t);
  // An archive can be installed.
  assert.equal(spawnSync(process.env.BOXSTEP, ['pack', join(root, 'examples/hello'), join(folder, 'packed.pkg')]).status, 0);
  const page = await opened(t, await started(t, 'open', folder, '--edit', '--no-browser', '--robot', robot));
  await page.getByRole('button', { name: 'Find robots' }).click();
  const card = page.getByRole('region', { name: 'robots' }).getByRole('article').filter({ hasText: robot });
  await card.getByText('simulated').waitFor();
  await card.getByRole('button', { name: 'Behaviors' }).click();
  await card.getByRole('listitem').first().waitFor();
  await shot(page, 'robots');
  await card.getByRole('button', { name: /^play / }).first().click();
  await card.getByRole('button', { name: /^stop / }).first().waitFor();
  await card.getByRole('button', { name: 'Stop everything' }).click();
  await card.getByRole('button', { name: /^play / }).first().waitFor();
  // A simulated robot has no packages that are installed: why is said.
  await card.getByRole('combobox', { name: /^project to install/ }).selectOption({ index: 1 });
  await card.getByRole('button', { name: 'Install' }).click();
  await card.getByRole('alert').waitFor();
});

test('only robots of the page are asked', async (t) => {
  const { folder } = copied('hello');
  const url = await started(t, 'open', folder, '--no-browser');
  const { origin, searchParams } = new URL(url);
  const ask = (body) => fetch(`${origin}/robots/ask`, { method: 'POST', headers: { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const answer = await ask({ robot: '127.0.0.1:1', wish: { do: 'behaviors' } });
  assert.match((await answer.json()).said, /is not one of the robots of this page/);
  assert.equal((await ask({ robot: '127.0.0.1:1', wish: { do: 'pull', name: 'x' } })).status, 403);
});
