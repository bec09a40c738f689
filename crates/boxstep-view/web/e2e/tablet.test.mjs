// Pages of the tablet use the services of the robot.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { opened, recorded, shot, started, temp } from './helpers.mjs';

const app = 'crates/boxstep-view/web/e2e/files/app/behavior.xar';

/** The lines that the tablet's page has written so far, once the last of these is among them. */
async function lines(frame, ...texts) {
  for (const text of texts) await frame.getByText(text, { exact: true }).first().waitFor();
  return frame.locator('li').allTextContents();
}

async function tablet(t, ...args) {
  const page = await opened(t, await started(t, 'play', app, '--body', 'pepper', '--view', ...args));
  return { page, frame: page.getByRole('region', { name: 'Robot' }).frameLocator('iframe') };
}

for (const scripts of ['native', 'process']) {
  test(`a page calls services and hears signals, scripts ${scripts}`, async (t) => {
    const trace = join(temp, `tablet-${scripts}.jsonl`);
    const { page, frame } = await tablet(t, '--scripts', scripts, '--trace', trace);
    await lines(frame, 'robot type 2', 'set to 9', 'picture 160 × 120, 57600 bytes', "failed: Cannot find service 'Nobody' in index");
    const seen = await lines(frame, 'failed: Counter.fail: it was to fail', 'failed: Cannot find method: Counter.nothing');
    assert.deepEqual(seen.filter((line) => /added|returned|total/.test(line)).sort(), ['added: 2', 'returned 2', 'total 5']);
    await frame.getByRole('button', { name: 'tell' }).click();
    await lines(frame, 'answer pressed,1.5 NaN');
    await shot(page, 'tablet');
    await frame.getByRole('link', { name: 'old' }).click();
    const old = await lines(frame, 'connected', 'both', 'total 10', 'always');
    assert.deepEqual(old.sort(), ['always', 'both', 'connected', 'failed: Counter.fail: it was to fail', 'total 10']);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('banner').getByText('ended').waitFor();
    // What the pages have called is called again.
    const again = readFileSync(await recorded(app, '--replay', trace), 'utf8');
    for (const text of [readFileSync(trace, 'utf8'), again]) {
      assert.ok(text.includes('"service":"Counter","method":"add","value":10'), text);
      assert.ok(!text.includes('"kind":"unsupported","service":"Counter","method":"add"'));
    }
  });
}
