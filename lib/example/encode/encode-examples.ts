import { callNative, checkOptions, counted, invalidArgType, invalidArgValue, isObject } from '../../base';
import { native, type EncoderColumn } from '../../native';
import { ENCODED, encodedBatch, type RecordBatch } from '../../record';
import type { Columns, Int64As, Shape } from '../../tensor';
import {
  allocated,
  batchTooLarge,
  columnError,
  encodeFaultError,
  MAX_BATCH_BYTES,
  rangeOf,
  type ColumnValues,
} from '../columns';
import { quoted, rowError } from '../feature';
import type { BatchOf, FixedLen, GivenColumn, Spec } from '../kinds';
import { planExample, type Plan, type PlannedFeature } from '../parse';
import { EncodeMemory, noteEncoded, reusedMemory } from './encode-memory';

/** The columns that {@link encodeExamples} accepts: one for each feature of the spec that is not missing. */
export type ExampleColumns<S extends Spec> = {
  readonly [K in keyof S]?:
    | BatchOf<S[K], 'bigint'>
    | BatchOf<S[K], 'number'>
    // The values of all rows, one row after the other.
    | (S[K] extends FixedLen<infer D, Shape> ? Columns<Int64As>[D] : never)
    | undefined;
};

/** Options of {@link encodeExamples}. Unknown names throw. */
export interface EncodeExamplesOptions {
  /**
   * A batch of an earlier call that is no longer needed, whose memory is reused, which avoids page faults. The call
   * overwrites its records, so views of them show the new records. `writer.write` has already copied its records; wait
   * for anything else that reads them. Columns that are views of this memory are encoded into new memory. Default: new
   * memory.
   */
  reuse?: RecordBatch | undefined;
}

/** Number of bytes for tags and lengths in an empty Example, and in a feature with an empty name and list. */
const EMPTY_EXAMPLE_BYTES = 2;
const EMPTY_FEATURE_BYTES = 8;

/**
 * Encodes the columns of a batch, in the form that `parseExample` returns, as `tf.train.Example`s: the same bytes as
 * {@link exampleEncoder} for each row, in one native call for all rows. The records parse to the same columns.
 *
 * `columns` has a column of B rows for each feature, in the form that `parseExample` returns:
 * - `fixedLen(shape)`: `[B] + shape`, for `[]` the column itself; with `default: null` a NullableColumn, or a column.
 *   For other shapes also a flat column of all values in row-major order.
 * - `varLen`: a SparseTensor of `[B, longest list]`, the values of a row side by side from column 0 on.
 * - `fixedLenSequence(shape)`: `[B, most steps] + shape`. Without the padding for a parsed tensor; with all steps for
 *   other tensors.
 * - `sparse`: a SparseTensor of `[B] + size`, in the order of its rows; values and coordinates are written.
 * - `ragged`: a RaggedTensor with the levels that parsing returns; values and partitions are written.
 *
 * int64 may be a BigInt64Array or, as parsed with `int64: 'number'`, a Float64Array. A feature whose column is missing
 * or undefined is missing in every record; only a `fixedLen` without a default is required. Values that features share
 * must be equal.
 *
 * The records of the batch are one after the other in new memory, or in that of `options.reuse`; their origin is the
 * row in `<encoded>`. Maximum: 4 GiB in all, 2^31 - 1 bytes for a record.
 *
 * @throws TypeError, RangeError, with Node's codes and the name of the column (`columns["age"]`), for invalid columns,
 * and for `options`. TFRecordError TFR_FEATURE for rows that parsing would not restore, TFR_RECORD_TOO_LARGE, ENOMEM;
 * TFR_SPEC for the spec.
 *
 * @example
 * const spec = { id: fixedLen([], 'int64'), score: fixedLen([], 'float32') };
 * await writer.writeBatch(encodeExamples({ id, score }, spec));
 */
export function encodeExamples<S extends Spec>(
  columns: ExampleColumns<S>,
  spec: S,
  options?: EncodeExamplesOptions,
): RecordBatch {
  const reused = checkOptions(options, ['reuse']).reuse;
  const reuse = reusedMemory(reused);
  const plan = planExample(spec);
  const given = givenColumns(columns, plan);
  const [first] = given;
  if (first === undefined) {
    throw invalidArgValue('columns', 'at least one column, which tells how many rows there are', columns);
  }
  const { rows } = first;
  checkSize(given, plan, rows);
  const byKey = composeColumns(given, plan, rows);
  const { order: all, memory } = prepare(plan);
  const order = all.filter((index) => byKey.has(index));
  const encoded = order.map((index): EncoderColumn => {
    const { key, kind } = plan.columns[index]!;
    const { values, offsets, starts, ends, count } = byKey.get(index)!;
    return [key, kind, values, offsets, starts, ends, count];
  });
  const frames = allocated(8 * rows, () => new Uint32Array(2 * rows));
  const filled = memory.fill({ reuse, columns: encoded, rows }, (slab, waste) =>
    callNative(ENCODED, () => native().encodeColumns(encoded, frames, slab, waste)),
  );
  if ('code' in filled) throw encodeFaultError(filled, plan.keys[order[filled.column]!]!);
  return noteEncoded(encodedBatch(filled, frames), reused);
}

