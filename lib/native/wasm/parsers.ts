/** Plans, parsers and their columns: `ExampleBinding` in binding-examples.ts. */
import { lengthOf } from '../../base';
import type { ColumnArrays, ExampleBinding, ParserHandle, PlanColumn } from '../binding-examples';
import { isOwn, isOwnArray, ownArray, ownBytes, ScatteredRecords, type ArrayName } from './arrays';
import type { Handles, NativeObject } from './handles';
import type { Instance } from './instance';
import { Report } from './report';

type ParserBinding = Pick<
  ExampleBinding,
  'parserNew' | 'parserClear' | 'parserAppend' | 'parserStart' | 'parserRow' | 'parserSizes' | 'parserTake'
>;

/** A column of a plan, as far as its arrays depend on it. */
interface ColumnShape {
  readonly optional: boolean;
  readonly lists: boolean;
  readonly anyCount: boolean;
  readonly kind: 1 | 2 | 3;
}

export interface ParserObject extends NativeObject {
  /** A promise is pending. */
  busy: boolean;
  readonly columns: readonly ColumnShape[];
  readonly int64AsNumber: boolean;
}

/** Numbers per column that give its sizes. */
const SIZES = 5;
const MAX_BYTES = 0xffff_ffff;
const NOT_OF_COLUMN = 'tfrecord: not the array of this column';

/** The arrays of a column: `Array` in native/wasm/columns_api.cc. */
const enum ArrayKind {
  Present,
  Steps,
  Splits,
  Offsets,
  Bytes,
  Floats,
  Ints,
}

export function parserBinding(instance: Instance, parsers: Handles<ParserObject, ParserHandle>): ParserBinding {
  const { exports } = instance;

  function idle(handle: ParserHandle): ParserObject {
    const parser = parsers.of(handle);
    if (parser.busy) throw new Error('tfrecord: the parser is at work');
    return parser;
  }

  function addColumn(plan: number, { key, section, kind, count, required, fallback, optional }: PlanColumn): void {
    if (!(kind >= 1 && kind <= 3)) throw new RangeError('tfrecord: kind of a column');
    instance.withBytes(ownBytes(key), (keyAt, keySize) =>
      instance.withBytes(ownBytes(fallback ?? new Uint8Array()), (at, size) =>
        exports.tfr_plan_add(
          plan,
          keyAt,
          keySize,
          section,
          kind,
          count,
          Number(required),
          at,
          size,
          Number(optional ?? false),
        ),
      ),
    );
  }

  /** Parses the records that were copied to the parser. */
  function append(pointer: number): ReturnType<ExampleBinding['parserAppend']> {
    return new Report(instance, exports.tfr_parser_append(pointer)).parseFault();
  }

  return {
    parserNew(columns, sequence, int64AsNumber) {
      const plan = exports.tfr_plan_new();
      for (const column of columns) addColumn(plan, column);
      const pointer = exports.tfr_parser_new(plan, Number(sequence), Number(int64AsNumber));
      return parsers.new({
        pointer,
        busy: false,
        int64AsNumber,
        columns: columns.map(({ optional = false, section, count, kind }) => ({
          optional,
          lists: section === 1,
          anyCount: count < 0,
          kind,
        })),
      });
    },

    parserClear(handle) {
      exports.tfr_parser_clear(idle(handle).pointer);
    },

    parserAppend(handle, slab, frames, begin, end) {
      const { pointer } = idle(handle);
      const placed = placeFrames(slab, frames, begin, end);
      const records = exports.tfr_parser_records(pointer, placed.records.length);
      instance.bytes.set(placed.records, records);
      const to = exports.tfr_parser_frames(pointer, end - begin);
      instance.bytes.set(placed.frames, to);
      return append(pointer);
    },

    parserStart(handle, slabs, records, count, lent) {
      const parser = idle(handle);
      const { pointer } = parser;
      const scattered = new ScatteredRecords(slabs, records, count);
      if (lent && !slabs.every(isOwn)) throw new TypeError('tfrecord: shared memory cannot be lent');
      if (scattered.bytes > MAX_BYTES) throw new RangeError('tfrecord: too many bytes in the records');
      const at = exports.tfr_parser_records(pointer, scattered.bytes);
      scattered.copyTo(instance.view(at, scattered.bytes));
      const frames = new Uint32Array(2 * count);
      for (let i = 0, offset = 0; i < count; offset += scattered.length(i++)) {
        frames[2 * i] = offset;
        frames[2 * i + 1] = scattered.length(i);
      }
      const to = exports.tfr_parser_frames(pointer, count);
      instance.bytes.set(new Uint8Array(frames.buffer), to);
      exports.tfr_parser_clear(pointer);
      const fault = append(pointer);
      parser.busy = true;
      return Promise.resolve().then(() => {
        parser.busy = false;
        return fault;
      });
    },

    parserRow(handle) {
      return (record, block) => {
        // Holding the handle keeps the parser: it is freed when its handle is collected.
        const { busy, pointer } = parsers.of(handle);
        if (busy || !isOwn(record) || !isOwn(block)) return false;
        const room = lengthOf(block);
        return instance.withBytes(record, (at, size) => {
          if (size === 0 || size > room) return false;
          const to = exports.tfr_alloc(room);
          try {
            const done = exports.tfr_parser_row(pointer, at, size, to, room) !== 0;
            if (done) block.set(instance.view(to, room));
            return done;
          } finally {
            exports.tfr_free(to);
          }
        });
      };
    },

    parserSizes(handle) {
      const { pointer, columns } = idle(handle);
      const batch = exports.tfr_parser_batch(pointer);
      return sizesOf(instance, batch, columns.length, 0, exports.tfr_columns_rows(batch));
    },

    parserTake(handle, arrays) {
      const parser = idle(handle);
      const batch = exports.tfr_parser_batch(parser.pointer);
      takeColumns(instance, parser, batch, 0, exports.tfr_columns_rows(batch), arrays);
    },
  };
}

