/** Reads the objects in a picture, by the keys of TensorFlow Object Detection. */
import type { Box, Masks } from '../protocol';
import type { DecodedRecord } from './decoded-record';

const MAX_BOXES = 1000;
/** Maximum number of pixels of a mask, and of all masks that are numbers. */
const MAX_PIXELS = 2 ** 25;
const MASK = 'image/object/mask';

/** Returns at most `most` boxes of `record`. Boxes in pixels are converted to fractions of the picture's size. */
export function boxesOf(record: DecodedRecord, most = MAX_BOXES): Box[] {
  const [xmin, ymin, xmax, ymax] = ['xmin', 'ymin', 'xmax', 'ymax'].map((side) =>
    numbersOf(record, `image/object/bbox/${side}`),
  ) as [Sides, Sides, Sides, Sides];
  if (xmin === undefined || ymin === undefined || xmax === undefined || ymax === undefined) return [];
  const count = Math.min(xmin.length, ymin.length, xmax.length, ymax.length, most);
  const inPixels = [xmax, ymax].some((side) => side.some((value) => value > 2));
  const width = inPixels ? sizeOf(record, 'width') : 1;
  const height = inPixels ? sizeOf(record, 'height') : 1;
  return Array.from({ length: count }, (_, i) => ({
    xmin: (xmin[i] ?? 0) / width,
    ymin: (ymin[i] ?? 0) / height,
    xmax: (xmax[i] ?? 0) / width,
    ymax: (ymax[i] ?? 0) / height,
    label: labelOf(record, i),
  }));
}

type Sides = readonly number[] | undefined;

function numbersOf(record: DecodedRecord, name: string): Sides {
  const feature = record.feature(name);
  return feature?.kind === 'float' ? Array.from(feature.values.subarray(0, MAX_BOXES)) : undefined;
}

/** Returns the width or height of the picture; 1 if no feature has it. */
function sizeOf(record: DecodedRecord, side: 'width' | 'height'): number {
  const feature = record.feature(`image/${side}`);
  const size = feature?.kind === 'int64' ? Number(feature.values[0] ?? 0n) : 0;
  return size > 0 ? size : 1;
}

function labelOf(record: DecodedRecord, index: number): string {
  const text = record.feature('image/object/class/text');
  const word = text?.kind === 'bytes' ? text.values.at(index) : undefined;
  if (word !== undefined) return Buffer.from(word.subarray(0, 64)).toString();
  const label = record.feature('image/object/class/label');
  const number = label?.kind === 'int64' ? label.values[index] : undefined;
  return number === undefined ? '' : String(number);
}

/** Returns the masks of `record`: encoded pictures, or numbers in the order [object, row, column]; null if there are none. */
export function masksOf(record: DecodedRecord): Masks | null {
  const feature = record.feature(MASK);
  if (feature === undefined || feature.values.length === 0) return null;
  const width = sizeOf(record, 'width');
  const height = sizeOf(record, 'height');
  if (width * height > MAX_PIXELS) return null;
  if (feature.kind === 'bytes') {
    return { as: 'pictures', count: feature.values.length, width, height, pixels: new Uint8Array(0) };
  }
  const count = feature.values.length / (width * height);
  if (!Number.isInteger(count) || feature.values.length > MAX_PIXELS || width * height === 1) return null;
  const pixels = Uint8Array.from<number | bigint>(feature.values, (value) => (value > 0.5 ? 255 : 0));
  return { as: 'numbers', count, width, height, pixels };
}
