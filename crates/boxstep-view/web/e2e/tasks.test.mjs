// Ten tasks of Choregraphe's manual, done in the page: the file says what was meant, and docs/inside/gestures.md says how many gestures it took.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { button, dragged, edited, middle, save } from './editing.mjs';
import { box, inspector, opened, root, temp } from './helpers.mjs';

const SAYS = readFileSync(join(import.meta.dirname, 'files/says.xar'), 'utf8');
const MORE = `
                        <Box name="Wait" id="4" localization="8" tooltip="" x="520" y="40">
                            <script language="4"><content><![CDATA[class MyClass(GeneratedClass):
    pass]]></content></script>
                            <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
                            <Parameter name="Seconds" inherits_from_parent="0" content_type="2" value="1" default_value="1" min="0" max="100000" tooltip="" id="3" />
                        </Box>
                        <Box name="Dance" id="5" localization="8" tooltip="" x="520" y="160">
                            <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
                            <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />
                            <Timeline enable="1" fps="25" start_frame="1" end_frame="-1" size="100" />
                        </Box>
`;

/** The rows of the page: for each task, what it takes in Choregraphe and here. */
const page = readFileSync(join(root, 'docs/inside/gestures.md'), 'utf8');
const rows = new Map([...page.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|/gm)].map(([, task, theirs, ours]) => [task, { theirs: Number(theirs), ours: Number(ours) }]));
const done = new Set();
after(() => assert.deepEqual([...rows.keys()].filter((task) => !done.has(task)), [], 'each row is a task'));

/** Somebody at the page, whose gestures are counted. */
class Person {
  count = 0;
  constructor(page) {
    this.page = page;
  }
  async at(of) {
    const target = of.first();
    await target.waitFor();
    return middle(target);
  }
  async press(of, options) {
    const { x, y } = 'x' in of ? of : await this.at(of);
    await this.page.mouse.click(x, y, options);
    this.count += 1;
  }
  click = (of) => this.press(of);
  twice = (of) => this.press(of, { clickCount: 2 });
  /** On a field: all that is in it is chosen. */
  thrice = (of) => this.press(of, { clickCount: 3 });
  right = (of) => this.press(of, { button: 'right' });
  async drag(from, to) {
    await dragged(this.page, await this.at(from), 'x' in to ? to : await this.at(to));
    this.count += 1;
  }
  async key(name) {
    await this.page.keyboard.press(name);
    this.count += 1;
  }
  async type(text) {
    await this.page.keyboard.type(text);
    this.count += 1;
  }
}

function task(name, act, is) {
  test(name, async (t) => {
    assert.ok(rows.has(name), `docs/inside/gestures.md does not have ${name}`);
    const folder = mkdtempSync(join(temp, 'task-'));
    const file = join(folder, 'behavior.xar');
    const before = SAYS.replace('\n                        <Link ', `${MORE}                        <Link `);
    writeFileSync(file, before);
    const page = await opened(t, await edited(t, folder), { viewport: { width: 2000, height: 1000 } });
    await box(page, 'root/Dance').waitFor();
    await button(page, 'Undo').waitFor();
    const person = new Person(page);
    const port = (name) => page.locator(`[data-port="${name.replaceAll(' ', '\t')}"] .port`);
    const head = (name) => box(page, `root/${name}`).locator('.title');
    const item = (name) => page.getByRole('menuitem', { name });
    const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
    /** A place of the timeline at a frame: on its ruler, or in a layer. */
    const frame = async (row, number) => {
      const of = timeline.locator(row).locator('.cell').first();
      await of.waitFor();
      const ticks = await timeline.locator('.ruler text:not(.second)').evaluateAll((all) => all.map((text) => [Number(text.textContent), Number(text.getAttribute('x')) - 3]));
      const [[first, x], [next, nextX]] = ticks;
      const { x: left, y, height } = await of.boundingBox();
      return { x: left + x + ((number - first) * (nextX - x)) / (next - first), y: y + height / 2 };
    };
    await act({ page, person, port, head, item, timeline, frame });
    await page.waitForFunction(() => !document.querySelector('[aria-label="changes"] button[disabled][title="nothing to undo"]'));
    await save(page);
    is(readFileSync(file, 'utf8'), before);
    done.add(name);
    assert.equal(person.count, rows.get(name).ours, `${name}: gestures`);
  });
}

task(
  'Add a box that speaks, between the start and the end of the behavior',
  async ({ page, person, port }) => {
    // A place with room for a box.
    const place = await page.locator('.stage').evaluate((stage) => {
      const { left, top, width, height } = stage.getBoundingClientRect();
      const around = [-30, 60, 170].flatMap((dx) => [-40, 40, 110].map((dy) => [dx, dy]));
      for (let y = top + 60; y < top + height; y += 15) {
        for (let x = left + width * 0.15; x < left + width; x += 15) {
          const near = around.map(([dx, dy]) => document.elementFromPoint(x + dx, y + dy));
          if (near.every((one) => one && stage.contains(one) && !one.closest('[data-box], [data-port], .link, .over'))) return { x, y };
        }
      }
      throw new Error('the diagram is full');
    });
    await person.drag(port('input onStart root'), place);
    await page.getByRole('combobox', { name: 'box to add' }).waitFor();
    await person.type('Say');
    await page.locator('[popover] [role="option"]').first().waitFor();
    await person.key('Enter');
    await page.locator('[data-from="input\tonStart\troot"][data-to="input\tonStart\troot/Say"]').waitFor({ state: 'attached' });
    await page.waitForFunction(() => !document.querySelector('[popover]'));
    await person.drag(port('output onStopped root/Say'), port('output onStopped root'));
    await page.locator('[data-from="output\tonStopped\troot/Say"]').waitFor({ state: 'attached' });
  },
  (now) => {
    const [, id] = /<Box name="Say" id="(\d+)"/.exec(now);
    assert.match(now, new RegExp(`<Link inputowner="${id}" indexofinput="\\d+" outputowner="0" indexofoutput="2" />`));
    assert.match(now, new RegExp(`<Link inputowner="0" indexofinput="4" outputowner="${id}" indexofoutput="\\d+" />`));
  },
);

