// How a robot stands, as the page reckons it, is what boxstep-dynamics calculates: `tests/wire/standing.rs` writes the numbers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { createServer } from 'vite';

/** In metres: the numbers are rounded to 10 nm. */
const NEAR = 1e-6;
/** In metres: the page takes accelerations from positions, and the calculation from joint angles. */
const NEAR_MOVING = 3e-4;

let vite;
before(async () => {
  const root = join(import.meta.dirname, '..');
  vite = await createServer({ root, logLevel: 'error', server: { middlewareMode: true, ws: false, watch: null }, appType: 'custom' });
});
after(() => vite.close());

const matrix = ([x, y, z, i, j, k, w]) => new Matrix4().compose(new Vector3(x, y, z), new Quaternion(i, j, k, w), new Vector3(1, 1, 1));

function near(found, wanted, what, within = NEAR) {
  assert.ok(Math.abs(found - wanted) < within, `${what}: ${found} is not ${wanted}`);
}

for (const body of JSON.parse(readFileSync(join(import.meta.dirname, 'files/standing.json'), 'utf8'))) {
  for (const { posture, links, standing: wanted } of body.postures) {
    test(`${body.name} ${posture}`, async () => {
      const { standing } = await vite.ssrLoadModule('/src/robot/balance.ts');
      const found = standing(body.balance, (name) => links[name] && matrix(links[name]));
      if (!wanted) {
        assert.equal(found, undefined);
        return;
      }
      near(found.margin, wanted.margin, 'margin');
      assert.equal(found.side.replace('to its', 'to the'), wanted.side);
      [found.center.x, found.center.y].forEach((x, at) => near(x, wanted.center[at], `center ${at}`));
      matrix(wanted.torso).elements.forEach((x, at) => near(found.torso.elements[at], x, `torso ${at}`));
      // The corners begin anywhere, and corners on one line may be left out: each is on the other's border.
      assert.ok(found.support.length > 2);
      for (const { x, y } of found.support) {
        assert.ok(wanted.support.some((corner) => Math.hypot(corner[0] - x, corner[1] - y) < NEAR), `corner ${x}, ${y}`);
      }
      for (const [x, y] of wanted.support) {
        assert.ok(found.support.some((corner) => Math.hypot(corner.x - x, corner.y - y) < NEAR), `corner ${x}, ${y}`);
      }
    });
  }
  for (const { motion, moments, ...wanted } of body.motions) {
    test(`${body.name} ${motion}`, async () => {
      const { standing } = await vite.ssrLoadModule('/src/robot/balance.ts');
      const three = moments.map(({ t, links }) => ({ t, links: (name) => links[name] && matrix(links[name]) }));
      const found = standing(body.balance, three[1].links, three);
      [found.center.x, found.center.y].forEach((x, at) => near(x, wanted.center[at], `center ${at}`));
      [found.zmp.at.x, found.zmp.at.y].forEach((x, at) => near(x, wanted.zmp[at], `zero moment point ${at}`, NEAR_MOVING));
      near(found.zmp.margin, wanted.margin, 'margin', NEAR_MOVING);
      assert.equal(found.zmp.side.replace('to its', 'to the'), wanted.side);
      // A robot that does not move has it under its center of mass.
      const still = standing(body.balance, three[1].links, [0, 1, 2].map((t) => ({ t, links: three[1].links })));
      near(still.zmp.at.distanceTo(still.center), 0, 'without motion');
      assert.equal(standing(body.balance, three[1].links).zmp, undefined);
    });
  }
}