/** A column of the caller, and its feature. */
type PlannedColumn = GivenColumn & { readonly planned: PlannedFeature };

/** Returns the existing columns, which must have the same number of rows. */
function givenColumns(columns: unknown, plan: Plan): readonly PlannedColumn[] {
  if (!isObject(columns) || Array.isArray(columns) || ArrayBuffer.isView(columns)) {
    throw invalidArgType('columns', 'an object of feature name to column', columns);
  }
  const names = plan.features.map(({ name }) => name);
  const unknown = Object.keys(columns).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalidArgValue('a member of columns', `a feature of the spec: ${names.join(', ')}`, unknown);
  }
  const given: PlannedColumn[] = [];
  const { names: shown } = prepare(plan);
  for (const [i, planned] of plan.features.entries()) {
    const { name: feature, definition } = planned;
    const value: unknown = Object.hasOwn(columns, feature) ? columns[feature] : undefined;
    if (value === undefined || value === null) {
      if (!definition.required()) continue;
      throw rowError(feature, 'a column, for the spec gives no default');
    }
    const name = shown[i]!;
    const rows = definition.givenRows(name, value);
    if (!Number.isSafeInteger(rows) || rows < 0) throw invalidArgType(name, 'a column', value);
    const [first] = given;
    if (first !== undefined && rows !== first.rows) {
      throw invalidArgValue(name, `of ${counted(first.rows, 'row')}, as ${first.name} is`, rows);
    }
    given.push({ name, feature, value, rows, planned });
  }
  return given;
}

/** Throws if there are more rows than fit, before memory is allocated: empty rows need bytes, too. */
function checkSize(given: readonly PlannedColumn[], plan: Plan, rows: number): void {
  // Keys that features share are counted once.
  const counted = new Uint8Array(plan.columns.length);
  let bytes = EMPTY_EXAMPLE_BYTES;
  for (const { planned } of given) {
    for (const index of planned.columns) {
      if (counted[index] === 0) bytes += EMPTY_FEATURE_BYTES + plan.columns[index]!.key.length;
      counted[index] = 1;
    }
  }
  if (!(rows * bytes <= MAX_BATCH_BYTES)) throw batchTooLarge(Math.floor(MAX_BATCH_BYTES / bytes));
}

/**
 * Returns the columns to write, by index in the plan. @throws TFRecordError TFR_FEATURE for features that share a key,
 * but have different values
 */
function composeColumns(given: readonly PlannedColumn[], plan: Plan, rows: number): ReadonlyMap<number, ColumnValues> {
  const byKey = new Map<number, ColumnValues>();
  for (const each of given) {
    const { planned, feature } = each;
    for (const [k, column] of planned.definition.encodeBatch(each).entries()) {
      const index = planned.columns[k]!;
      const other = byKey.get(index);
      const row = other === undefined ? -1 : firstDifference(other, column, rows);
      if (row >= 0) {
        const key = quoted(plan.keys[index]!);
        throw columnError(row, feature, `the values of ${key} that other features share`, 'other values');
      }
      byKey.set(index, column);
    }
  }
  return byKey;
}

/** Precomputed data that all batches of a plan share. */
interface Prepared {
  /** The columns in the byte order of their keys, which is that of {@link encodeExample}. */
  readonly order: readonly number[];
  /** Names of the features in errors. */
  readonly names: readonly string[];
  readonly memory: EncodeMemory;
}

const plans = new WeakMap<Plan, Prepared>();

function prepare(plan: Plan): Prepared {
  let prepared = plans.get(plan);
  if (prepared === undefined) {
    const { columns, features } = plan;
    prepared = {
      order: columns.map((_, i) => i).sort((a, b) => Buffer.compare(columns[a]!.key, columns[b]!.key)),
      names: features.map(({ name }) => `columns[${JSON.stringify(name)}]`),
      memory: new EncodeMemory(),
    };
    plans.set(plan, prepared);
  }
  return prepared;
}

/** Returns the first row in which two columns of one dtype differ; -1 if there is none. */
function firstDifference(a: ColumnValues, b: ColumnValues, rows: number): number {
  for (let row = 0; row < rows; row++) {
    const [begin, end] = rangeOf(a, row);
    const [other, otherEnd] = rangeOf(b, row);
    if (end - begin !== otherEnd - other) return row;
    if (a.offsets === undefined) {
      if (!sameBytes(elements(a, begin, end), elements(b, other, otherEnd))) return row;
      continue;
    }
    for (let i = 0; i < end - begin; i++) if (!sameBytes(text(a, begin + i), text(b, other + i))) return row;
  }
  return -1;
}

/** Returns the bytes of the numbers from `begin` to before `end`, so that a NaN is equal to itself. */
function elements({ values }: ColumnValues, begin: number, end: number): Uint8Array {
  const part = values.subarray(begin, end);
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
}

function text({ values, offsets }: ColumnValues, i: number): Uint8Array {
  return (values as Uint8Array).subarray(offsets![i], offsets![i + 1]);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