interface PlacedFrames {
  /** The part of the slab that holds all records. */
  readonly records: Uint8Array;
  /** Bytes of the frames, as places within that part. */
  readonly frames: Uint8Array;
}

/**
 * Returns the frames from `begin` to `end`, pairs of offset and length.
 * @throws RangeError for a frame beyond the slab
 */
export function placeFrames(
  givenSlab: Uint8Array,
  givenFrames: Uint32Array,
  begin: number,
  end: number,
): PlacedFrames {
  const slab = ownBytes(givenSlab);
  const frames = ownArray(givenFrames, 'Uint32Array', 'tfrecord: not the frames of a slab');
  if (begin > end || 2 * end > frames.length) throw new TypeError('tfrecord: not the frames of a slab');
  const placed = frames.slice(2 * begin, 2 * end);
  let start = slab.length;
  let stop = 0;
  for (let i = 0; i < placed.length; i += 2) {
    const after = placed[i]! + placed[i + 1]!;
    if (after > slab.length) throw new RangeError('tfrecord: a frame beyond its slab');
    start = Math.min(start, placed[i]!);
    stop = Math.max(stop, after);
  }
  start = Math.min(start, stop);
  for (let i = 0; i < placed.length; i += 2) placed[i]! -= start;
  return { records: slab.subarray(start, stop), frames: new Uint8Array(placed.buffer) };
}

/** Returns the sizes of rows `from` to `to` of a batch's columns. */
export function sizesOf(
  instance: Instance,
  batch: number,
  columns: number,
  from: number,
  to: number,
): Float64Array<ArrayBuffer> {
  return new Report(instance, instance.exports.tfr_columns_sizes(batch, from, to)).numbers(SIZES * columns);
}

/** Copies rows `from` to `to` into `arrays`, after the `filled` ones. */
export function takeColumns(
  instance: Instance,
  { columns, int64AsNumber }: ParserObject,
  batch: number,
  from: number,
  to: number,
  arrays: ColumnArrays,
  filled?: Float64Array,
): void {
  const sizes = sizesOf(instance, batch, columns.length, from, to);
  let next = 0;

  /** Copies one array; `extra`: elements beyond its size. */
  function take(
    column: number,
    array: ArrayKind,
    wanted: ArrayName,
    size: number,
    extra: 0 | 1 = 0,
  ): void {
    const given = arrays[next++];
    const target = isOwnArray(given, wanted) ? ownArray(given!, wanted, NOT_OF_COLUMN) : undefined;
    const at = filled?.[SIZES * column + size] ?? 0;
    const length = sizes[SIZES * column + size]! + extra;
    const fits =
      target !== undefined && (filled === undefined ? target.length === length : length <= target.length - at);
    if (!fits) throw new TypeError(NOT_OF_COLUMN);
    if (length === 0) return;
    const base = extra === 1 && at > 0 ? Number(target[at]) : 0;
    const place = base < 0 ? 0 : instance.exports.tfr_columns_array(batch, column, from, to, array, base);
    if (place === 0) throw new RangeError('tfrecord: too many positions');
    const { BYTES_PER_ELEMENT } = target;
    const bytes = new Uint8Array(target.buffer, target.byteOffset + at * BYTES_PER_ELEMENT, length * BYTES_PER_ELEMENT);
    bytes.set(instance.view(place, bytes.length));
  }

  columns.forEach(({ optional, lists, anyCount, kind }, column) => {
    if (optional) take(column, ArrayKind.Present, 'Int32Array', 0, 1);
    if (lists) take(column, ArrayKind.Steps, 'Int32Array', 1, 1);
    if (anyCount) take(column, ArrayKind.Splits, 'Int32Array', 2, 1);
    if (kind === 2) { take(column, ArrayKind.Floats, 'Float32Array', 3); return; }
    if (kind === 3) { take(column, ArrayKind.Ints, int64AsNumber ? 'Float64Array' : 'BigInt64Array', 3); return; }
    take(column, ArrayKind.Offsets, 'Int32Array', 3, 1);
    take(column, ArrayKind.Bytes, 'Uint8Array', 4);
  });
}
