// The page as a place to work in: its regions, their sizes, what is read of diagrams; nothing of it may stand in anybody's way.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, box, inspector, opened, play, recorded, region, scripts, shot, started, temp } from './helpers.mjs';

const regions = (page) => page.locator('section.region').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
const wider = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('regions are opened, closed, moved and resized, and are there again at the next start', async (t) => {
  const context = { viewport: { width: 1440, height: 900 } };
  const page = await opened(t, await started(t, 'play', 'examples/hello', '--view', '--paused'), context);
  await box(page, 'root/Wave').waitFor();
  assert.deepEqual(await regions(page), ['Diagram', 'Log', 'Robot']);
  // Several are seen side by side.
  await region(page, 'Memory');
  assert.deepEqual(await regions(page), ['Diagram', 'Log', 'Memory', 'Robot']);
  await page.getByRole('button', { name: 'close Log' }).click();
  await page.getByLabel('place of Memory').click();
  await page.getByRole('button', { name: 'Move to the side' }).click();
  assert.deepEqual(await regions(page), ['Diagram', 'Robot', 'Memory']);
  const side = page.getByRole('separator', { name: 'width of the side' });
  const width = async () => (await page.getByRole('region', { name: 'Robot' }).boundingBox()).width;
  const before = await width();
  const { x, y, height } = await side.boundingBox();
  await page.mouse.move(x, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 120, y + height / 2, { steps: 4 });
  await page.mouse.up();
  assert.ok(Math.abs((await width()) - before - 120) < 4);
  await side.focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(Math.abs((await width()) - before - 96) < 4);
  // Another program, at another address; the same browser.
  const other = await page.context().newPage();
  await other.goto(await started(t, 'play', 'examples/hello', '--view', '--paused'));
  await box(other, 'root/Wave').waitFor();
  await other.getByRole('region', { name: 'Memory' }).waitFor();
  assert.deepEqual(await regions(other), ['Diagram', 'Robot', 'Memory']);
  assert.ok(Math.abs((await other.getByRole('region', { name: 'Robot' }).boundingBox()).width - before - 96) < 4);
  // Another behavior has its own.
  await other.goto(await started(t, 'play', 'examples/touch', '--view'));
  await box(other, 'root/Say ouch').waitFor();
  assert.deepEqual(await regions(other), ['Diagram', 'Log', 'Robot']);
});

test('a region is dragged by its head', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/hello', '--view', '--paused'), { viewport: { width: 1440, height: 900 } });
  await box(page, 'root/Wave').waitFor();
  const head = await page.getByRole('region', { name: 'Log' }).getByRole('heading', { name: 'Log' }).boundingBox();
  const robot = await page.getByRole('region', { name: 'Robot' }).boundingBox();
  await page.mouse.move(head.x + 5, head.y + 5);
  await page.mouse.down();
  await page.mouse.move(robot.x + 60, robot.y + 200, { steps: 6 });
  await page.mouse.up();
  assert.deepEqual(await regions(page), ['Diagram', 'Robot', 'Log']);
});

test('the inspector is there as long as something is chosen, and the diagram is fitted to what is left', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/hello', '--view', '--paused'), { viewport: { width: 1440, height: 900 } });
  await box(page, 'root/Wave').waitFor();
  assert.equal(await inspector(page).count(), 0);
  await box(page, 'root/Wave').click();
  await inspector(page).waitFor();
  await page.getByRole('button', { name: 'close Inspector' }).click();
  await inspector(page).waitFor({ state: 'detached' });
  const middle = async () => {
    const [svg, stage] = [await page.locator('.drawing svg').boundingBox(), await page.locator('.stage').boundingBox()];
    return svg.x + svg.width / 2 - stage.x - stage.width / 2;
  };
  assert.ok(Math.abs(await middle()) < 2);
  await page.setViewportSize({ width: 1700, height: 900 });
  await page.waitForFunction(() => document.querySelector('.stage').clientWidth > 1150);
  await page.waitForFunction(() => {
    const [svg, stage] = [document.querySelector('.drawing svg').getBoundingClientRect(), document.querySelector('.stage').getBoundingClientRect()];
    return Math.abs(svg.x + svg.width / 2 - stage.x - stage.width / 2) < 2;
  });
});

/** A diagram of so many boxes in a row and in a column. */
function wideFile(name, count) {
  const boxes = Array.from({ length: count }, (_, at) => {
    const script = `<script language="4"><content><![CDATA[class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        self.secret_${at} = 1]]></content></script>`;
    const parameter = `<Parameter name="Text" inherits_from_parent="0" content_type="3" value="word ${at}" default_value="" id="5"/>`;
    return `<Box name="Box ${at}" id="${at + 1}" localization="8" tooltip="" x="${40 + (at % 9) * 220}" y="${40 + Math.floor(at / 9) * 110}">${script}<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="3"/>${parameter}</Box>`;
  });
  const file = join(temp, `${name}.xar`);
  const head = '<?xml version="1.0" encoding="UTF-8" ?><ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">';
  writeFileSync(file, `${head}<Box name="root" id="-1" localization="8" tooltip="" x="0" y="0"><Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>${boxes.join('')}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>`);
  return file;
}

