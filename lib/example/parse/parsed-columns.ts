/** Parsed columns: the values that native code parses from records, before features are composed of them. */
import { arrayClass, orNoMemory } from '../../base';
import { ColumnSize, type ColumnArrays, type PlanColumn } from '../../native';
import { MAX_POSITION, tooLarge, type BatchMemory, type ColumnData } from '../columns';
import type { Plan } from './plan';

/** The columns of some records of one plan. */
export interface ParsedColumns {
  readonly plan: Plan;
  /** Number of records. */
  readonly rows: number;
  /** One for each column of the plan. */
  readonly columns: readonly ColumnData[];
  /** The memory of its arrays, and of those that are composed of it, if they are valid until the next step only. */
  readonly memory?: BatchMemory | undefined;
  /** The columns, while native code holds them. Reading `columns` moves them to JavaScript. */
  readonly untaken?: UntakenColumns | undefined;
}

/** The columns of some records, in native memory. */
export interface UntakenColumns {
  readonly options: ColumnsOptions;
  /** Four sizes for each column, as in `newColumns`. */
  sizes(): Float64Array;
  /** Copies the columns into `arrays`, after the elements that `filled` counts, and frees them. */
  moveBehind(arrays: ColumnArrays, filled: Float64Array): void;
}

/** Returns the arrays in the order in which native code fills them. */
export function arraysOf(piece: ParsedColumns): ColumnArrays {
  const arrays = [];
  for (const { present, steps, splits, offsets, values } of piece.columns) {
    if (present !== undefined) arrays.push(present);
    if (steps !== undefined) arrays.push(steps);
    if (splits !== undefined) arrays.push(splits);
    if (offsets !== undefined) arrays.push(offsets);
    arrays.push(values);
  }
  return arrays;
}

/** Returns the records from `from` to before `to`: copies in other memory, unless these are all records. */
export function sliceColumns(piece: ParsedColumns, from: number, to: number): ParsedColumns {
  if (from === 0 && to === piece.rows) return piece;
  return copyRows(piece, from, to, piece.memory?.another());
}

/** Returns record `row`, in memory that later steps do not overwrite. */
export function lastingRow(piece: ParsedColumns, row: number): ParsedColumns {
  return piece.rows === 1 && piece.memory === undefined ? piece : copyRows(piece, row, row + 1, undefined);
}

function copyRows(piece: ParsedColumns, from: number, to: number, memory: BatchMemory | undefined): ParsedColumns {
  const { plan } = piece;
  const cuts = piece.columns.map((column, i) => cutColumn(column, plan.columns[i]!, from, to));
  const place = placesOf(cuts, memory);
  const columns = cuts.map(({ present, steps, splits, offsets, values }): ColumnData => ({
    present: present && copyPositions([present], place),
    steps: steps && copyPositions([steps], place),
    splits: splits && copyPositions([splits], place),
    offsets: offsets && copyPositions([offsets], place),
    values: copyValues([values], place),
  }));
  return { plan, rows: to - from, columns, memory };
}

/** Returns the records from `from` to before `to` of a column, as views of its arrays. */
function cutColumn(column: ColumnData, { count }: PlanColumn, from: number, to: number): ColumnData {
  let [begin, end] = [from, to];
  const level = (positions: Int32Array<ArrayBuffer> | undefined): Int32Array<ArrayBuffer> | undefined => {
    if (positions === undefined) return undefined;
    const part = positions.subarray(begin, end + 1);
    [begin, end] = [positions[begin]!, positions[end]!];
    return part;
  };
  const present = level(column.present);
  const steps = level(column.steps);
  const splits = level(column.splits);
  if (splits === undefined) [begin, end] = [begin * count, end * count];
  const offsets = level(column.offsets);
  return { present, steps, splits, offsets, values: column.values.subarray(begin, end) };
}

/** Joins columns that are in JavaScript's memory: copies `rows` records. */
function concatTaken(pieces: readonly ParsedColumns[], rows: number): ParsedColumns {
  const first = pieces[0]!;
  const { plan } = first;
  const memory = first.memory?.another();
  const place = placesOf(
    pieces.flatMap((piece) => piece.columns),
    memory,
  );
  const columns = first.columns.map((_, i) => {
    const parts = pieces.map((piece) => piece.columns[i]!);
    return joinColumn(parts, plan.keys[i]!, rows, place);
  });
  return { plan, rows, columns, memory };
}

