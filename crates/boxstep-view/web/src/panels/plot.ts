// One item's values over time, drawn by uPlot.

import uPlot from 'uplot';
import type { Point } from '../wire.svelte';

/** What to draw: seconds and values. Items that are no numbers are drawn as how often they have been set. */
export function drawn(points: Point[], to: number): { data: [number[], (number | null)[]]; counted: boolean } {
  const counted = !points.some((point) => point.length > 2);
  const [xs, ys]: [number[], (number | null)[]] = [[], []];
  let count = 0;
  points.forEach(([t, times, low, high, last], i) => {
    const next = points[i + 1]?.[0] ?? to;
    const x = t / 1e9;
    if (counted) {
      count += times;
      xs.push(x);
      ys.push(count);
    } else if (times === 1 || low === undefined) {
      xs.push(x);
      ys.push(low ?? null);
    } else {
      // All that was in this stretch of time: from the smallest to the largest.
      const step = (next - t) / 4e9;
      xs.push(x, x + step, x + 2 * step);
      ys.push(low, high!, last!);
    }
  });
  const end = to / 1e9;
  if (xs.length && end > xs.at(-1)!) {
    xs.push(end);
    ys.push(ys.at(-1)!);
  }
  return { data: [xs, ys], counted };
}

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export type Chart = { set: (points: Point[], range: [number, number]) => void; now: (t: number) => void; size: (width: number) => void; end: () => void };
type Wants = { height: number; onzoom: (range: [number, number] | undefined) => void; onseek: (t: number) => void; onvalue: (text: string) => void };

/** Puts a chart into an element. */
export function chart(into: HTMLElement, wants: Wants): Chart {
  let shownNow = 0;
  const make = (): uPlot => {
    const axis = { stroke: colour('--bx-soft'), grid: { stroke: colour('--bx-grid'), width: 1 }, ticks: { stroke: colour('--bx-edge') }, font: '11px system-ui' };
    const options: uPlot.Options = {
      width: Math.max(100, into.clientWidth),
      height: wants.height,
      legend: { show: false },
      scales: { x: { time: false }, y: { range: (_, low, high) => around(low, high) } },
      cursor: { sync: { key: 'boxstep' }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      axes: [{ ...axis, size: 26, values: (_, all) => all.map((v) => `${+v.toFixed(3)} s`) }, { ...axis, size: 58, space: 22 }],
      series: [{}, { stroke: colour('--bx-curve'), width: 1.5, paths: uPlot.paths.stepped!({ align: 1 }), points: { show: false } }],
      hooks: {
        setSelect: [
          (u) => {
            if (u.select.width > 3) {
              const [from, to] = [u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')];
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              wants.onzoom([from * 1e9, to * 1e9]);
            }
          },
        ],
        setCursor: [
          (u) => {
            const i = u.cursor.idx;
            const y = i === null || i === undefined ? undefined : u.data[1]?.[i];
            wants.onvalue(y === undefined || y === null ? '' : `${+y.toPrecision(6)} at ${u.data[0]![i!]!.toFixed(3)} s`);
          },
        ],
        draw: [
          (u) => {
            const x = u.valToPos(shownNow, 'x', true);
            if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
            u.ctx.save();
            u.ctx.strokeStyle = colour('--light');
            u.ctx.lineWidth = 2 * devicePixelRatio;
            u.ctx.beginPath();
            u.ctx.moveTo(x, u.bbox.top);
            u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
            u.ctx.stroke();
            u.ctx.restore();
          },
        ],
      },
    };
    const u = new uPlot(options, [[], []], into);
    let down = 0;
    u.over.addEventListener('mousedown', (event) => (down = event.clientX));
    u.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - down) < 3) wants.onseek(u.posToVal(u.cursor.left ?? 0, 'x') * 1e9);
    });
    u.over.addEventListener('dblclick', () => wants.onzoom(undefined));
    return u;
  };
  let u = make();
  let last: [Point[], [number, number]] | undefined;
  const set = (points: Point[], range: [number, number]) => {
    last = [points, range];
    const { data } = drawn(points, range[1]);
    u.setData(data as uPlot.AlignedData, false);
    u.setScale('x', { min: range[0] / 1e9, max: Math.max(range[1], range[0] + 1) / 1e9 });
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const again = () => {
    u.destroy();
    u = make();
    if (last) set(...last);
  };
  dark.addEventListener('change', again);
  return {
    set,
    now: (t) => {
      shownNow = t / 1e9;
      u.redraw(false, false);
    },
    size: (width) => u.setSize({ width: Math.max(100, width), height: wants.height }),
    end: () => {
      dark.removeEventListener('change', again);
      u.destroy();
    },
  };
}

/** A little room around the values; a straight line is in the middle. */
function around(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const room = high > low ? (high - low) * 0.08 : Math.max(Math.abs(low) * 0.1, 0.5);
  return [low - room, high + room];
}
