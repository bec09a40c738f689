// What a box says in each language, its picture, and the order of links: by mouse and by keyboard, with undo, and with what is refused.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { button, did, difference, edited, middle, save, sent, tabbed } from './editing.mjs';
import { accessible, box, inspector, opened, root, shot, temp } from './helpers.mjs';

function says() {
  const folder = mkdtempSync(join(temp, 'says-'));
  const file = join(folder, 'behavior.xar');
  cpSync(join(import.meta.dirname, 'files/says.xar'), file);
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  writeFileSync(join(folder, 'mine.png'), picture);
  return { folder, before: readFileSync(file, 'utf8'), now: () => readFileSync(file, 'utf8') };
}
const chosen = async (page, path) => {
  await box(page, path).click();
  await inspector(page).getByRole('heading', { name: path.slice(path.lastIndexOf('/') + 1) }).waitFor();
};
const undone = (page) => button(page, 'Undo').and(page.locator(':disabled')).waitFor();
const said = (page) => inspector(page).getByRole('region', { name: 'what it says' });

test('a text is translated in the inspector', async (t) => {
  const { folder, before, now } = says();
  const page = await opened(t, await edited(t, folder));
  await chosen(page, 'root/Greet');
  const ops = sent(page);
  // By mouse: the text is in a box inside, and its script has it, too.
  await said(page).getByRole('textbox', { name: 'French' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Salut');
  await box(page, 'root/Wave').click();
  await did(page, 'text in French');
  await save(page);
  assert.deepEqual(difference(before, now()), {
    gone: ['            "French" : " Bonjour ",', '                                                        <![CDATA[Bonjour]]>'],
    come: ['            "French" : " Salut ",', '                                                        <![CDATA[Salut]]>'],
  });
  // By keyboard: a language that follows English gets a text of its own.
  await box(page, 'root/Greet').focus();
  await page.keyboard.press('Enter');
  await said(page).locator('summary').waitFor();
  await shot(page, 'says');
  await accessible(page, '.inspector');
  await tabbed(page, said(page).locator('summary'));
  await page.keyboard.press('Enter');
  await tabbed(page, said(page).getByRole('textbox', { name: 'German' }));
  await page.keyboard.type('Hallo');
  await page.keyboard.press('Enter');
  await did(page, 'text in German');
  await page.keyboard.press('Control+s');
  await button(page, 'Saved').waitFor();
  assert.match(now(), /"German" : " Hallo "/);
  assert.deepEqual(ops, [
    { op: 'set_text', box: 'root/Greet/Localized Text', language: 'French', text: 'Salut' },
    { op: 'set_text', box: 'root/Greet/Localized Text', language: 'German', text: 'Hallo' },
  ]);
  for (let times = 0; times < 2; times++) await button(page, 'Undo').click();
  await undone(page);
  await said(page).getByRole('textbox', { name: 'French' }).and(page.locator(':not(:focus)')).waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll('.inspector label')].some((label) => label.textContent.includes('French') && label.querySelector('input').value === 'Bonjour'));
  await save(page);
  assert.equal(now(), before);
});

