/** Kinds of rows: `RowKind` of core/example/decoded_record.h. 0: no kind. */
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

/** Places in the head, `DecodedHead` of core/example/decoded_block.h; the rows follow. */
const enum Head {
  Rows = 0,
  IdleNames = 1,
  FirstIdleName = 2,
  Size = 3,
}

/** Where native code leaves what it took from a record: see core/example/decoded_block.h. Nobody else sees its memory. */
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
