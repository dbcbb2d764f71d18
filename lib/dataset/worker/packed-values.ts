import { types } from 'node:util';

import type { ClassForms } from './class-forms';
import { memoryArray } from './memory-array';
import { isPlain, setOwn } from './plain-objects';

/** Offsets of arrays in the shared memory are multiples of this. */
const ALIGNMENT = 8;
const MAX_LENGTH = 2 ** 32 - 1;

/** Values that are packed for another thread. */
export type Packed =
  /** Byte arrays, one after the other in one memory. */
  | { readonly bytes: Uint8Array; readonly lengths: Uint32Array }
  /**
   * Any other values; their typed arrays share one memory. `revive` is true if some are instances of our classes,
   * converted to parts. `rows` lists the rows in `values`.
   */
  | { readonly values: unknown[]; readonly revive: boolean; readonly rows: readonly object[] };

/** A message, and the memory to transfer with it. */
export interface Parcel {
  readonly packed: Packed;
  readonly count: number;
  /** Memory that is transferred instead of copied. */
  readonly transfer: readonly ArrayBuffer[];
}

interface PackOptions {
  /** Converts instances of our classes. */
  readonly forms: ClassForms;
  /** Allocates memory for byte arrays. */
  readonly memory: (bytes: number) => ArrayBufferLike;
  /** Shared memory whose views are copied, too. Views of other shared memory stay views of it. */
  readonly own?: ArrayBufferLike | undefined;
  /** Bytes of typed arrays from which on no further value is packed, except the first `least`. */
  readonly limit?: number | undefined;
  readonly least?: number | undefined;
}

/** Packs the values `at(0)` to `at(length - 1)`, or the first of them up to the limit. */
export function packValues(length: number, at: (index: number) => unknown, options: PackOptions): Parcel {
  const { limit = Infinity, least = 0 } = options;
  const packing = new Packing(options);
  const arrays: Uint8Array[] = [];
  let count = 0;
  let bytes = 0;
  while (count < length && (count < least || bytes < limit)) {
    const value = at(count);
    if (!types.isUint8Array(value) || value.length > MAX_LENGTH || isDetached(value)) break;
    bytes += value.length;
    arrays.push(value);
    count++;
  }
  // If only some are byte arrays, all values are packed as values of any kind.
  if (count > 0 && (count === length || (count >= least && bytes >= limit)))
    return packArrays(arrays, bytes, options.memory);
  for (const array of arrays) packing.add(array);
  while (count < length && (count < least || packing.bytes < limit)) packing.add(at(count++));
  return packing.parcel();
}

/** Packs byte arrays one after the other. */
function packArrays(arrays: readonly Uint8Array[], bytes: number, memory: PackOptions['memory']): Parcel {
  const joined = new Uint8Array(memory(bytes));
  const lengths = new Uint32Array(arrays.length);
  let offset = 0;
  arrays.forEach((array, i) => {
    joined.set(array, offset);
    offset += lengths[i] = array.length;
  });
  const transfer = types.isSharedArrayBuffer(joined.buffer) ? [] : [joined.buffer];
  return { packed: { bytes: joined, lengths }, count: arrays.length, transfer };
}

/** A typed array over a part of the shared memory, which is later set in `holder`. */
interface Move {
  readonly holder: object;
  readonly key: PropertyKey;
  readonly from: ArrayBufferView;
  readonly offset: number;
}

/** Copies values, whose typed arrays get one memory together. */
class Packing {
  bytes = 0;
  readonly #options: PackOptions;
  readonly #values: unknown[] = [];
  /** Copies by original: an object that occurs twice is copied once, and circular references end. */
  readonly #copies = new Map<object, object>();
  readonly #moves: Move[] = [];
  #revive = false;
  readonly #rows: object[] = [];

  constructor(options: PackOptions) {
    this.#options = options;
  }

  add(value: unknown): void {
    const at = this.#values.length;
    this.#values.push(undefined);
    this.#put(this.#values, at, value);
  }

  parcel(): Parcel {
    const memory = new ArrayBuffer(this.bytes);
    for (const { holder, key, from, offset } of this.#moves) {
      const { byteLength } = from;
      new Uint8Array(memory, offset, byteLength).set(new Uint8Array(from.buffer, from.byteOffset, byteLength));
      setOwn(holder, key, memoryArray(from, memory, offset));
    }
    const packed = { values: this.#values, revive: this.#revive, rows: this.#rows };
    return { packed, count: this.#values.length, transfer: this.#moves.length === 0 ? [] : [memory] };
  }

  #put(holder: object, key: PropertyKey, value: unknown): void {
    setOwn(holder, key, value);
    if (typeof value !== 'object' || value === null) return;
    const known = this.#copies.get(value);
    if (known !== undefined) setOwn(holder, key, known);
    else if (ArrayBuffer.isView(value)) this.#move(holder, key, value);
    else this.#copy(holder, key, value);
  }

  /**
   * Copies an object. An object that is neither plain nor of our classes is left to structured cloning, which may
   * refuse it.
   */
  #copy(holder: object, key: PropertyKey, value: object): void {
    const { forms } = this.#options;
    const plain = Array.isArray(value) || isPlain(value);
    const row = !plain && forms.isRow(value);
    const from = plain || row ? value : forms.takeApart(value);
    if (from === undefined) return;
    if (from !== value) this.#revive = true;
    const copy = Array.isArray(from) ? new Array<unknown>(from.length) : {};
    if (row) this.#rows.push(copy);
    this.#copies.set(value, copy);
    setOwn(holder, key, copy);
    for (const name of Object.keys(from)) this.#put(copy, name, (from as Record<string, unknown>)[name]);
  }

  #move(holder: object, key: PropertyKey, from: ArrayBufferView): void {
    if (types.isSharedArrayBuffer(from.buffer) && from.buffer !== this.#options.own) return;
    if (isDetached(from)) return;
    this.#moves.push({ holder, key, from, offset: this.bytes });
    this.bytes += Math.ceil(from.byteLength / ALIGNMENT) * ALIGNMENT;
  }
}

/** Returns the values that {@link packValues} packed, by index. */
export function unpackValues(packed: Packed, forms: ClassForms): (index: number) => unknown {
  if ('values' in packed) {
    const { values, revive, rows } = packed;
    if (revive) forms.revive(values);
    if (rows.length > 0) forms.asRows(rows);
    return (index) => values[index];
  }
  const { bytes, lengths } = packed;
  const starts = new Float64Array(lengths.length);
  for (let i = 1; i < starts.length; i++) starts[i] = starts[i - 1]! + lengths[i - 1]!;
  return (index) => new Uint8Array(bytes.buffer, bytes.byteOffset + starts[index]!, lengths[index]);
}

function isDetached(view: ArrayBufferView): boolean {
  if (view.byteLength > 0) return false;
  try {
    new Uint8Array(view.buffer, view.byteOffset, 0);
    return false;
  } catch {
    return true;
  }
}
