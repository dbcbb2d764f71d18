import { TextDecoder } from 'node:util';

import { TFRecordError } from '../../errors';
import { viewOf } from '../../record';
import {
  decodeText,
  newBytesArray,
  NoText,
  SAFE_INT64S,
  type BytesArray,
  type BytesAs,
  type Int64As,
} from '../../tensor';
import type { DecodedFeature } from './decode-example';
import { quoted } from './errors';
import type { ParsedAs } from './parsed-as';
import type { DecodedRecord } from './record-decoder';

/** Kinds of rows: `RowKind` of core/example/decode/decoded_record.h. 0: no kind. */
const BYTES_ROW = 1;
const FLOAT_ROW = 2;
const INT64_ROW = 3;
export const STEPS_ROW = 4;
const PACKED_ROW = 5;

/** Places in a row of the table: `DecodedRow` there. */
export const enum RowField {
  NameOffset = 0,
  NameSize = 1,
  Kind = 2,
  Count = 3,
  First = 4,
}
const ROW_SIZE = 5;

/** Places in the head, `DecodedHead` of core/example/decode/decoded_block.h; the rows follow. */
const enum Head {
  Rows = 0,
  IdleNames = 1,
  FirstIdleName = 2,
  Size = 3,
}

/**
 * The memory in which native code leaves the parts of a record: see core/example/decode/decoded_block.h. Nothing else
 * sees it.
 */
export class DecodedBlock {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Head and rows, and pairs (offset in the record, size). */
  readonly table: Uint32Array<ArrayBuffer>;
  readonly float32: Float32Array<ArrayBuffer>;
  readonly int64: BigInt64Array<ArrayBuffer>;

  /** @throws RangeError when there is no memory. */
  constructor(size: number) {
    const buffer = new ArrayBuffer(Math.ceil(size / 8) * 8);
    this.bytes = new Uint8Array(buffer);
    this.table = new Uint32Array(buffer);
    this.float32 = new Float32Array(buffer);
    this.int64 = new BigInt64Array(buffer);
  }

  get rows(): number {
    return this.table[Head.Rows]!;
  }

  /** True if a feature or a step has a kind. */
  get hasKind(): boolean {
    for (let row = 0; row < this.rows; row++) {
      const kind = this.at(row, RowField.Kind);
      if (kind !== 0 && kind !== STEPS_ROW) return true;
    }
    return false;
  }

  at(row: number, field: RowField): number {
    return this.table[Head.Size + row * ROW_SIZE + field]!;
  }

  /** Pairs of names that count for nothing, but have to be UTF-8, too. */
  get idleNames(): Uint32Array {
    const first = this.table[Head.FirstIdleName]!;
    return this.table.subarray(first, first + 2 * this.table[Head.IdleNames]!);
  }

  get hasIdleNames(): boolean {
    return this.table[Head.IdleNames] !== 0;
  }
}

/** Names that are remembered: as many, as long. */
const MAX_KNOWN = 64;
const MAX_KNOWN_BYTES = 64;
/** Up to this many bytes, ASCII is faster without the decoder. */
const SHORT = 32;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Names of features. Records that come one after the other mostly have the same names in the same order: comparing with
 * the last record's is quicker than making strings.
 */
export class DecodedNames {
  /** The last name at each position, when it is ASCII. */
  readonly #known = Array.from({ length: MAX_KNOWN }, () => '');

  /** The name in `size` bytes at `offset`, the record's `position`th; undefined when it is no UTF-8. */
  at(position: number, bytes: Uint8Array, offset: number, size: number): string | undefined {
    if (position >= MAX_KNOWN) return decodeName(bytes, offset, size);
    const known = this.#known[position]!;
    if (known.length === size && isAt(known, bytes, offset)) return known;
    const name = decodeName(bytes, offset, size);
    // As many characters as bytes: ASCII.
    if (name?.length === size && size <= MAX_KNOWN_BYTES) this.#known[position] = name;
    return name;
  }
}

function isAt(name: string, bytes: Uint8Array, offset: number): boolean {
  for (let i = 0; i < name.length; i++) {
    if (name.charCodeAt(i) !== bytes[offset + i]) return false;
  }
  return true;
}

function decodeName(bytes: Uint8Array, offset: number, size: number): string | undefined {
  if (size <= SHORT) {
    let name = '';
    let i = 0;
    for (; i < size; i++) {
      const byte = bytes[offset + i]!;
      if (byte >= 0x80) break;
      name += String.fromCharCode(byte);
    }
    if (i === size) return name;
  }
  try {
    return decoder.decode(viewOf(bytes, offset, offset + size));
  } catch {
    return undefined;
  }
}

