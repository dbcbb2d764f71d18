/** Shows values as short texts. */
import { counted, grouped } from '../../base';
import { isPrintable, shortestFloat32 } from '../../tensor';
import type { Feature } from './decoded-record';
import { mediaOf } from './media';

/** Returns the digits of a feature's number: int64 exactly, float32 with the fewest digits that restore it. */
export function numberText(value: bigint | number): string {
  if (typeof value === 'bigint' || !Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0';
  return String(shortestFloat32(value));
}

/** Returns the first `most` bytes as text, cut at the start of a character; undefined if the bytes are not text. */
export function textOf(value: Uint8Array, most: number): string | undefined {
  if (!isPrintable(value)) return undefined;
  let end = Math.min(value.length, most);
  while (end > 0 && end < value.length && (value[end]! & 0xc0) === 0x80) end--;
  return Buffer.from(value.buffer, value.byteOffset, end).toString();
}

/** Returns `1 step`, `2,000 steps` and so on. */
export function plural(count: number, noun: string): string {
  return counted(count, noun, grouped(count));
}

const CELL_TEXT = 80;
const CELL_VALUES = 6;

/** The text of a feature in a list. Features with a lower `rank` describe the record better. */
export interface Cell {
  readonly text: string;
  readonly rank: number;
}

export function cellOf(feature: Feature): Cell {
  if (feature === undefined) return { text: 'none', rank: 4 };
  const { kind, values } = feature;
  const count = values.length;
  if (count === 0) return { text: 'empty', rank: 4 };
  if (kind !== 'bytes') {
    const numbers = Array.from<bigint | number, string>(values.subarray(0, CELL_VALUES), numberText).join(', ');
    if (count === 1) return { text: numbers, rank: 0 };
    return { text: count > CELL_VALUES ? `${numbers}, … (${grouped(count)})` : numbers, rank: 2 };
  }
  const first = values.at(0)!;
  const text = textOf(first, CELL_TEXT);
  if (text !== undefined) {
    const shown = first.length > CELL_TEXT ? `${text}…` : text;
    return count === 1 ? { text: shown, rank: 0 } : { text: `${shown}, … (${grouped(count)})`, rank: 1 };
  }
  const media = mediaOf(first);
  const what = media === null ? plural(first.length, 'byte') : mediaText(media, first.length);
  return { text: count === 1 ? what : `${what}, … (${grouped(count)})`, rank: 3 };
}

function mediaText({ mime, width, height }: { mime: string; width: number; height: number }, bytes: number): string {
  const name = mime.replace(/^.*\//, '').toUpperCase();
  return width > 0 ? `${name} ${width} × ${height}` : `${name}, ${plural(bytes, 'byte')}`;
}