task(
  'Add a timeline called Nod',
  async ({ page, person }) => {
    await person.click(button(page, 'Add a box'));
    await page.getByRole('combobox', { name: 'box to add' }).waitFor();
    await person.type('timeline Nod');
    await person.key('Enter');
    await box(page, 'root/Nod').waitFor();
  },
  (now) => assert.match(now, /<Box name="Nod"[\s\S]*?<Timeline enable="1"/),
);

task(
  'Set a parameter',
  async ({ page, person }) => {
    await person.click(box(page, 'root/Wait').locator('.wrench'));
    await page.waitForFunction(() => document.activeElement?.closest('[popover]'));
    await person.type('7');
    await person.key('Enter');
  },
  (now, before) => assert.equal(now, before.replace('content_type="2" value="1"', 'content_type="2" value="7"')),
);

task(
  'Translate what a box says into French',
  async ({ page, person, head }) => {
    await person.click(head('Greet'));
    await person.thrice(inspector(page).getByRole('textbox', { name: 'French' }));
    await person.type('Salut');
    await person.key('Enter');
  },
  (now, before) => assert.equal(now, before.replace('<![CDATA[Bonjour]]>', '<![CDATA[Salut]]>').replace('" Bonjour "', '" Salut "')),
);

task(
  'Rename a box',
  async ({ page, person, head, item }) => {
    await person.right(head('Wave'));
    await person.click(item('Rename…'));
    await page.getByRole('textbox', { name: 'name of the box' }).waitFor();
    await person.type('Bow');
    await person.key('Enter');
    await box(page, 'root/Bow').waitFor();
  },
  (now, before) => assert.equal(now, before.replace('name="Wave"', 'name="Bow"')),
);

task(
  'Add an output to a box',
  async ({ page, person, head }) => {
    await person.click(head('Wave'));
    await person.click(button(inspector(page), 'add an output'));
    await page.waitForFunction(() => document.activeElement?.closest('[popover]'));
    await person.type('waved');
    await person.key('Enter');
    await page.locator('[data-port="output\twaved\troot/Wave"]').waitFor({ state: 'attached' });
  },
  (now) => assert.match(now, /<Output name="waved" type="1" /),
);

task(
  'Set the speed of a timeline',
  async ({ person, head, timeline }) => {
    await person.twice(head('Dance'));
    await person.thrice(timeline.getByRole('spinbutton', { name: 'fps' }));
    await person.type('30');
    await person.key('Enter');
  },
  (now, before) => assert.equal(now, before.replace('fps="25"', 'fps="30"')),
);

task(
  'Store a pose of the whole body at a frame',
  async ({ person, head, timeline, frame }) => {
    await person.twice(head('Dance'));
    await person.click(await frame('.ruler', 20));
    await person.click(button(timeline, 'Store pose'));
    await timeline.locator('[data-joint="HeadYaw"] [data-frame="20"]').first().waitFor({ state: 'attached' });
  },
  (now) => {
    assert.equal([...now.matchAll(/<ActuatorCurve /g)].length, 25);
    assert.equal([...now.matchAll(/<Key frame="20" /g)].length, 25);
  },
);

task(
  'Let a timeline say something at a frame',
  async ({ page, person, head, item, timeline, frame }) => {
    await person.twice(head('Dance'));
    await person.click(button(timeline, 'add a layer'));
    const row = '.row:has([aria-label="changes of layer 1"])';
    await person.right(await frame(row, 40));
    await person.click(item('Add a keyframe at frame 40'));
    await page.getByRole('application', { name: 'diagram of root/Dance' }).waitFor();
    await page.locator('[data-diagram]').first().waitFor({ state: 'attached' });
    await person.click(button(page, 'Add a box'));
    await page.getByRole('combobox', { name: 'box to add' }).waitFor();
    await person.type('Say');
    await page.locator('[popover] [role="option"]').first().waitFor();
    await person.key('Enter');
    await box(page, 'root/Dance/Say').waitFor();
  },
  (now) => assert.match(now, /<BehaviorKeyframe name="keyframe 1" index="40">\s*<Diagram[^>]*>\s*<Box name="Say"/),
);

task(
  'Give a box another picture',
  async ({ page, person, head }) => {
    await person.click(head('Greet'));
    await person.click(button(inspector(page), 'picture of the box'));
    await person.click(page.getByRole('option', { name: 'animated say' }));
  },
  (now, before) => assert.equal(now, before.replace('interaction/say.png', 'interaction/animated_say.png')),
);
