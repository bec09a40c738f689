// The order in which the links of a port pass on its signals: that of the file.

import type { Box, Keyframe, LinkEnd } from '../model';

export type Target = { path: string; port: string };

/** The diagrams that a box is in, with the box around them; there is one, if no path is there twice. */
function around(boxes: Map<string, Box>, path: string): [Box, Keyframe] | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const parent = boxes.get(path.slice(0, end));
    const keyframe = parent?.timeline?.layers.flatMap((layer) => layer.keyframes).find((one) => one.boxes.some((box) => box.path === path));
    if (parent && keyframe) return [parent, keyframe];
  }
  return undefined;
}

function targets(parent: Box, keyframe: Keyframe, from: (end: LinkEnd) => boolean): Target[] {
  const byId = new Map([...keyframe.boxes].reverse().map((box) => [box.id, box.path]));
  return keyframe.links.flatMap(({ from: begin, to }) => {
    const path = to.box === 0 ? parent.path : byId.get(to.box);
    return from(begin) && to.name !== null && path !== undefined ? [{ path, port: to.name }] : [];
  });
}

/** Several links that begin at one port, in their order; `around` is the box around them. */
export type Order = { from: Target; around: string; to: Target[] };

/** The links that begin at an output of a box. */
export function afterOutput(boxes: Map<string, Box>, box: Box, port: string): Order[] {
  const [parent, keyframe] = around(boxes, box.path) ?? [];
  if (!parent || !keyframe) return [];
  return [{ from: { path: box.path, port }, around: parent.path, to: targets(parent, keyframe, (end) => end.box === box.id && end.name === port) }];
}

/** The links that begin inside a box at one of its inputs, in each of its diagrams. */
export function afterInput(box: Box, port: string): Order[] {
  const keyframes = box.timeline?.layers.flatMap((layer) => layer.keyframes) ?? [];
  return keyframes.map((keyframe) => ({ from: { path: box.path, port }, around: box.path, to: targets(box, keyframe, (end) => end.box === 0 && end.name === port) }));
}

/** The links that begin where this one begins, in their order, if there are several. */
export function besides(boxes: Map<string, Box>, from: Target & { about: string }, to: Target): Order | undefined {
  const box = boxes.get(from.path);
  if (!box) return undefined;
  const all = from.about === 'output' ? afterOutput(boxes, box, from.port) : afterInput(box, from.port);
  return all.find((order) => order.to.length > 1 && order.to.some(({ path, port }) => path === to.path && port === to.port));
}
