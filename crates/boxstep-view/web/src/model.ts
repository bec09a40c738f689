// Behaviors as the server sends them: docs/schemas/behavior.json. Only what the page reads.

/** A key of the memory only for inputs. */
export type Port = { name: string; type: string; nature: string; inner: boolean; tooltip: string; memory_key?: string | null };
export type Parameter = {
  name: string;
  type: string;
  value: string | null;
  default: string | null;
  min: number | null;
  max: number | null;
  inherits_from_parent: boolean;
  custom_choice: boolean;
  password: boolean;
  choices: string[];
  tooltip: string;
};
export type Tangent = { interpolation: string; frames: number | null; value: number | null };
/** A side without a tangent is automatic. */
export type Key = { frame: number; value: number | null; left?: Tangent | null; right?: Tangent | null };
export type Curve = { name: string; joint: string; mute: boolean; unit: string; keys: Key[] };
/** An end of a link: the number of its box in the diagram, 0 for the box around it; no name if the link is broken. */
export type LinkEnd = { box: number | null; name: string | null };
export type Keyframe = { name: string; frame: number; boxes: Box[]; links: { from: LinkEnd; to: LinkEnd }[] };
export type TimelineOf = {
  enabled: boolean;
  fps: number | null;
  start_frame: number | null;
  end_frame: number | null;
  curves: Curve[];
  layers: { name: string; mute: boolean; keyframes: Keyframe[] }[];
  state_machine?: { states: { boxes: Box[] }[] } | null;
};
/** A resource of the robot that a box needs while it runs; `timeout` in seconds. */
export type Resource = { name: string; mode: string; timeout: number | null };
export type Box = {
  name: string;
  path: string;
  /** Its number in its diagram. */
  id?: number | null;
  /** Where it stands in its diagram, in pixels of the file. */
  x: number;
  y: number;
  tooltip: string;
  /** Paths of its pictures. */
  images?: string[];
  script: { language: string; text: string } | null;
  inputs: Port[];
  outputs: Port[];
  parameters: Parameter[];
  resources: Resource[];
  timeline: TimelineOf | null;
};

/** The same behavior where it plays: in a character, or beside another one, its root has another path. */
export function placed(root: Box, at: string): Box {
  const [own, rest] = [root.path.length, at];
  const move = (box: Box): Box => {
    const layers = box.timeline?.layers.map((layer) => ({
      ...layer,
      keyframes: layer.keyframes.map((keyframe) => ({ ...keyframe, boxes: keyframe.boxes.map(move) })),
    }));
    const timeline = box.timeline && layers ? { ...box.timeline, layers } : box.timeline;
    return { ...box, path: rest + box.path.slice(own), timeline };
  };
  return at === root.path ? root : move(root);
}

/** All boxes by their paths. */
export function byPath(root: Box): Map<string, Box> {
  const all = new Map<string, Box>();
  const line = [root];
  for (let box = line.pop(); box; box = line.pop()) {
    all.set(box.path, box);
    for (const layer of box.timeline?.layers ?? []) {
      for (const keyframe of layer.keyframes) line.push(...keyframe.boxes);
    }
  }
  return all;
}

/** Has a box something inside that can be entered? */
export function hasInside(box: Box): boolean {
  const timeline = box.timeline;
  if (!timeline) return false;
  return timeline.enabled || timeline.curves.length > 0 || timeline.layers.some((l) => l.keyframes.some((k) => k.boxes.length > 0));
}

/** The path of each box on the way to one, the root's first. */
export function wayTo(path: string, boxes: Map<string, Box>): string[] {
  const way: string[] = [];
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const part = path.slice(0, end);
    if (boxes.has(part)) way.unshift(part);
  }
  return way;
}
