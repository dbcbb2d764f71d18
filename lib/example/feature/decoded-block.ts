/** The memory in which native code returns the parts of a record, and the names in it. */
import { TextDecoder } from 'node:util';

import { viewOf } from '../../base';

/** Kinds of rows: `RowKind` of core/example/decode/decoded_record.h. 0: no kind. */
export const BYTES_ROW = 1;
export const FLOAT_ROW = 2;
export const INT64_ROW = 3;
export const STEPS_ROW = 4;
export const PACKED_ROW = 5;

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
 * The memory in which native code returns the parts of a record: see core/example/decode/decoded_block.h. It is not
 * exposed to users.
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

  /** Positions of names that are not used, but must be UTF-8, too. */
  get idleNames(): Uint32Array {
    const first = this.table[Head.FirstIdleName]!;
    return this.table.subarray(first, first + 2 * this.table[Head.IdleNames]!);
  }

  get hasIdleNames(): boolean {
    return this.table[Head.IdleNames] !== 0;
  }
}

/** Maximum number of remembered names, and maximum length of one. */
const MAX_KNOWN = 64;
const MAX_KNOWN_BYTES = 64;
/** Maximum number of bytes for which ASCII is faster without the decoder. */
const SHORT = 32;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Caches the names of features. Consecutive records mostly have the same names in the same order, and comparing with
 * those of the last record is faster than making strings.
 */
export class DecodedNames {
  /** The last name at each position, if it is ASCII. */
  readonly #known = Array.from({ length: MAX_KNOWN }, () => '');

  /** Returns the name in `size` bytes at `offset`, number `position` of the record; undefined if it is not UTF-8. */
  at(position: number, bytes: Uint8Array, offset: number, size: number): string | undefined {
    if (position >= MAX_KNOWN) return decodeName(bytes, offset, size);
    const known = this.#known[position]!;
    if (known.length === size && isAt(known, bytes, offset)) return known;
    const name = decodeName(bytes, offset, size);
    // If there are as many characters as bytes, the name is ASCII.
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
