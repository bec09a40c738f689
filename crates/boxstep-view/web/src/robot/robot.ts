// The robot in three dimensions. A file of its own, loaded when somebody wants to see it: it has all of three.js in it.

import {
  Box3,
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CircleGeometry,
  Color as Paint,
  DirectionalLight,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineLoop,
  Material,
  MathUtils,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Object3D,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  RingGeometry,
  Scene,
  Shape,
  ShapeGeometry,
  SphereGeometry,
  Spherical,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import { standing, type Moment, type Standing } from './balance';
import type { Body, Color, Link, Solid, Vector } from './body';
import { Ground } from './ground';

/** One figure: its links as groups in each other. */
type Figure = { root: Group; torso: Group; links: Map<string, Group>; looks: Map<string, Group>; joints: { name: string; at: Group; axis: Vector3; scale: number }[] };
/** Where a torso is in the world; z is up. */
type Place = { at: Vector3; turn: Quaternion };
type Materials = { light: Material; dark: Material };

const UP = new Vector3(0, 1, 0);
/** Accelerations are taken from postures that are so far apart, in seconds: at least, and at most. */
const APART = 0.04;
const LINKED = 0.3;
/** By how much motors give way under a load, in radians: a joint that is nearer is where it is told to be. */
const SAG = 0.05;

/** A joint that is nearer is where it is at another key, too; in radians. */
const ELSEWHERE = 0.02;

export type Seen = {
  /** A touch sensor is pressed or let go. */
  onpress: (event: string, down: boolean) => void;
  /** The pointer is over one. */
  onhover: (event: string) => void;
  /** Where the top of the head is on the canvas, in pixels. */
  onhead: (x: number, y: number) => void;
  /** How it stands; nothing if it sits or lies, or if that is not known. */
  onstand: (standing: Standing | undefined) => void;
  /** A mesh of one's own cannot be read: its link is drawn without. */
  onbroken: (mesh: string) => void;
};

/** The field of view from top to bottom, degrees. */
const FIELD = 32;
/** How much of the picture is seen around what it reaches. */
const ROOM = 1.06;
/** How long what is at the end of a limb is, as a part of the robot's size. */
const HAND = 0.06;

export class View {
  private scene = new Scene();
  private camera = new PerspectiveCamera(FIELD, 1, 0.01, 100);
  private renderer: WebGLRenderer;
  private controls: OrbitControls;
  private solid: Figure;
  private ghost: Figure;
  /** How it stands at the keys before and after. */
  private neighbors: { figure: Figure | undefined; at: Map<string, number> | undefined }[] = [];
  /** The angles of the joints as they are drawn. */
  private angle: (name: string) => number = () => 0;
  private floor = new Group();
  private ground: Ground | undefined;
  private leds = new Map<string, Mesh<SphereGeometry, MeshBasicMaterial>>();
  private spots: Mesh<SphereGeometry, MeshBasicMaterial>[] = [];
  private pending = 0;
  private held = '';
  private over = '';
  private size = 1;
  /** How high it reaches with its arms. */
  private reach = 1;
  private followed = new Vector3();
  /** Where its links were lately. */
  private moments: Moment[] = [];
  private watch: ResizeObserver;

  constructor(
    private canvas: HTMLCanvasElement,
    private body: Body,
    private seen: Seen,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f98, 1.6));
    const sun = new DirectionalLight(0xffffff, 1.9);
    sun.position.set(2, 4, 3);
    this.scene.add(sun);
    const figure = { light: new MeshStandardMaterial({ color: 0xe9ecef, roughness: 0.55 }), dark: new MeshStandardMaterial({ color: 0x59616b, roughness: 0.6 }) };
    const pale = new MeshStandardMaterial({ color: 0x4aa3ff, transparent: true, opacity: 0.28, depthWrite: false });
    this.solid = this.build(figure);
    this.ghost = this.build({ light: pale, dark: pale });
    this.ghost.root.visible = false;
    this.addLights();
    this.pose(new Map(Object.entries(body.stands)), new Map());
    const box = new Box3().setFromObject(this.solid.root);
    this.size = Math.max(box.max.y - box.min.y, box.max.x - box.min.x, 0.2);
    this.reach = this.highest(box.max.y);
    this.ground = new Ground(this.size, body.links, this.solid.links);
    this.ground.follow(0, 0);
    this.scene.add(this.ground.all);
    // Its z is up; here y is.
    this.floor.rotation.x = -Math.PI / 2;
    this.scene.add(this.floor);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());
    this.home();
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(canvas.parentElement ?? canvas);
    this.listen();
    this.fit();
  }

  /** How high its limbs reach that begin in its upper half, if they are stretched upwards; at least as high as it stands. */
  private highest(top: number): number {
    const children = (name: string) => this.body.links.filter((link) => link.parent === name);
    const length = (name: string): number => Math.max(0, ...children(name).map((link) => Math.hypot(...link.at) + length(link.name)));
    const limbs = this.body.links.flatMap((link) => {
      const at = link.joint && this.solid.links.get(link.name)?.getWorldPosition(new Vector3()).y;
      return at && at > top / 2 ? [at + length(link.name) + HAND * this.size] : [];
    });
    return Math.max(top, ...limbs);
  }

  /** From the front, a little to its left and from above. */
  home(): void {
    const { x, z } = this.followed;
    // All that it can reach is in the picture, with a little room.
    const away = (ROOM * this.reach) / (2 * Math.tan(MathUtils.degToRad(FIELD / 2)));
    const from = new Vector3(1.75, 0.37, 0.95).setLength(away);
    this.controls.target.set(x, this.reach * 0.48, z);
    this.camera.position.set(x + from.x, this.controls.target.y + from.y, z + from.z);
    this.controls.update();
    this.draw();
  }

  /** Where joints are, where they are told to be, and where the torso is if physics moves the robot; and the time in seconds, if this follows what was before. */
  pose(angles: Map<string, number>, wanted: Map<string, number>, torso?: number[], t?: number): void {
    const angle = (name: string) => angles.get(name) ?? this.body.stands[name] ?? 0;
    const commands = torso ? new Map([...wanted].filter(([joint, to]) => Math.abs(to - angle(joint)) > SAG)) : wanted;
    const [x, y, z, i, j, k, w] = torso ?? [];
    const place = torso && { at: new Vector3(x, y, z), turn: new Quaternion(i, j, k, w) };
    const found = this.set(this.solid, angle, place, t);
    this.follow(place);
    this.stand(found);
    this.ghost.root.visible = commands.size > 0;
    if (commands.size > 0) this.overlay(this.ghost, commands, angle);
    this.angle = angle;
    this.drawBeside();
    this.draw();
  }

  /** Draws, pale, how it stands at the key before and after the frame that is shown. */
  beside(before: Map<string, number> | undefined, after: Map<string, number> | undefined): void {
    const drawn = (figure: Figure | undefined, color: number) => {
      const pale = new MeshStandardMaterial({ color, transparent: true, opacity: 0.3, depthWrite: false });
      return figure ?? this.build({ light: pale, dark: pale });
    };
    const [old, young] = this.neighbors;
    this.neighbors = [
      { figure: before || old?.figure ? drawn(old?.figure, 0x9b5de5) : undefined, at: before },
      { figure: after || young?.figure ? drawn(young?.figure, 0x2a9d57) : undefined, at: after },
    ];
    this.drawBeside();
    this.draw();
  }

  private drawBeside(): void {
    for (const { figure, at } of this.neighbors) {
      if (!figure) continue;
      const other = new Map([...(at ?? [])].filter(([joint, to]) => Math.abs(to - this.angle(joint)) > ELSEWHERE));
      figure.root.visible = other.size > 0;
      if (other.size > 0) this.overlay(figure, other, this.angle);
    }
  }

  /** Puts a figure where the robot is, with some joints elsewhere, and shows only the parts that are. */
  private overlay(figure: Figure, to: Map<string, number>, angle: (name: string) => number): void {
    this.set(figure, (name) => to.get(name) ?? angle(name));
    figure.root.position.copy(this.solid.root.position);
    figure.torso.position.copy(this.solid.torso.position);
    figure.torso.quaternion.copy(this.solid.torso.quaternion);
    const moved = new Set<string>();
    for (const { name, parent, joint } of this.body.links) {
      if (moved.has(parent) || (joint && to.has(this.leader(joint)))) moved.add(name);
      const look = figure.looks.get(name);
      if (look) look.visible = moved.has(name);
    }
  }

  light(colors: Map<string, Color>): void {
    for (const [name, led] of this.leds) {
      const [red, green, blue] = colors.get(name) ?? [0, 0, 0];
      led.material.color.setRGB(0.06 + 0.94 * red, 0.06 + 0.94 * green, 0.06 + 0.94 * blue);
    }
    this.draw();
  }

  /** A touch sensor is held, wherever. */
  hold(event: string): void {
    for (const spot of this.spots) spot.material.opacity = spot.name === event ? 0.95 : spot.name === this.over ? 0.6 : 0.22;
    this.draw();
  }

  /** Keys: turn, closer, farther, as it was. */
  key(key: string): boolean {
    const turns: Record<string, [number, number]> = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.12], ArrowDown: [0, 0.12] };
    const nears: Record<string, number> = { '+': 0.87, '=': 0.87, '-': 1.15 };
    const from = this.camera.position.clone().sub(this.controls.target);
    const around = new Spherical().setFromVector3(from);
    if (turns[key]) {
      around.theta += turns[key][0];
      around.phi = Math.min(Math.max(around.phi + turns[key][1], 0.05), Math.PI - 0.05);
    } else if (nears[key]) around.radius *= nears[key];
    else if (key === '0') {
      this.home();
      return true;
    } else return false;
    this.camera.position.setFromSpherical(around).add(this.controls.target);
    this.controls.update();
    this.draw();
    return true;
  }

  close(): void {
    cancelAnimationFrame(this.pending);
    this.watch.disconnect();
    this.controls.dispose();
    this.scene.traverse((one) => one instanceof Mesh && (one.geometry as BufferGeometry).dispose());
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  /** Once in the next frame of the display, however often it is asked for. */
  draw(): void {
    this.pending ||= requestAnimationFrame(() => {
      this.pending = 0;
      this.renderer.render(this.scene, this.camera);
      this.canvas.dataset.frames = String(Number(this.canvas.dataset.frames ?? 0) + 1);
      this.tellHead();
    });
  }

  private tellHead(): void {
    const head = this.solid.links.get('Head');
    if (!head) return;
    const at = head.localToWorld(new Vector3(0, 0, 0.12 * this.size * 1.8)).project(this.camera);
    this.seen.onhead(((at.x + 1) / 2) * this.canvas.clientWidth, ((1 - at.y) / 2) * this.canvas.clientHeight);
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement ?? this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    // A narrow picture shows as much from left to right as one that is three quarters as wide as it is high.
    this.camera.fov = MathUtils.radToDeg(2 * Math.atan(Math.tan(MathUtils.degToRad(FIELD / 2)) * Math.max(1, 0.75 / this.camera.aspect)));
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  private build(materials: Materials): Figure {
    const root = new Group();
    const links = new Map<string, Group>();
    const looks = new Map<string, Group>();
    const joints: Figure['joints'] = [];
    for (const link of this.body.links) {
      const frame = new Group();
      frame.position.set(...link.at);
      // About the fixed axes x, y, z, one after another.
      frame.rotation.set(...link.turned, 'ZYX');
      const moved = new Group();
      frame.add(moved);
      (links.get(link.parent) ?? root).add(frame);
      links.set(link.name, moved);
      if (link.joint) joints.push({ name: link.joint, at: moved, axis: new Vector3(...link.axis), scale: link.scale });
      const look = new Group();
      moved.add(look);
      looks.set(link.name, look);
      if (link.mesh) this.load(link, look, materials);
      else for (const solid of link.solids) look.add(shape(solid, materials));
    }
    const upright = new Group();
    // Its z is up; here y is.
    upright.rotation.x = -Math.PI / 2;
    upright.add(root);
    const whole = new Group();
    whole.add(upright);
    this.scene.add(whole);
    return { root: whole, torso: root, links, looks, joints };
  }

  private load(link: Link, into: Group, materials: Materials): void {
    const url = `/mesh/${encodeURIComponent(link.mesh!)}`;
    const failed = () => {
      this.seen.onbroken(link.mesh!);
      for (const solid of link.solids) into.add(shape(solid, materials));
      this.draw();
    };
    const there = (one: Object3D, paint: boolean) => {
      one.traverse((part) => {
        if (paint && part instanceof Mesh) part.material = materials.light;
      });
      into.add(one);
      this.draw();
    };
    const pale = (materials.light as MeshStandardMaterial).transparent;
    if (link.mesh!.endsWith('.stl')) new STLLoader().load(url, (geometry) => there(new Mesh(geometry, materials.light), false), undefined, failed);
    else new GLTFLoader().load(url, (file) => there(file.scene, pale), undefined, failed);
  }

  private addLights(): void {
    const thick = this.body.name === 'pepper' ? 0.007 : 0.0045;
    for (const led of this.body.leds) {
      const link = led.link && this.solid.links.get(led.link);
      if (!link || !led.at) continue;
      const one = new Mesh(new SphereGeometry(thick, 10, 8), new MeshBasicMaterial());
      one.position.set(...led.at);
      link.add(one);
      this.leds.set(led.name, one);
    }
    for (const touch of this.body.touch) {
      const link = touch.link && this.solid.links.get(touch.link);
      if (!link || !touch.at) continue;
      const spot = new Mesh(
        new SphereGeometry(thick * 3, 16, 12),
        new MeshBasicMaterial({ color: new Paint(0xff9d00), transparent: true, opacity: 0.22, depthWrite: false }),
      );
      spot.position.set(...touch.at);
      spot.name = touch.event;
      link.add(spot);
      this.spots.push(spot);
    }
  }

  /** The joint that has the motor. */
  private leader(name: string): string {
    return this.body.joints.find((joint) => joint.name === name)?.follows ?? name;
  }

  /** Turns the joints, and puts the figure on the floor: on its lower sole, or, if it sits or lies, on what is lowest, with the torso upright. Nobody says where the robot is. */
  private set(figure: Figure, angle: (name: string) => number, place?: Place, t?: number): Standing | undefined {
    for (const { name, at, axis, scale } of figure.joints) at.quaternion.setFromAxisAngle(axis, scale * angle(this.leader(name)));
    figure.root.position.y = 0;
    const put = (torso: Matrix4) => {
      torso.decompose(figure.torso.position, figure.torso.quaternion, new Vector3());
      figure.root.updateWorldMatrix(true, true);
    };
    put(new Matrix4());
    const back = figure.torso.matrixWorld.clone().invert();
    const link = (name: string) => {
      const group = figure.links.get(name);
      return group && back.clone().multiply(group.matrixWorld);
    };
    const three = figure === this.solid ? this.moved(t, link) : undefined;
    const found = this.body.balance ? standing(this.body.balance, link, place ? undefined : three) : undefined;
    if (place) {
      put(new Matrix4().compose(place.at, place.turn, new Vector3(1, 1, 1)));
      // What lies stands on nothing.
      return new Vector3(0, 0, 1).applyQuaternion(place.turn).z > 0.7 ? found : undefined;
    }
    if (found) put(found.torso);
    else {
      const low = new Box3().setFromObject(figure.root).min.y;
      if (Number.isFinite(low)) figure.root.position.y = -low;
      figure.root.updateWorldMatrix(true, true);
    }
    return found;
  }

  /** Remembers where links are at a time, and finds three moments, of which this is the last, that are far enough from each other for accelerations. */
  private moved(t: number | undefined, link: (name: string) => Matrix4 | undefined): [Moment, Moment, Moment] | undefined {
    if (t === undefined || t <= (this.moments.at(-1)?.t ?? -Infinity)) this.moments = [];
    if (t === undefined) return undefined;
    const names = [...(this.body.balance?.masses ?? []), ...(this.body.balance?.soles ?? [])].map((part) => part.link);
    const poses = new Map(names.map((name) => [name, link(name)]));
    const now: Moment = { t, links: (name) => poses.get(name) };
    // What was recorded at decimal times is apart by no less because of rounding.
    const before = (of: Moment) => this.moments.findLast((one) => of.t - one.t > APART - 1e-4 && of.t - one.t < LINKED);
    const middle = before(now);
    const first = middle && before(middle);
    this.moments = [...this.moments.filter((one) => t - one.t < 3 * LINKED), now];
    return first && middle ? [first, middle, now] : undefined;
  }

  /** Keeps the robot in the picture, and its area under it, wherever it goes. */
  private follow(place: Place | undefined): void {
    const here = place ? new Vector3(place.at.x, 0, -place.at.y) : new Vector3();
    const ahead = new Vector3(1, 0, 0).applyQuaternion(place?.turn ?? new Quaternion());
    this.floor.position.copy(here);
    this.floor.rotation.z = Math.atan2(ahead.y, ahead.x);
    const way = here.clone().sub(this.followed);
    this.followed = here;
    this.ground?.follow(here.x, here.z);
    if (way.lengthSq() === 0 || !this.controls) return;
    this.controls.target.add(way);
    this.camera.position.add(way);
    this.controls.update();
  }

  /** Draws the area under the feet, and on it the center of mass and the zero moment point. */
  private stand(found: Standing | undefined): void {
    for (const part of this.floor.children as Mesh[]) part.geometry.dispose();
    this.floor.clear();
    if (found) {
      const paint = (margin: number) => ({ color: new Paint(margin < 0 ? 0xd6336c : margin < 0.01 ? 0xe8890c : 0x2b8a3e), transparent: true, depthWrite: false });
      const look = paint(found.margin);
      const area = new Mesh(new ShapeGeometry(new Shape(found.support)), new MeshBasicMaterial({ ...look, opacity: 0.35 }));
      // These are seen through the feet.
      const border = new LineLoop(new BufferGeometry().setFromPoints(found.support), new LineBasicMaterial({ ...look, depthTest: false }));
      const center = new Mesh(new CircleGeometry(0.018 * this.size, 24), new MeshBasicMaterial({ ...look, depthTest: false }));
      area.position.z = 0.001;
      center.position.set(found.center.x, found.center.y, 0.002);
      this.floor.add(area, border, center);
      if (found.zmp) {
        const ring = new Mesh(new RingGeometry(0.02 * this.size, 0.027 * this.size, 32), new MeshBasicMaterial({ ...paint(found.zmp.margin), depthTest: false }));
        ring.position.set(found.zmp.at.x, found.zmp.at.y, 0.003);
        this.floor.add(ring);
      }
    }
    this.seen.onstand(found);
  }

  private spotAt(event: PointerEvent): string {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    return ray.intersectObjects(this.spots, false)[0]?.object.name ?? '';
  }

  private listen(): void {
    const free = () => {
      if (this.held) this.seen.onpress(this.held, false);
      this.held = '';
      this.controls.enabled = true;
    };
    // Before the controls, which would turn it.
    this.canvas.addEventListener(
      'pointerdown',
      (event) => {
        this.held = this.spotAt(event);
        if (!this.held) return;
        this.controls.enabled = false;
        this.canvas.setPointerCapture(event.pointerId);
        this.seen.onpress(this.held, true);
      },
      { capture: true },
    );
    for (const kind of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) this.canvas.addEventListener(kind, free);
    this.canvas.addEventListener('pointermove', (event) => {
      const over = this.spotAt(event);
      if (over === this.over) return;
      this.over = over;
      this.canvas.style.cursor = over ? 'pointer' : 'grab';
      this.seen.onhover(over);
      this.hold(this.held);
    });
  }
}

function shape(solid: Solid, materials: Materials): Mesh {
  const material = solid.dark ? materials.dark : materials.light;
  if (solid.box) {
    const one = new Mesh(new BoxGeometry(...solid.box.size), material);
    one.position.set(...solid.box.middle);
    return one;
  }
  const { from, to, radius } = solid.capsule ?? { from: [0, 0, 0] as Vector, to: [0, 0, 0] as Vector, radius: 0.01 };
  const [start, end] = [new Vector3(...from), new Vector3(...to)];
  const way = end.clone().sub(start);
  const length = way.length();
  const one = new Mesh(length ? new CapsuleGeometry(radius, length, 8, 20) : new SphereGeometry(radius, 20, 14), material);
  one.position.copy(start).addScaledVector(way, 0.5);
  if (length) one.quaternion.setFromUnitVectors(UP, way.normalize());
  return one;
}
