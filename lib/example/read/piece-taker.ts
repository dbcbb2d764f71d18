/** Moves what native threads have parsed into JavaScript's memory. */
import { callNative, COMPRESSIONS, FRAME_BYTES, type Compression } from '../../base';
import { type MemoryPool } from '../../io';
import {
  ColumnSize,
  FillOutcome,
  native,
  PieceField,
  type ColumnArrays,
  type ExamplesHandle,
  type SlabFill,
  type PieceFaults,
  type RecordTypeCode,
} from '../../native';
import { BatchMemory, type ColumnData } from '../columns';
import { typeCodeOf } from '../feature';
import {
  arraysOf,
  bytesAtMost,
  newColumns,
  unset,
  type ParsedColumns,
  type ColumnsOptions,
  type Plan,
  type UntakenColumns,
} from '../parse';

/** Parsed records of a file, in order, and the state of reading after them. */
export interface Piece {
  readonly result: Pick<SlabFill, 'outcome' | 'halt' | 'compressedBytes' | 'compression' | 'totalBytes'>;
  readonly columns: ParsedColumns;
  /** The records without a row, ascending. */
  readonly faults: PieceFaults['rows'];
  /** Size of each record in bytes, for rows and faults alike, and their sum. */
  readonly lengths: Uint32Array;
  readonly payload: number;
  /** Number of the first record in its stream, and offset of its header. */
  readonly firstRecord: number;
  readonly offset: number;
  /** The type of the stream's first record, if the piece begins with it: {@link PieceField.FirstType}. */
  readonly firstType: RecordTypeCode;
}

/** A piece that is still in native memory. */
interface PieceReport extends Omit<Piece, 'columns' | 'lengths'> {
  readonly rows: number;
  /** Number of records, counting rows and faults. */
  readonly records: number;
}

/** The outcomes, at the numbers that native code uses. */
const OUTCOMES = [
  FillOutcome.More,
  FillOutcome.End,
  FillOutcome.Input,
  FillOutcome.Grow,
  FillOutcome.Halt,
  FillOutcome.Cancelled,
] as const;
const NO_FAULTS: PieceFaults = { rows: [], halt: undefined };

/** Decides where pieces are cut. */
interface PieceCutter {
  /** The ends of the parts of a piece of `rows` rows, ascending; the last is `rows`. */
  cuts(rows: number): readonly number[];
  /** True if a part of `rows` rows will be joined with others. */
  joins(rows: number): boolean;
}

interface TakerOptions extends Omit<ColumnsOptions, 'memory'> {
  /** The pool for batches that are valid until the next step only; undefined if batches stay valid. */
  readonly pool: MemoryPool | undefined;
}

/** Moves the pieces of one native reader into JavaScript's memory. */
export class PieceTaker {
  readonly #handle: ExamplesHandle;
  readonly #plan: Plan;
  readonly #options: TakerOptions;
  readonly #untaken = new Set<UntakenPart>();
  readonly #report = new Float64Array(PieceField.Count);
  readonly #sizes: Float64Array;

  constructor(handle: ExamplesHandle, plan: Plan, options: TakerOptions) {
    this.#handle = handle;
    this.#plan = plan;
    this.#options = options;
    this.#sizes = new Float64Array(ColumnSize.Count * plan.columns.length);
  }

