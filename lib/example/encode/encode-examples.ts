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

/** The columns that {@link encodeExamples} takes: one for each feature of the spec that is not missing. */
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
   * A batch of an earlier call that is no longer needed. Its memory is used again, which saves fresh pages. The call
   * overwrites its records, and views of them show the new ones. `writer.write` has copied its records by then; wait
   * for anything else that reads them. Columns that are views of this memory are encoded into fresh memory. Default:
   * fresh memory.
   */
  reuse?: RecordBatch | undefined;
}

/** Tags and lengths of an Example, and of a feature, when its name and list are empty. */
const EMPTY_EXAMPLE_BYTES = 2;
const EMPTY_FEATURE_BYTES = 8;

/**
 * Encodes the columns of a batch, as `parseExample` gives them, as `tf.train.Example`s: of every row the bytes that
 * {@link exampleEncoder} makes, of all rows in one native call. The records parse to the same columns.
 *
 * `columns`: for each feature a column of B rows, as `parseExample` gives it:
 * - `fixedLen(shape)`: `[B] + shape`, for `[]` the column itself; with `default: null` a NullableColumn, or a column. For
 *   other shapes also the column of all values, flat, in row-major order.
 * - `varLen`: a SparseTensor of `[B, longest list]`, the values of a row side by side from column 0 on.
 * - `fixedLenSequence(shape)`: `[B, most steps] + shape`. The padding of a tensor that was parsed is left out; of other
 *   tensors all steps are written.
 * - `sparse`: a SparseTensor of `[B] + size`, in the order of its rows; values and coordinates are written.
 * - `ragged`: a RaggedTensor of the levels that parsing gives; values and partitions are written.
 *
 * int64 may be a BigInt64Array or, as parsed with `int64: 'number'`, a Float64Array. A column that is left out, or
 * undefined, is missing in every record; only a `fixedLen` without a default has to be there. Values that features
 * share must be equal.
 *
 * The batch has its records one behind the other in memory of their own, or in that of `options.reuse`; their origin is
 * the row in `<encoded>`. Up to 4 GiB in all, 2^31 - 1 bytes a record.
 *
 * @throws TypeError, RangeError, with Node's codes and the name of the column (`columns["age"]`), for values that are no such
 * column, and for `options`. TFRecordError TFR_FEATURE for rows that parsing could not give back, TFR_RECORD_TOO_LARGE,
 * ENOMEM; TFR_SPEC for the spec.
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

/** A column, and the feature that it is of. */
type Given = GivenColumn & { readonly planned: PlannedFeature };

/** The columns that are there, all of one number of rows. */
function givenColumns(columns: unknown, plan: Plan): readonly Given[] {
  if (!isObject(columns) || Array.isArray(columns) || ArrayBuffer.isView(columns)) {
    throw invalidArgType('columns', 'an object of feature name to column', columns);
  }
  const names = plan.features.map(({ name }) => name);
  const unknown = Object.keys(columns).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalidArgValue('a member of columns', `a feature of the spec: ${names.join(', ')}`, unknown);
  }
  const given: Given[] = [];
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

/** Refuses more rows than fit, before memory is allocated: empty rows take bytes, too. */
function checkSize(given: readonly Given[], plan: Plan, rows: number): void {
  // Features may share keys: those are counted once.
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
 * The columns to write, by index in the plan. @throws TFRecordError TFR_FEATURE for features that share a key, with
 * other values
 */
function composeColumns(given: readonly Given[], plan: Plan, rows: number): ReadonlyMap<number, ColumnValues> {
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

/** Facts that all batches of a plan share. */
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

/** The first row in which two columns of one dtype have other values; -1 when there is none. */
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

/** Values `begin` to `end` of numbers, bit by bit: a NaN is equal to itself. */
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