/** The height of the smallest text that is seen, in pixels of the display. */
const smallest = (page) =>
  page.locator('.drawing svg').evaluate((svg) => {
    const scale = svg.getBoundingClientRect().width / Number(svg.getAttribute('width'));
    const seen = [...svg.querySelectorAll('text')].filter((one) => getComputedStyle(one).display !== 'none' && one.textContent);
    return Math.min(...seen.map((one) => parseFloat(getComputedStyle(one).fontSize) * scale));
  });

for (const [name, options] of Object.entries({
  desk: { viewport: { width: 1440, height: 900 } },
  wide: { viewport: { width: 1920, height: 1080 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 } },
})) {
  test(`text of a large diagram can be read, and the rest of it is reached by the map: ${name}`, async (t) => {
    const page = await opened(t, await started(t, 'play', wideFile(`wide-${name}`, 90), '--view', '--paused', '--scripts', 'off'), options);
    await box(page, 'root/Box 0').waitFor();
    assert.ok((await smallest(page)) >= 9, `${await smallest(page)} px`);
    await shot(page, `diagram-${name}`);
    const map = page.locator('.minimap');
    await map.waitFor();
    const last = async () => box(page, 'root/Box 89').evaluate((one) => {
      const [inner, outer] = [one.getBoundingClientRect(), one.closest('.stage').getBoundingClientRect()];
      return inner.x > outer.x && inner.right < outer.right && inner.bottom < outer.bottom;
    });
    assert.ok(!(await last()));
    const { x, y, width, height } = await map.boundingBox();
    await page.mouse.click(x + width - 12, y + height - 5);
    await page.waitForFunction(() => {
      const one = document.querySelector('[data-box="root/Box 89"]');
      return one.getBoundingClientRect().bottom < one.closest('.stage').getBoundingClientRect().bottom;
    });
    // Zoomed out text is left out before it is too small.
    for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'zoom out' }).click();
    const least = await smallest(page);
    assert.ok(least >= 9 || least === Infinity, `${least} px`);
  });
}

test('boxes, ports, scripts and values are found, and shown where they stand', async (t) => {
  const page = await opened(t, await started(t, 'play', wideFile('find', 90), '--view', '--paused', '--scripts', 'off'), { viewport: { width: 1440, height: 900 } });
  await box(page, 'root/Box 0').waitFor();
  const find = page.getByRole('dialog', { name: 'find' });
  for (const [words, chosen] of [['box 88', 'Box 88'], ['word 71', 'Box 71'], ['secret_87 = 1', 'Box 87']]) {
    await page.keyboard.press('Control+f');
    await find.getByRole('combobox').fill(words);
    await find.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await find.waitFor({ state: 'detached' });
    await box(page, `root/${chosen}`).and(page.locator('.selected')).waitFor();
    const seen = await box(page, `root/${chosen}`).evaluate((one) => {
      const [inner, outer] = [one.getBoundingClientRect(), one.closest('.stage').getBoundingClientRect()];
      return inner.x >= outer.x && inner.right <= outer.right && inner.y >= outer.y && inner.bottom <= outer.bottom;
    });
    assert.ok(seen, chosen);
  }
  await page.keyboard.press('Control+f');
  await find.getByRole('combobox').fill('nobody has this');
  await find.getByText('Nothing in this behavior').waitFor();
  await page.keyboard.press('Escape');
  await find.waitFor({ state: 'detached' });
});

test('what the signs mean is at hand', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/hello', '--view', '--paused'), { colorScheme: 'dark' });
  await box(page, 'root/Say').waitFor();
  await page.getByRole('button', { name: 'legend' }).click();
  const legend = page.getByRole('img', { name: /signs of ports/ });
  await page.waitForFunction((picture) => picture.naturalWidth > 100, await legend.elementHandle());
  await page.getByRole('list', { name: 'what boxes do' }).getByText('waits for a resource').waitFor();
  await shot(page, 'legend');
  await page.getByRole('button', { name: 'legend' }).click();
  await legend.waitFor({ state: 'detached' });
});

test('boxes beside the one that is open are reached from the way to it', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/nested-parameters', '--view', '--paused'));
  await box(page, 'root/Visit').dblclick();
  await page.getByLabel('beside Visit').selectOption({ label: 'Visit again' });
  await page.locator('[data-box^="root/Visit again/"]').first().waitFor();
});