  /** Returns native code's report on piece `number`. @throws TFRecordError ENOMEM */
  report(number: number): PieceReport {
    const report = this.#report;
    const faults =
      callNative(this.#options.file, () => native().examplesReport(this.#handle, number, report)) ?? NO_FAULTS;
    return {
      result: {
        outcome: OUTCOMES[report[PieceField.Outcome]!]!,
        halt: faults.halt,
        compressedBytes: report[PieceField.CompressedBytes]!,
        compression: COMPRESSIONS[report[PieceField.Compression]!] as Compression,
        totalBytes: report[PieceField.TotalBytes]!,
      },
      rows: report[PieceField.Rows]!,
      records: report[PieceField.Records]!,
      faults: faults.rows,
      payload: report[PieceField.Payload]!,
      firstRecord: report[PieceField.FirstRecord]!,
      offset: report[PieceField.Offset]!,
      firstType: typeCodeOf(report[PieceField.FirstType]),
    };
  }

  /** Returns the size of the columns of piece `number`, in bytes. */
  bytes(number: number, { rows }: PieceReport): number {
    if (rows === 0) return 0;
    native().examplesSizes(this.#handle, number, 0, rows, this.#sizes);
    return bytesAtMost(this.#plan, rows, this.#sizes);
  }

  /**
   * Takes piece `number`, in the parts that `cutter` chooses. A piece with a record without a row is not cut. Must be
   * called once for each piece. @throws TFRecordError ENOMEM
   */
  take(number: number, report: PieceReport, cutter: PieceCutter): Piece[] {
    const { rows, records, ...rest } = report;
    const lengths = new Uint32Array(unset(4 * records, this.#options.file));
    native().examplesLengths(this.#handle, number, lengths);
    const whole = { ...rest, lengths };
    const { faults } = rest;
    // The faults of a piece are judged together with its rows.
    const ends = faults.length > 0 ? [rows] : cutter.cuts(rows);
    const parts = { left: ends.length };
    const pieces: Piece[] = [];
    let [from, { offset }] = [0, whole];
    for (const end of ends) {
      const native = this.#nativeRows(number, from, end, parts);
      const joins = faults.length === 0 && end > from && cutter.joins(end - from);
      const columns = joins ? this.#later(native) : this.#now(native);
      if (ends.length === 1) {
        pieces.push({ ...whole, columns });
        break;
      }
      const own = lengths.subarray(from, end);
      const payload = own.reduce((sum, length) => sum + length, 0);
      const result = end === rows ? whole.result : { ...whole.result, outcome: FillOutcome.More, halt: undefined };
      const firstRecord = whole.firstRecord + from;
      pieces.push({ ...whole, result, columns, lengths: own, payload, firstRecord, offset });
      offset += payload + FRAME_BYTES * own.length;
      from = end;
    }
    return pieces;
  }

  /** Moves the parts that are still in native memory, because closing the handle frees it. */
  settle(): void {
    for (const part of this.#untaken) part.settle();
    this.#untaken.clear();
  }

  /** Frees piece `number` without taking it. */
  drop(number: number): void {
    native().examplesDrop(this.#handle, number);
  }

  #now(native: NativeRows): ParsedColumns {
    const sizes = native.rows > 0 ? native.sizes() : this.#sizes.fill(0);
    const columns = newColumns(this.#plan, native.rows, sizes, this.#columnsOptions);
    if (native.rows > 0) native.take(arraysOf(columns));
    native.drop();
    return columns;
  }

  #later(native: NativeRows): ParsedColumns {
    const drop = (): void => {
      this.#untaken.delete(part);
      native.drop();
    };
    const part = new UntakenPart(this.#plan, { ...native, drop }, this.#columnsOptions);
    this.#untaken.add(part);
    return part;
  }

  /** The options of the next columns. */
  get #columnsOptions(): ColumnsOptions {
    const { pool, file, int64AsNumber } = this.#options;
    return { int64AsNumber, file, memory: pool && new BatchMemory(pool, file) };
  }

  /** Returns rows `from` to `to` of piece `number`. The piece is freed when all its `parts` are freed. */
  #nativeRows(number: number, from: number, to: number, parts: { left: number }): NativeRows {
    const handle = this.#handle;
    return {
      rows: to - from,
      sizes: () => {
        native().examplesSizes(handle, number, from, to, this.#sizes);
        return this.#sizes;
      },
      take: (arrays, filled) => {
        callNative(this.#options.file, () => native().examplesTake(handle, number, from, to, arrays, filled));
      },
      drop: () => {
        if (--parts.left === 0) this.drop(number);
      },
    };
  }
}

/** Rows of a piece in native memory. */
interface NativeRows {
  readonly rows: number;
  /** The sizes of each column, valid until the next call for any rows. */
  sizes(): Float64Array;
  /** Copies the rows into `arrays`, after the elements that `filled` counts, if given. */
  take(arrays: ColumnArrays, filled?: Float64Array): void;
  /** Frees the rows without taking them. */
  drop(): void;
}

/**
 * A part of a batch. Its columns stay in native memory until all parts are known; then each column is copied into the
 * batch once.
 */
class UntakenPart implements ParsedColumns, UntakenColumns {
  readonly plan: Plan;
  readonly rows: number;
  readonly options: ColumnsOptions;
  #native: NativeRows | undefined;
  /** The columns, after they were moved here; empty if they were moved elsewhere. */
  #columns: readonly ColumnData[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(plan: Plan, native: NativeRows, options: ColumnsOptions) {
    this.plan = plan;
    this.rows = native.rows;
    this.options = options;
    this.#native = native;
  }

  get memory(): ColumnsOptions['memory'] {
    return this.options.memory;
  }

  get untaken(): UntakenColumns | undefined {
    return this.#native === undefined ? undefined : this;
  }

  /** @throws TFRecordError ENOMEM */
  get columns(): readonly ColumnData[] {
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#move();
    return this.#columns;
  }

  sizes(): Float64Array {
    return this.#native!.sizes().slice();
  }

  moveBehind(arrays: ColumnArrays, filled: Float64Array): void {
    const native = this.#native!;
    native.take(arrays, filled);
    this.#drop(native);
  }

  /** Moves the columns here, unless they were moved before, because the native memory is about to be freed. */
  settle(): void {
    try {
      this.#move();
    } catch (error) {
      this.#failure = { error };
      this.#native = undefined;
    }
  }

  #move(): void {
    const native = this.#native;
    if (native === undefined) return;
    const taken = newColumns(this.plan, this.rows, native.sizes(), this.options);
    native.take(arraysOf(taken));
    this.#columns = taken.columns;
    this.#drop(native);
  }

  #drop(native: NativeRows): void {
    this.#native = undefined;
    native.drop();
  }
}
