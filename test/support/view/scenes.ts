/** Pictures of coloured shapes, with the box and the mask of each: generated, the same ones each time. */
import { crc32, deflateSync } from 'node:zlib';

import { encodeExample, float, int64 } from '../../../lib';

const KINDS = ['disc', 'square', 'diamond'] as const;

interface Shape {
  readonly kind: (typeof KINDS)[number];
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly color: readonly [number, number, number];
}

/** A generator of numbers from 0 to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the bytes of a PNG of `channels` (1: grey, 3: colours) bytes a pixel. */
export function png(width: number, height: number, channels: 1 | 3, pixels: Uint8Array): Buffer {
  const rows = Buffer.alloc(height * (width * channels + 1));
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * width * channels, (y + 1) * width * channels), y * (width * channels + 1) + 1);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, channels === 1 ? 0 : 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function isIn({ kind, x, y, radius }: Shape, px: number, py: number): boolean {
  const [dx, dy] = [Math.abs(px - x), Math.abs(py - y)];
  if (kind === 'disc') return dx * dx + dy * dy < radius * radius;
  return kind === 'square' ? Math.max(dx, dy) < radius * 0.85 : dx + dy < radius * 1.1;
}

/** Returns an Example with the keys of TensorFlow Object Detection: a picture of two to five shapes. */
export function sceneExample(seed: number, width = 320, height = 240): Uint8Array {
  const random = randomFrom(seed * 7919 + 1);
  const shapes = Array.from({ length: 2 + Math.floor(random() * 4) }, (): Shape => {
    const radius = height * (0.08 + random() * 0.12);
    return {
      kind: KINDS[Math.floor(random() * KINDS.length)]!,
      x: radius + random() * (width - 2 * radius),
      y: radius + random() * (height - 2 * radius),
      radius,
      color: [0, 1, 2].map(() => Math.floor(60 + random() * 180)) as [number, number, number],
    };
  });
  const hue = random();
  const pixels = new Uint8Array(width * height * 3);
  const masks = shapes.map(() => new Uint8Array(width * height));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      let color: readonly number[] = [70 + 90 * hue + y / 6, 110 + x / 8, 190 - 80 * hue - y / 5];
      for (const [i, shape] of shapes.entries()) {
        if (!isIn(shape, x, y)) continue;
        // The part that a later shape hides belongs to that one.
        for (const mask of masks) mask[at] = 0;
        masks[i]![at] = 255;
        const light =
          1 - (Math.hypot(x - shape.x + shape.radius / 3, y - shape.y + shape.radius / 3) / shape.radius) * 0.35;
        color = shape.color.map((value) => value * light);
      }
      pixels.set(color, 3 * at);
    }
  }
  const side = (of: (shape: Shape) => number, size: number): number[] =>
    shapes.map((shape) => Math.max(0, Math.min(1, of(shape) / size)));
  return encodeExample({
    'image/encoded': [png(width, height, 3, pixels)],
    'image/filename': [`scene-${String(seed).padStart(5, '0')}.png`],
    'image/format': ['png'],
    'image/height': int64(height),
    'image/width': int64(width),
    'image/object/bbox/xmin': float(side(({ x, radius }) => x - radius, width)),
    'image/object/bbox/xmax': float(side(({ x, radius }) => x + radius, width)),
    'image/object/bbox/ymin': float(side(({ y, radius }) => y - radius, height)),
    'image/object/bbox/ymax': float(side(({ y, radius }) => y + radius, height)),
    'image/object/class/label': int64(shapes.map(({ kind }) => KINDS.indexOf(kind) + 1)),
    'image/object/class/text': shapes.map(({ kind }) => kind),
    'image/object/mask': masks.map((mask) => png(width, height, 1, mask)),
  });
}

/** Returns the bytes of a WAV of one tone. */
export function tone(hertz: number, seconds: number): Buffer {
  const rate = 8000;
  const samples = Math.floor(rate * seconds);
  const wav = Buffer.alloc(44 + samples);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + samples, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples, 40);
  for (let i = 0; i < samples; i++) {
    const fade = Math.min(1, (samples - i) / (rate / 10));
    wav[44 + i] = 128 + Math.round(100 * fade * Math.sin((2 * Math.PI * hertz * i) / rate));
  }
  return wav;
}