test('a box shows what it is for, how far it is, and by a sign what it does', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/hello', '--view', '--paused'));
  await box(page, 'root/Say').locator('.face').getByText('Hello, I am a robot.', { exact: true }).waitFor();
  await play(page);
  await box(page, 'root/Wave').locator('.badge.running').waitFor();
  await page.waitForFunction(() => {
    const bar = document.querySelector('[data-box="root/Wave"] .progress.plays');
    const scale = Number(bar?.style.transform.match(/scaleX\((.*)\)/)?.[1]);
    return scale > 0.2 && scale < 1;
  });
  await page.getByRole('banner').getByText('ended').waitFor();
  assert.equal(await page.locator('.badge.running').count(), 0);
  const failed = await opened(t, await started(t, 'play', 'crates/boxstep-view/web/e2e/files/fails.xar', '--view'));
  await box(failed, 'root/Outer').locator('.badge.failed').waitFor();
});

test('a failure leads to its box and its line', async (t) => {
  const page = await opened(t, await started(t, 'play', 'crates/boxstep-view/web/e2e/files/fails.xar', '--view'), { viewport: { width: 1440, height: 900 } });
  const failure = page.getByRole('alert', { name: 'failure' });
  await failure.getByText("NameError: name 'nobody' is not defined").waitFor();
  await failure.getByRole('button', { name: 'Divide' }).click();
  await box(page, 'root/Outer/Divide').and(page.locator('.selected')).waitFor();
  await scripts(page).locator('.cm-line.cm-failed[data-line="3"]').filter({ hasText: 'nobody' }).waitFor();
  await failure.getByRole('button', { name: 'put the failure away' }).click();
  await failure.waitFor({ state: 'detached' });
});

