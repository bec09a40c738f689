// What stands on boxes: pictures of the behavior's folder, values that are changed in place, and a wrench for all parameters.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, box, inspector, opened, shot, started, temp } from './helpers.mjs';

/** A red square of 8 × 8 pixels. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGO4Y6OBFTEMLQkA6lRcwcjQZigAAAAASUVORK5CYII=', 'base64');

const parameter = (name, type, value, id, more = '') => `<Parameter name="${name}" inherits_from_parent="0" content_type="${type}" value="${value}" default_value="" ${more} id="${id}" tooltip=""/>`;
const boxOf = (id, name, y, parameters, more = '') =>
  `<Box name="${name}" id="${id}" localization="8" tooltip="" x="180" y="${y}">${more}<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="3"/>${parameters}</Box>`;

/** A folder with a behavior, pictures and sounds. */
function made(name) {
  const folder = mkdtempSync(join(temp, `${name}-`));
  for (const inside of ['images', 'sounds']) mkdirSync(join(folder, inside));
  for (const file of ['images/flower red.png', 'images/broken.png']) writeFileSync(join(folder, file), file.includes('broken') ? 'none' : PNG);
  for (const file of ['sounds/a.wav', 'sounds/b.ogg', 'notes.txt']) writeFileSync(join(folder, file), '');
  const boxes = [
    boxOf(1, 'Flower', 40, parameter('Text', 3, 'hello', 4) + parameter('Loud', 0, '1', 5) + parameter('Speed', 1, '30', 6, 'min="0" max="100"'), '<bitmap>images/flower red.png</bitmap>'),
    boxOf(2, 'Broken', 160, '', '<bitmap>images/broken.png</bitmap>'),
    boxOf(3, 'Play Sound', 260, parameter('File name', 4, 'sounds/gone.wav', 4), '<bitmap>media/images/box/interaction/play_sound.png</bitmap>'),
  ];
  writeFileSync(
    join(folder, 'behavior.xar'),
    `<?xml version="1.0" encoding="UTF-8" ?><ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3"><Box name="root" id="-1" localization="8" tooltip="" x="0" y="0"><Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/><Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>${boxes.join('')}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>`,
  );
  return join(folder, 'behavior.xar');
}

const dialog = (page, name) => page.getByRole('dialog', { name: `parameters of ${name}` });
const face = (page, path) => box(page, path).locator('.face .value');

for (const [scheme, size] of [['light', [1440, 900]], ['dark', [1920, 1080]], ['dark', [390, 800]]]) {
  test(`boxes have the pictures of their folder, and a wrench, ${scheme}, ${size[0]} wide`, async (t) => {
    const page = await opened(t, await started(t, 'play', made('pictures'), '--view', '--scripts', 'off'), { colorScheme: scheme, viewport: { width: size[0], height: size[1] } });
    const picture = box(page, 'root/Flower').locator('image');
    await picture.waitFor();
    assert.deepEqual(await picture.evaluate(async (image) => {
      const one = new Image();
      one.src = image.href.baseVal;
      await one.decode();
      return [one.naturalWidth, one.naturalHeight];
    }), [8, 8]);
    assert.equal(await box(page, 'root/Flower').locator('path.icon').first().isVisible(), false);
    // What is no picture, or one of the editor's, is an icon.
    await box(page, 'root/Broken').locator('path.icon:not(.replaced)').waitFor();
    for (const other of ['root/Broken', 'root/Play Sound']) assert.equal(await box(page, other).locator('image').count(), 0, other);
    assert.equal(await box(page, 'root/Broken').locator('.wrench').count(), 0, 'it has no parameters');
    await box(page, 'root/Flower').locator('.wrench').click();
    const open = dialog(page, 'Flower');
    await open.waitFor();
    assert.deepEqual(await open.locator('label').allTextContents(), ['Text', 'Loud', 'Speed']);
    const { x, y, width, height } = await open.boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + width <= size[0] && y + height <= size[1], 'in sight');
    await accessible(page);
    await shot(page, `boxes-wrench-${scheme}-${size[0]}`);
  });
}

test('a value is changed where it stands, with the mouse and by keyboard', async (t) => {
  const page = await opened(t, await started(t, 'play', made('in-place'), '--view', '--scripts', 'off'));
  await box(page, 'root/Flower').waitFor();
  await face(page, 'root/Flower').dblclick();
  const field = dialog(page, 'Flower').getByLabel('Text');
  await page.waitForFunction(() => document.activeElement?.value === 'hello');
  await field.fill('good morning');
  await page.keyboard.press('Enter');
  await face(page, 'root/Flower').filter({ hasText: 'good morning' }).waitFor();
  await dialog(page, 'Flower').getByText('file: hello').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page, 'Flower').waitFor({ state: 'detached' });
  // By keyboard: the box has the focus again, and no level was left.
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-box') === 'root/Flower');
  await page.keyboard.press('F2');
  await page.waitForFunction(() => document.activeElement?.value === 'good morning');
  await page.keyboard.type('by keys');
  await page.keyboard.press('Enter');
  await face(page, 'root/Flower').filter({ hasText: 'by keys' }).waitFor();
  await dialog(page, 'Flower').getByLabel('Speed', { exact: true }).fill('70');
  await dialog(page, 'Flower').getByRole('switch', { name: 'Loud' }).click();
  await page.keyboard.press('Escape');
  await box(page, 'root/Flower').click();
  await page.waitForFunction(() => [...document.querySelectorAll('label')].some((label) => label.textContent === 'Speed' && label.control.value === '70'));
  assert.equal(await inspector(page).getByRole('switch', { name: 'Loud' }).isChecked(), false);
});

test('a file is chosen among those of the folder, those that fit first', async (t) => {
  const page = await opened(t, await started(t, 'play', made('choose'), '--view', '--scripts', 'off'));
  await box(page, 'root/Play Sound').click();
  const field = inspector(page).getByLabel('File name', { exact: true });
  await field.locator('option', { hasText: 'b.ogg' }).waitFor({ state: 'attached' });
  assert.deepEqual(await field.locator('> option').allTextContents(), ['sounds/gone.wav (not in the folder)', 'sounds/a.wav', 'sounds/b.ogg']);
  assert.deepEqual(await field.locator('optgroup option').allTextContents(), ['behavior.xar', 'images/broken.png', 'images/flower red.png', 'notes.txt']);
  await field.selectOption('sounds/b.ogg');
  await face(page, 'root/Play Sound').filter({ hasText: 'sounds/b.ogg' }).waitFor();
  await inspector(page).getByText('file: sounds/gone.wav').waitFor();
  assert.equal(await field.inputValue(), 'sounds/b.ogg');
});