test('a color is set, and one that is none is refused', async (t) => {
  const { folder, now } = says();
  const page = await opened(t, await edited(t, folder));
  await chosen(page, 'root/Eyes');
  const field = said(page).getByRole('textbox', { name: 'color', exact: true });
  await field.fill('#00ff80');
  await field.press('Enter');
  await did(page, 'color');
  await field.fill('green');
  await field.press('Enter');
  await page.getByText('`green` is not a color').waitFor();
  await page.waitForFunction((field) => field.value === '#00ff80', await field.elementHandle());
  await save(page);
  assert.match(now(), /<color>#00ff80<\/color>/);
  assert.match(now(), /self\.onStopped\(\[0, 255, 128\]\)/);
});

test('a box gets another picture', async (t) => {
  const { folder, before, now } = says();
  const page = await opened(t, await edited(t, folder));
  await chosen(page, 'root/Greet');
  const form = page.getByRole('dialog', { name: 'picture of Greet' });
  // By mouse: a file of the folder, which is drawn on the box at once.
  await button(inspector(page), 'picture of the box').click();
  await form.getByRole('option', { name: 'mine.png' }).click();
  await box(page, 'root/Greet').locator('image').waitFor({ state: 'attached' });
  await save(page);
  assert.match(now(), /<bitmap>mine\.png<\/bitmap>/);
  // By keyboard: one of the library, by a part of its name.
  await box(page, 'root/Greet').focus();
  await tabbed(page, button(inspector(page), 'picture of the box'));
  await page.keyboard.press('Enter');
  await page.keyboard.type('walk');
  await form.getByRole('option', { name: 'walk', exact: true }).waitFor();
  await shot(page, 'picture');
  await accessible(page, '[popover]');
  await page.keyboard.press('Enter');
  await box(page, 'root/Greet').locator('image').waitFor({ state: 'detached' });
  await save(page);
  assert.match(now(), /<bitmap>media\/images\/box\/motion\/walk\.png<\/bitmap>/);
  // Any path, and none.
  for (const [words, is] of [['media/images/box/interaction/LED.png', /<bitmap>media\/images\/box\/interaction\/LED\.png</], ['', /^(?![\s\S]*<bitmap>)/]]) {
    await button(inspector(page), 'picture of the box').click();
    await page.keyboard.type(words);
    await form.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'detached' });
    await did(page, 'picture of Greet');
    await save(page);
    assert.match(now(), is);
  }
  for (let times = 0; times < 4; times++) await button(page, 'Undo').click();
  await undone(page);
  await save(page);
  assert.equal(now(), before);
});

test('links of one output get their signals in another order', async (t) => {
  const { folder, before, now } = says();
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').waitFor();
  const link = (to) => page.locator(`[data-from="output\tonStopped\troot/Greet"][data-to="${to}"]`);
  const numbers = () => page.locator('.order text').allTextContents();
  const inFile = () => [...now().matchAll(/inputowner="(\d)" indexofinput="\d" outputowner="1" indexofoutput="4" \/>/g)].map(([, to]) => Number(to));
  const on = (line) => line.evaluate((path) => {
    const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
    const at = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
    return { x: at.x, y: at.y };
  });
  // By mouse: numbers tell the order once a link is chosen; its menu changes it.
  const wave = link('input\tonStart\troot/Wave');
  const at = await on(wave);
  await page.mouse.click(at.x, at.y);
  await page.locator('.order').nth(2).waitFor();
  assert.deepEqual((await numbers()).sort(), ['1', '2', '3']);
  await shot(page, 'order');
  await page.mouse.click(at.x, at.y, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Comes earlier' }).click();
  await did(page, 'order the links of Greet.onStopped');
  await save(page);
  assert.deepEqual(inFile(), [3, 2, 0]);
  // By keys of the chosen link, and back again.
  await page.mouse.click(at.x, at.y);
  await page.keyboard.press('Alt+ArrowDown');
  await button(page, 'Save').waitFor();
  await save(page);
  assert.deepEqual(inFile(), [2, 3, 0]);
  // By keyboard alone: the inspector lists them.
  await box(page, 'root/Greet').focus();
  await page.keyboard.press('Enter');
  const list = inspector(page).getByRole('list', { name: 'order of the links of onStopped' });
  await list.waitFor();
  assert.deepEqual((await list.getByRole('listitem').allInnerTexts()).map((text) => text.trim()), ['Eyes . onStart', 'Wave . onStart', 'out: onStopped']);
  await tabbed(page, list.getByRole('button', { name: 'earlier: out: onStopped' }));
  await page.keyboard.press('Enter');
  await list.getByRole('listitem').nth(1).filter({ hasText: 'out: onStopped' }).waitFor();
  // The keyboard goes on with the same link.
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'earlier: out: onStopped');
  await page.keyboard.press('Enter');
  await list.getByRole('listitem').nth(0).filter({ hasText: 'out: onStopped' }).waitFor();
  await accessible(page, '.inspector');
  await save(page);
  assert.deepEqual(inFile(), [0, 2, 3]);
  for (let times = 0; times < 4; times++) await button(page, 'Undo').click();
  await undone(page);
  await save(page);
  assert.equal(now(), before);
});