test('a frame of a timeline is looked at: the robot stands as it would, and nothing plays', async (t) => {
  const page = await opened(t, await started(t, 'play', 'examples/timeline-layers', '--view', '--paused'), { viewport: { width: 1440, height: 900 } });
  await page.getByRole('radio', { name: 'Animate' }).check();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  for (const name of ['left', 'right', 'bow']) await timeline.getByText(name, { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Robot' }).locator('canvas[data-frames]').waitFor();
  const ruler = await timeline.locator('.scrub').boundingBox();
  const picture = async () => (await page.getByRole('region', { name: 'Robot' }).locator('canvas').screenshot()).toString('base64');
  const before = await picture();
  await page.mouse.move(ruler.x + 60, ruler.y + 12);
  await page.mouse.down();
  await page.mouse.move(ruler.x + 200, ruler.y + 12, { steps: 3 });
  await page.mouse.up();
  await timeline.getByText(/^frame \d+, .* looked at, not played/).waitFor();
  await page.getByRole('region', { name: 'Robot' }).getByText(/^frame \d+ of Dance$/).waitFor();
  assert.notEqual(await picture(), before);
  await page.getByRole('banner').getByText('ready').waitFor();
  const [, frame] = (await timeline.getByText(/looked at/).innerText()).match(/frame (\d+)/);
  await timeline.getByRole('application').focus();
  await page.keyboard.press('ArrowRight');
  await timeline.getByText(`frame ${Number(frame) + 1},`).waitFor();
  await timeline.getByRole('button', { name: 'HeadYaw' }).click();
  await timeline.locator('.row.high').waitFor();
  // The ruler stays when it is scrolled.
  await timeline.getByRole('button', { name: 'Curves' }).click();
  await timeline.locator('.sheet').evaluate((sheet) => (sheet.scrollTop = 200));
  assert.ok(Math.abs((await timeline.locator('.ruler').boundingBox()).y - (await timeline.locator('.sheet').boundingBox()).y) < 2);
  await shot(page, 'timelines');
  await page.keyboard.press('Escape');
  await timeline.getByRole('application').focus();
  await page.keyboard.press('Escape');
  await timeline.getByText(/looked at/).waitFor({ state: 'detached' });
});

test('a character is a graph that lives, and says why', async (t) => {
  const trace = await recorded('examples/companion', '--for', '40', '--event', 'FrontTactilTouched=1@4');
  const page = await opened(t, await started(t, 'view', trace, 'examples/companion/dance.xar'), { viewport: { width: 1440, height: 900 } });
  await page.getByRole('radio', { name: 'Character' }).check();
  const graph = page.getByRole('group', { name: 'graph of behaviors' });
  await page.getByRole('slider', { name: 'time' }).fill('5000000000');
  await graph.locator('.node.runs').getByText('stroked', { exact: true }).waitFor();
  await graph.getByRole('button', { name: /lonely/ }).click();
  const why = page.getByRole('region', { name: 'why' });
  await why.getByText('does not run').waitFor();
  await shot(page, 'behaviors');
});

for (const [scheme, width, height] of [['light', 1440, 900], ['dark', 390, 844]]) {
  test(`a character is drawn before it plays: ${scheme}, ${width} px`, async (t) => {
    const page = await opened(t, await started(t, 'play', 'examples/companion', '--view', '--paused', '--scripts', 'off'), { colorScheme: scheme, viewport: { width, height } });
    const graph = page.getByRole('group', { name: 'graph of behaviors' });
    await graph.getByText('lonely', { exact: true }).waitFor();
    if (width > 1000) assert.ok(await page.getByRole('radio', { name: 'Character' }).isChecked());
    // Leaves say what they do, and what nobody has named is called so.
    await graph.getByText(/^say “Hm hm hm”/).first().waitFor();
    await page.getByRole('button', { name: 'whole graph' }).click();
    const fits = await graph.evaluate((one) => one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1);
    assert.ok(fits);
    await page.getByRole('button', { name: 'larger' }).click();
    await accessible(page, '.around');
    await shot(page, `character-before-${scheme}-${width}`);
  });
}

test('hostile names do nothing but stand there', async (t) => {
  const bad = '&lt;img src=x onerror=window.hit=1&gt;';
  const file = wideFile('hostile', 3);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Box 1', bad).replaceAll('word 1', bad));
  const page = await opened(t, await started(t, 'play', file, '--view', '--paused', '--scripts', 'off'));
  await box(page, 'root/Box 0').waitFor();
  await page.locator('[data-box*="onerror"]').click();
  await page.keyboard.press('Control+f');
  await page.getByRole('dialog', { name: 'find' }).getByRole('combobox').fill('onerror');
  await page.getByRole('dialog', { name: 'find' }).getByRole('option').first().waitFor();
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.equal(await page.locator('img').count(), 0);
});

const axe = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');
/** Whether a page is in nobody's way, as far as a program can find out. */
async function clean(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`);
  });
  assert.deepEqual(found, [], what);
  // What axe does not see: text of drawings on what is behind it.
  const pale = await page.evaluate(() => {
    const rgb = (text) => text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0];
    const light = (text) => {
      const [r, g, b] = rgb(text).map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const back = getComputedStyle(document.documentElement);
    const probe = document.createElement('i');
    document.body.append(probe);
    const surfaces = ['--bx-page', '--bx-canvas', '--bx-box'].map((name) => ((probe.style.color = back.getPropertyValue(name)), light(getComputedStyle(probe).color)));
    probe.remove();
    return [...document.querySelectorAll('.drawing text')].flatMap((text) => {
      const style = getComputedStyle(text);
      let opacity = 1;
      for (let one = text; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
      const ink = light(style.fill);
      const worst = Math.min(...surfaces.map((surface) => (Math.max(ink, surface) + 0.05) / (Math.min(ink, surface) + 0.05)));
      return opacity < 1 || worst < 4.5 ? [`${text.textContent}: ${worst.toFixed(2)}, opacity ${opacity}`] : [];
    });
  });
  assert.deepEqual(pale, [], `${what}: text of the drawing`);
}

for (const colorScheme of ['light', 'dark']) {
  for (const [width, height] of [[390, 844], [1440, 900], [1920, 1080]]) {
    test(`nothing of the page is in anybody's way: ${colorScheme}, ${width} px`, async (t) => {
      const options = { colorScheme, viewport: { width, height } };
      const page = await opened(t, await started(t, 'play', 'examples/hello', '--view', '--paused'), options);
      await box(page, 'root/Say').click();
      await inspector(page).waitFor();
      assert.equal(await wider(page), 0);
      await clean(page, 'a box is chosen');
      if (width > 720) {
        for (const name of ['Animate', 'Debug', 'Character', 'Talk', 'Play']) {
          await page.getByRole('radio', { name }).check();
          assert.equal(await wider(page), 0, name);
          await clean(page, name);
        }
      } else {
        for (const name of ['Robot', 'Timeline', 'Talk', 'Log', 'Memory']) {
          await region(page, name);
          await clean(page, name);
        }
      }
      await page.keyboard.press('Control+f');
      await page.getByRole('dialog', { name: 'find' }).getByRole('combobox').fill('say');
      await clean(page, 'find');
      await page.keyboard.press('Escape');
      const failed = await opened(t, await started(t, 'play', 'crates/boxstep-view/web/e2e/files/fails.xar', '--view'), options);
      await failed.getByRole('alert', { name: 'failure' }).waitFor();
      await clean(failed, 'a failure');
      await failed.getByRole('slider', { name: 'time' }).fill('0');
      await failed.getByRole('status', { name: 'the past' }).waitFor();
      await clean(failed, 'the past');
      const all = await opened(t, await started(t, 'open', 'examples/companion', '--no-browser'), options);
      await all.getByText('no findings').first().waitFor();
      assert.equal(await wider(all), 0);
      await clean(all, 'all behaviors');
    });
  }
}
