// The ground under the robot: a grid that has no end one could see, and the robot's soft shadow.

import { BufferGeometry, Float32BufferAttribute, Group, InstancedBufferAttribute, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, type Object3D, PlaneGeometry, ShaderMaterial, Vector3 } from 'three';
import type { Link, Solid, Vector } from './body';

/** The side of a field of the grid, in metres; each so many lines one is stronger. */
const FIELD = 0.2;
const STRONG = 5;
/** How far the grid reaches at most, in metres. */
const FAR = 6;

/** A part that throws a shadow: around a point of a link. */
type Part = { link: Object3D; middle: Vector3; radius: number };

// Round and soft: what is far from the middle of a part is brighter.
const SHADE = {
  vertexShader: `
    attribute float strength;
    varying float dark;
    varying vec2 at;
    void main() {
      at = uv * 2.0 - 1.0;
      dark = strength;
      gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
    }`,
  fragmentShader: `
    varying float dark;
    varying vec2 at;
    void main() {
      float near = max(0.0, 1.0 - dot(at, at));
      gl_FragColor = vec4(0.0, 0.0, 0.0, dark * near * near);
    }`,
};

export class Ground {
  readonly all = new Group();
  private grid: LineSegments;
  private parts: Part[];
  private shade: InstancedMesh<PlaneGeometry, ShaderMaterial>;
  private strength: InstancedBufferAttribute;

  /** For a robot that is so high, in metres. */
  constructor(size: number, links: readonly Link[], groups: ReadonlyMap<string, Object3D>) {
    this.grid = gridOf(Math.min(size * 7, FAR));
    this.parts = links.flatMap(({ name, solids }) => {
      const link = groups.get(name);
      return link ? solids.map((solid) => ({ link, ...extentOf(solid) })) : [];
    });
    const quad = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
    this.strength = new InstancedBufferAttribute(new Float32Array(this.parts.length), 1);
    quad.setAttribute('strength', this.strength);
    this.shade = new InstancedMesh(quad, new ShaderMaterial({ ...SHADE, transparent: true, depthWrite: false }), this.parts.length);
    this.shade.frustumCulled = false;
    this.shade.renderOrder = -1;
    this.all.add(this.grid, this.shade);
  }

  /** The robot has moved: its shadow moves, and the grid is around it; its lines stay where they are. */
  follow(x: number, z: number): void {
    const whole = (at: number) => Math.round(at / (FIELD * STRONG)) * FIELD * STRONG;
    this.grid.position.set(whole(x), 0, whole(z));
    const [at, matrix] = [new Vector3(), new Matrix4()];
    for (const [n, { link, middle, radius }] of this.parts.entries()) {
      // Where its link is has just been calculated.
      at.copy(middle).applyMatrix4(link.matrixWorld);
      // What is higher throws a shadow that is larger and brighter.
      const wide = radius * 1.5 + Math.max(at.y, 0) * 0.3;
      matrix.makeScale(wide, 1, wide).setPosition(at.x, 0.0005, at.z);
      this.shade.setMatrixAt(n, matrix);
      this.strength.setX(n, Math.min(0.3, 0.55 * (radius / wide) ** 2));
    }
    this.shade.instanceMatrix.needsUpdate = true;
    this.strength.needsUpdate = true;
  }
}

/** The middle of a solid, and how far it reaches to the sides. */
function extentOf(solid: Solid): { middle: Vector3; radius: number } {
  const of = (vector: Vector) => new Vector3(...vector);
  if (solid.box) return { middle: of(solid.box.middle), radius: of(solid.box.size).length() / 3 };
  const { from, to, radius } = solid.capsule ?? { from: [0, 0, 0] as Vector, to: [0, 0, 0] as Vector, radius: 0 };
  return { middle: of(from).add(of(to)).multiplyScalar(0.5), radius: radius + of(from).distanceTo(of(to)) / 4 };
}

/** Lines in short pieces: the farther from the middle, the fainter, until nothing is left. */
function gridOf(reach: number): LineSegments {
  const many = Math.ceil(reach / FIELD);
  const [places, colors]: [number[], number[]] = [[], []];
  const add = (x: number, z: number, strong: boolean) => {
    const near = Math.max(0, 1 - Math.hypot(x, z) / many);
    places.push(x * FIELD, 0, z * FIELD);
    colors.push(0.5, 0.53, 0.57, near ** 1.6 * (strong ? 0.6 : 0.28));
  };
  for (let line = -many; line <= many; line++) {
    const strong = line % STRONG === 0;
    const half = Math.floor(Math.sqrt(many * many - line * line));
    for (let at = -half; at < half; at++) {
      add(at, line, strong);
      add(at + 1, line, strong);
      add(line, at, strong);
      add(line, at + 1, strong);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(places, 3));
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 4));
  return new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
}