function joinColumn(parts: readonly ColumnData[], key: string, rows: number, place: Places): ColumnData {
  const { present, steps, splits, offsets } = parts[0]!;
  const check = (total: number, unit: string): void => {
    if (total > MAX_POSITION) throw tooLarge(key, rows, total, unit);
  };
  check(
    sum(parts, ({ values }) => values.length),
    offsets === undefined ? 'values' : 'bytes',
  );
  const join = (positionsOf: (part: ColumnData) => Int32Array | undefined, unit: string): Int32Array<ArrayBuffer> => {
    const all = parts.map((part) => positionsOf(part)!);
    check(
      sum(all, (positions) => positions[positions.length - 1]!),
      unit,
    );
    return copyPositions(all, place);
  };
  return {
    present: present && join((part) => part.present, 'rows'),
    steps: steps && join((part) => part.steps, 'steps'),
    splits: splits && join((part) => part.splits, 'values'),
    offsets: offsets && join((part) => part.offsets, 'bytes'),
    values: copyValues(
      parts.map(({ values }) => values),
      place,
    ),
  };
}

/**
 * Returns memory for arrays with the total size of those of `columns`: in one slab of `memory`, or each in its own
 * memory.
 */
function placesOf(columns: readonly ColumnData[], memory: BatchMemory | undefined): Places {
  return placesIn(() => {
    let bytes = 0;
    for (const { present, steps, splits, offsets, values } of memory === undefined ? [] : columns) {
      for (const array of [present, steps, splits, offsets, values]) bytes += (array?.byteLength ?? 0) + ALIGNMENT;
    }
    return memory?.take(bytes);
  }, '<batch>');
}

/** Concatenates lists of positions, so that they ascend from 0. */
function copyPositions(all: readonly Int32Array[], place: Places): Int32Array<ArrayBuffer> {
  const joined = new Int32Array(...place(4, sum(all, (positions) => positions.length - 1) + 1));
  let [at, base] = [0, 0];
  joined[0] = 0;
  for (const positions of all) {
    base -= positions[0]!;
    for (let i = 1; i < positions.length; i++) joined[at + i] = base + positions[i]!;
    at += positions.length - 1;
    base = joined[at]!;
  }
  return joined;
}

