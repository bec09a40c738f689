// A robot runs scripts in the pages of its tablet, pages answer with events, and use services of other programs.

import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { begun, opened } from './helpers.mjs';

const app = 'crates/boxstep-view/web/e2e/files/app/behavior.xar';

test('executeJS runs in the page, and what the page raises is heard', async (t) => {
  const { url, said } = await begun(t, 'play', app, '--body', 'pepper', '--view', '--serve', '127.0.0.1:0');
  const robot = said.match(/tcp:\/\/([\w.:]+)/)[1];
  const page = await opened(t, url);
  const frame = page.getByRole('region', { name: 'Robot' }).frameLocator('iframe');
  await frame.getByText('set to 9', { exact: true }).waitFor();
  const run = (script) => promisify(execFile)(process.env.BOXSTEP, ['qi', 'call', robot, 'ALTabletService.executeJS', script]);
  // The page's own functions are there: it is its script.
  await run("log('run in ' + location.pathname.split('/').pop())");
  await frame.getByText('run in index.html', { exact: true }).waitFor();
  await run(`QiSession(async (session) => {
    const tablet = await session.service('ALTabletService');
    await tablet.onJSEvent.connect((text) => log('heard ' + text));
    ALTabletBinding.raiseEvent('pressed');
  })`);
  await frame.getByText('heard pressed', { exact: true }).waitFor();
});