/** Up to so many values, or bytes, a loop is faster than a call. */
const FEW_VALUES = 8;
const FEW_BYTES = 32;

/** The feature of a row, in memory of its own; undefined when it has no kind. @throws TFRecordError TFR_FEATURE naming `name` */
export function decodedFeature(
  decoded: DecodedRecord,
  row: number,
  { int64, bytes }: ParsedAs,
  name: string,
): DecodedFeature<Int64As, BytesAs> | undefined {
  const { block } = decoded;
  const count = block.at(row, RowField.Count);
  const first = block.at(row, RowField.First);
  switch (block.at(row, RowField.Kind)) {
    case BYTES_ROW:
      if (bytes === 'text') return { kind: 'bytes', values: textsOf(decoded, first, count, name) };
      return { kind: 'bytes', values: bytesOf(decoded, first, count) };
    case FLOAT_ROW:
      return { kind: 'float', values: floatsOf(block, first, count) };
    case PACKED_ROW:
      return { kind: 'float', values: packedFloats(decoded.record, first, count) };
    case INT64_ROW:
      if (int64 === 'number') return { kind: 'int64', values: numbersOf(block, first, count, name) };
      return { kind: 'int64', values: int64sOf(block, first, count) };
    default:
      return undefined;
  }
}

function int64sOf({ int64 }: DecodedBlock, first: number, count: number): BigInt64Array<ArrayBuffer> {
  if (count > FEW_VALUES) return int64.slice(first, first + count);
  const values = new BigInt64Array(count);
  for (let i = 0; i < count; i++) values[i] = int64[first + i]!;
  return values;
}

function numbersOf({ int64 }: DecodedBlock, first: number, count: number, feature: string): Float64Array<ArrayBuffer> {
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const value = Number(int64[first + i]!);
    if (!Number.isSafeInteger(value)) throw unsafe(feature, int64[first + i]!);
    values[i] = value;
  }
  return values;
}

/** `place`: of the first pair. @throws TFRecordError TFR_FEATURE naming `feature` */
function textsOf({ block: { table }, record }: DecodedRecord, place: number, count: number, feature: string): string[] {
  const texts = new Array<string>(count);
  for (let i = 0; i < count; i++) {
    const offset = table[place + 2 * i]!;
    const size = table[place + 2 * i + 1]!;
    const text = decodeText(record, offset, offset + size);
    if (text === undefined) throw notText(feature, new NoText(i, size));
    texts[i] = text;
  }
  return texts;
}

function notText(feature: string, { index, expected: wanted, found }: NoText): TFRecordError {
  const expected = `${wanted} in value ${index}`;
  return new TFRecordError(
    'TFR_FEATURE',
    `Feature ${quoted(feature)}: expected ${expected}, found ${found}. bytes: "bytes" reads all.`,
    { feature, expected, found },
  );
}

function unsafe(feature: string, value: bigint): TFRecordError {
  const found = String(value);
  return new TFRecordError(
    'TFR_FEATURE',
    `Feature ${quoted(feature)}: expected ${SAFE_INT64S}, found ${found}. int64: "bigint" reads all.`,
    { feature, expected: SAFE_INT64S, found },
  );
}

function floatsOf({ float32 }: DecodedBlock, first: number, count: number): Float32Array<ArrayBuffer> {
  if (count > FEW_VALUES) return float32.slice(first, first + count);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const value = float32[first + i]!;
    // What is read as a number may lose what its NaN says.
    if (Number.isNaN(value)) return float32.slice(first, first + count);
    values[i] = value;
  }
  return values;
}

function packedFloats(record: Uint8Array, offset: number, count: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(count);
  new Uint8Array(values.buffer).set(viewOf(record, offset, offset + values.byteLength));
  return values;
}

/** `place`: of the first pair. */
function bytesOf({ block: { table }, record }: DecodedRecord, place: number, count: number): BytesArray {
  const offsets = new Int32Array(count + 1);
  let size = 0;
  for (let i = 0; i < count; i++) {
    size += table[place + 2 * i + 1]!;
    offsets[i + 1] = size;
  }
  const data = new Uint8Array(size);
  for (let i = 0; i < count; i++) {
    const offset = table[place + 2 * i]!;
    copyBytes(record, offset, table[place + 2 * i + 1]!, data, offsets[i]!);
  }
  return newBytesArray(data, offsets);
}

function copyBytes(record: Uint8Array, offset: number, size: number, data: Uint8Array, at: number): void {
  if (size > FEW_BYTES) data.set(viewOf(record, offset, offset + size), at);
  else for (let i = 0; i < size; i++) data[at + i] = record[offset + i]!;
}