function copyValues(parts: readonly ColumnData['values'][], place: Places): ColumnData['values'] {
  const first = parts[0]!;
  const length = sum(parts, (part) => part.length);
  // All have one class; copying them as words preserves payloads of NaN.
  const joined = new (arrayClass<ColumnData['values']>(first))(...place(first.BYTES_PER_ELEMENT, length));
  const to = new Uint8Array(joined.buffer, joined.byteOffset, joined.byteLength);
  let at = 0;
  for (const part of parts) {
    to.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return joined;
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}

/**
 * Joins the records of one or more parsed columns of one plan. The result is a copy, unless there is only one.
 * @throws TFRecordError TFR_RECORD_TOO_LARGE if a column outgrows int32 positions
 */
export function joinColumns(pieces: readonly ParsedColumns[]): ParsedColumns {
  const first = pieces[0]!;
  if (pieces.length === 1) return first;
  const rows = pieces.reduce((sum, piece) => sum + piece.rows, 0);
  const untaken = pieces.flatMap((piece) => piece.untaken ?? []);
  if (untaken.length === pieces.length) return joinUntaken(untaken, first.plan, rows);
  return concatTaken(pieces, rows);
}

/** Native code copies each column once, directly to its place, without temporary memory. */
function joinUntaken(parts: readonly UntakenColumns[], plan: Plan, rows: number): ParsedColumns {
  const all = parts.map((part) => part.sizes());
  const total = new Float64Array(ColumnSize.Count * plan.columns.length);
  for (const sizes of all) add(total, sizes);
  plan.columns.forEach(({ section, kind, count }, i) => {
    const { splits, values, bytes } = sizesAt(total, i);
    const check = (size: number, unit: string): void => {
      if (size > MAX_POSITION) throw tooLarge(plan.keys[i]!, rows, size, unit);
    };
    if (kind === 1) check(bytes, 'bytes');
    check(values, 'values');
    if (section === 1) check(count < 0 ? splits : values / count, 'steps');
  });
  const { options } = parts[0]!;
  const piece = newColumns(plan, rows, total, { ...options, memory: options.memory?.another() });
  const arrays = arraysOf(piece);
  const filled = new Float64Array(total.length);
  parts.forEach((part, i) => {
    part.moveBehind(arrays, filled);
    add(filled, all[i]!);
  });
  return piece;
}

function add(to: Float64Array, sizes: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = to[i]! + sizes[i]!;
}

/** Memory and names for the arrays of parsed columns. */
export interface ColumnsOptions {
  readonly int64AsNumber: boolean;
  /** Name of the file in errors. */
  readonly file: string;
  /** The memory for all arrays together. Default: each has its own. */
  readonly memory?: BatchMemory | undefined;
}

/** Returns the sizes of column `i`. */
function sizesAt(sizes: Float64Array, i: number): Record<'steps' | 'splits' | 'values' | 'bytes', number> {
  const at = ColumnSize.Count * i;
  return {
    steps: sizes[at + ColumnSize.Steps]!,
    splits: sizes[at + ColumnSize.Splits]!,
    values: sizes[at + ColumnSize.Values]!,
    bytes: sizes[at + ColumnSize.Bytes]!,
  };
}

/**
 * Returns new columns for `rows` records, to be filled. `sizes` has those of each column, as native code counts them.
 * @throws TFRecordError ENOMEM
 */
export function newColumns(plan: Plan, rows: number, sizes: Float64Array, options: ColumnsOptions): ParsedColumns {
  const { int64AsNumber, memory } = options;
  // Columns without rows are not filled, so their positions must be zero.
  const slab = (): ArrayBuffer | undefined => (rows === 0 ? undefined : memory?.take(bytesAtMost(plan, rows, sizes)));
  const place = placesIn(slab, options.file);
  const positions = (count: number): Int32Array<ArrayBuffer> => new Int32Array(...place(4, count));
  const columns = plan.columns.map(({ section, kind, count, optional }, i): ColumnData => {
    const { steps, splits, values, bytes } = sizesAt(sizes, i);
    return {
      present: optional === true ? positions(rows + 1) : undefined,
      steps: section === 1 ? positions(steps + 1) : undefined,
      splits: count < 0 ? positions(splits + 1) : undefined,
      offsets: kind === 1 ? positions(values + 1) : undefined,
      values:
        kind === 1
          ? new Uint8Array(...place(1, bytes))
          : kind === 2
            ? new Float32Array(...place(4, values))
            : int64AsNumber
              ? new Float64Array(...place(8, values))
              : new BigInt64Array(...place(8, values)),
    };
  });
  return { plan, rows, columns, memory };
}

/** Returns an upper bound of the bytes for all columns of `rows` records with these sizes. */
export function bytesAtMost({ columns }: Plan, rows: number, sizes: Float64Array): number {
  // Allowance for each of five arrays: one more position, and alignment.
  let total = columns.length * 5 * (4 + ALIGNMENT);
  columns.forEach(({ kind, optional }, i) => {
    const { steps, splits, values, bytes } = sizesAt(sizes, i);
    if (optional === true) total += 4 * rows;
    total += 4 * (steps + splits) + (kind === 3 ? 8 : 4) * values + bytes;
  });
  return total;
}

/** Allocates memory for `count` elements of `size` bytes each. */
type Places = (size: number, count: number) => MemoryRange;

/** Returns a function that allocates arrays: in one slab, if there is one, else in memory of their own. */
function placesIn(newSlab: () => ArrayBuffer | undefined, file: string): Places {
  const slab = newSlab();
  let end = 0;
  return (size, count) => {
    if (slab === undefined) return [unset(size * count, file), 0, count];
    const offset = end;
    end += Math.ceil((size * count) / ALIGNMENT) * ALIGNMENT;
    return [slab, offset, count];
  };
}

/** The arguments of a typed array over a part of a buffer. */
type MemoryRange = readonly [buffer: ArrayBuffer, byteOffset: number, length: number];

const ALIGNMENT = 8;

/** Allocates memory for native code to fill, without zeroing it, which saves time. @throws like `orNoMemory` */
export function unset(bytes: number, file: string): ArrayBuffer {
  return orNoMemory(file, bytes, () => (bytes < 1024 ? new ArrayBuffer(bytes) : Buffer.allocUnsafeSlow(bytes).buffer));
}
