// Pictures of a page as one animated PNG: of each only what has changed.

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function* chunks(png) {
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield [png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)];
    at += length + 12;
  }
}

function chunk(name, data) {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(name, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8);
  return out;
}

/** The pixels of a PNG of 8 bits a channel, red, green and blue; in 32 steps each, which makes a film half as large. */
export function pixels(png) {
  let [width, height, channels, data] = [0, 0, 3, []];
  for (const [name, content] of chunks(png)) {
    if (name === 'IHDR') [width, height, channels] = [content.readUInt32BE(0), content.readUInt32BE(4), content[9] === 6 ? 4 : 3];
    if (name === 'IDAT') data.push(content);
  }
  const raw = inflateSync(Buffer.concat(data));
  const row = width * channels;
  const all = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const left = x >= channels ? all[y * row + x - channels] : 0;
      const up = y ? all[(y - 1) * row + x] : 0;
      const corner = y && x >= channels ? all[(y - 1) * row + x - channels] : 0;
      const guess = left + up - corner;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      all[y * row + x] = raw[y * (row + 1) + 1 + x] + [0, left, up, (left + up) >> 1, paeth][filter];
    }
  }
  const rgb = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++) for (let c = 0; c < 3; c++) rgb[at * 3 + c] = Math.min(255, Math.round(all[at * channels + c] / 8.2258) * 8.2258);
  return { width, height, rgb };
}

/** The rectangle around all that is different in two pictures. */
function changed(one, other, width, height) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    const at = y * width * 3;
    if (one.compare(other, at, at + width * 3, at, at + width * 3) === 0) continue;
    for (let x = 0; x < width; x++) {
      const p = at + x * 3;
      if (one[p] === other[p] && one[p + 1] === other[p + 1] && one[p + 2] === other[p + 2]) continue;
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), y];
    }
  }
  return right < 0 ? { x: 0, y: 0, w: 1, h: 1 } : { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}

function packed(rgb, width, { x, y, w, h }) {
  const ways = [0, 1, 2].map((filter) => {
    const out = Buffer.alloc((w * 3 + 1) * h);
    for (let row = 0; row < h; row++) {
      out[row * (w * 3 + 1)] = filter;
      for (let at = 0; at < w * 3; at++) {
        const from = ((y + row) * width + x) * 3 + at;
        const before = filter === 1 ? (at >= 3 ? rgb[from - 3] : 0) : filter === 2 && row ? rgb[from - width * 3] : 0;
        out[row * (w * 3 + 1) + 1 + at] = rgb[from] - before;
      }
    }
    return deflateSync(out, { level: 9 });
  });
  return ways.sort((a, b) => a.length - b.length)[0];
}

/** Makes a film of PNGs of the same size, so many pictures a second. */
export function film(pngs, rate) {
  const frames = pngs.map(pixels);
  const { width, height } = frames[0];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  // What is the same lasts longer.
  const kept = [];
  for (const [at, frame] of frames.entries()) {
    const rect = at ? changed(frames[at - 1].rgb, frame.rgb, width, height) : { x: 0, y: 0, w: width, h: height };
    if (at && rect.w === 1 && rect.h === 1) kept.at(-1).lasts += 1;
    else kept.push({ rect, frame, lasts: 1 });
  }
  const control = Buffer.alloc(8);
  control.writeUInt32BE(kept.length, 0);
  let number = 0;
  const parts = kept.flatMap(({ rect, frame, lasts }, at) => {
    const about = Buffer.alloc(26);
    about.writeUInt32BE(number++, 0);
    for (const [i, value] of [rect.w, rect.h, rect.x, rect.y].entries()) about.writeUInt32BE(value, 4 + i * 4);
    about.writeUInt16BE(lasts, 20);
    about.writeUInt16BE(rate, 22);
    const data = packed(frame.rgb, width, rect);
    if (!at) return [chunk('fcTL', about), chunk('IDAT', data)];
    const numbered = Buffer.alloc(4 + data.length);
    numbered.writeUInt32BE(number++, 0);
    data.copy(numbered, 4);
    return [chunk('fcTL', about), chunk('fdAT', numbered)];
  });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('acTL', control), ...parts, chunk('IEND', Buffer.alloc(0))]);
}
