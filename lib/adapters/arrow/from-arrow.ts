import type { Data, DataType, Field, RecordBatch as ArrowBatch, Table as ArrowTable } from 'apache-arrow';

import { invalidArgType, TFRecordError } from '../../errors';
import {
  encodeTable,
  newTable,
  planFromText,
  planSpec,
  rowOf,
  tableOfPlan,
  type FeatureColumn,
  type Plan,
  type SequenceExampleSpec,
  type Spec,
  type TableColumn,
  type Vector,
} from '../../example';
import {
  checkBatchBytes,
  checkBoolean,
  checkOptions,
  checkWellFormed,
  ENCODED,
  encodedBatch,
  isObject,
  newSlab,
  type RecordBatch,
} from '../../record';
import { sizeOf, storedDType, type StoredDType } from '../../tensor';
import { readColumn, type ReadColumn } from './read-column';
import { columnRefusal, malformed, refusal, storedType, typeId, typeName, TYPES, type ReadPlace } from './read-place';
import { KEY, SECTION, SECTIONS, SPEC } from './schema';

/** How {@link fromArrow} converts. Unknown names throw. */
export interface FromArrowOptions {
  /** Rounds `Float64` to float32. Default: false, which refuses values that float32 does not hold exactly. */
  readonly rounding?: boolean | undefined;
}

/**
 * Encodes the rows of a Table or RecordBatch of Arrow as records, for `writer.writeBatch`: Examples, or SequenceExamples
 * for a spec `{ context, sequence }`. A null is a missing feature, `[]` an empty one.
 *
 * The columns are those of `spec`; others are left out. Without `spec`, all columns are encoded: the metadata of what
 * {@link arrowBatches} and {@link toArrow} made says which features they are, and for other columns the types say it:
 *
 * - Integers and `Bool` are int64; `Uint64` if the value fits.
 * - `Float32` is float32, `Float64` if the value is exactly one, or with the option `rounding`.
 * - Text and bytes of any form, also as a `Dictionary`, are bytes.
 * - A `List` or `FixedSizeList` of these is a feature of as many values.
 *
 * A Table becomes one batch of at most 4 GiB: convert its `batches` one by one if it is larger.
 *
 * @throws TFRecordError TFR_FEATURE, naming column and row, for what no feature holds: nulls inside of lists, nested lists,
 *   dates, decimals, structs, maps, inexact numbers. TFR_SPEC for a spec that is wrong, TFR_DECODE for malformed data,
 *   TFR_RECORD_TOO_LARGE. TypeError for other arguments.
 *
 * @example
 * const table = tableFromIPC(await readFile('rows.arrow'));
 * for (const batch of table.batches) await writer.writeBatch(fromArrow(batch));
 */
export function fromArrow(
  data: ArrowTable | ArrowBatch,
  spec?: Spec | SequenceExampleSpec,
  options?: FromArrowOptions,
): RecordBatch {
  const given = checkOptions<FromArrowOptions>(options, ['rounding']);
  const rounding = checkBoolean('options.rounding', given.rounding, false);
  // Those without rows may lack memory.
  const batches = batchesOf(data).filter(({ numRows }) => numRows > 0);
  const plan = spec === undefined ? planOfMetadata(data.schema.metadata) : planSpec(spec);
  const targets = targetsOf(data.schema.fields, plan, spec !== undefined);
  const isSequence = plan?.sequenceExample ?? data.schema.fields.some(({ metadata }) => metadata.has(SECTION));
  const table = newTable(
    targets.map(({ column }) => column),
    isSequence,
  );
  let firstRow = 0;
  const encoded = batches.map((batch) => {
    const vectors = targets.map((target, i) => {
      const { index, name } = target;
      const data = batch.data.children[index];
      if (data?.length !== batch.numRows) throw malformed(target, `${data?.length ?? 0} of ${batch.numRows} rows`);
      return vectorOf(target, table.columns[i]!, data, { name, firstRow, rounding });
    });
    firstRow += batch.numRows;
    return encodeTable(table, vectors, batch.numRows);
  });
  return encoded.length === 1 ? encoded[0]! : joined(encoded);
}

/** Batches of any copy of Arrow's package. @throws TypeError */
function batchesOf(data: unknown): readonly ArrowBatch[] {
  const { schema, batches, data: own } = isObject(data) ? data : {};
  if (isObject(schema) && Array.isArray(schema['fields'])) {
    if (Array.isArray(batches)) return batches as ArrowBatch[];
    if (isObject(own) && Array.isArray(own['children'])) return [data as ArrowBatch];
  }
  throw invalidArgType('data', 'a Table or a RecordBatch of apache-arrow', data);
}

function planOfMetadata(metadata: ReadonlyMap<string, string>): Plan | undefined {
  const text = metadata.get(SPEC);
  if (text === undefined) return undefined;
  try {
    return planFromText(text);
  } catch (cause) {
    throw new TFRecordError(
      'TFR_SPEC',
      `The schema's metadata "${SPEC}" is no spec (${cause instanceof Error ? cause.message : String(cause)}): give fromArrow a spec, or remove it.`,
      { cause },
    );
  }
}

/** A column of Arrow, and the feature that it is. */
interface Target {
  /** Number of the column. */
  readonly index: number;
  readonly name: string;
  readonly column: FeatureColumn;
  /** What the spec says about the feature. */
  readonly wanted: TableColumn | undefined;
  /** Values of the innermost lists of a fixed size, together. */
  readonly size: number;
  /** True if rows (or steps) have lists of any length. */
  readonly isOpen: boolean;
}

function targetsOf(fields: readonly Field[], plan: Plan | undefined, onlyPlanned: boolean): Target[] {
  const columns = plan === undefined ? [] : tableOfPlan(plan).columns;
  const targets: Target[] = [];
  const found = new Set<TableColumn>();
  fields.forEach((field, index) => {
    const { name, metadata } = field;
    const key = metadata.get(KEY) ?? name;
    const section = metadata.get(SECTION) === SECTIONS[1] ? 1 : 0;
    const described = metadata.has(KEY) || metadata.has(SECTION);
    const wanted = columns.find((each) =>
      described ? each.key === key && each.section === section : each.name === name,
    );
    if (wanted !== undefined) found.add(wanted);
    if (wanted === undefined && onlyPlanned) return;
    const target = targetOf(field, index, { key, section, ...wanted }, wanted);
    if (target !== undefined) targets.push(target);
  });
  if (!onlyPlanned) return targets;
  for (const column of columns) {
    if (found.has(column) || column.nullable || column.fallback !== undefined) continue;
    const { name, dtype } = column;
    throw columnRefusal({ name }, `a column of ${dtype}`, 'none', 'The spec requires the feature');
  }
  return targets;
}

/** Returns undefined for a column without values, whose feature all records lack. */
function targetOf(
  field: Field,
  index: number,
  { key, section }: Pick<TableColumn, 'key' | 'section'>,
  wanted: TableColumn | undefined,
): Target | undefined {
  const { name } = field;
  checkWellFormed('the name of a column', key);
  const levels: (number | undefined)[] = [];
  let type = field.type as DataType;
  for (;;) {
    const { listSize, valueType } = type as unknown as { listSize?: number; valueType: DataType };
    if (!LISTS.includes(typeId(type))) break;
    levels.push(typeId(type) === TYPES.FixedSizeList ? listSize : undefined);
    type = valueType;
  }
  const [first, ...rest] = section === 1 ? levels.slice(1) : levels;
  const shown = typeName(field.type as DataType);
  if (section === 1 && levels.length === 0) {
    throw columnRefusal(field, 'a list of steps', shown, 'A feature list has a list for each record');
  }
  if (rest.includes(undefined)) {
    throw columnRefusal(
      field,
      'flat lists',
      shown,
      'Features hold no nested lists: flatten them before, and store their lengths as a column',
    );
  }
  const isNull = typeId(type) === TYPES.Null;
  if (isNull && levels.length === 0 && (wanted === undefined || wanted.nullable)) return undefined;
  const dtype = isNull ? nullType(field, wanted, section === 1 && levels.length === 1) : storedType(field, type);
  if (wanted !== undefined && storedDType(wanted.dtype) !== dtype) {
    throw columnRefusal(field, wanted.dtype, shown, 'The spec says so: cast the column before');
  }
  const isOpen = levels.length > section && first === undefined;
  const size = sizeOf([first ?? 1, ...(rest as number[])]);
  if (wanted?.shape !== undefined && !isOpen && size !== sizeOf(wanted.shape)) {
    throw columnRefusal(field, `${sizeOf(wanted.shape)} values`, `${size}`, 'The spec says so');
  }
  const column: FeatureColumn = { key, section, dtype, shape: isOpen ? undefined : [size], nullable: true };
  return { index, name, column, wanted, size, isOpen };
}

const LISTS: readonly number[] = [TYPES.List, TYPES.LargeList, TYPES.FixedSizeList];

/** The type of features whose lists are all empty: `List<Null>`. */
function nullType({ name }: Field, wanted: TableColumn | undefined, isStepless: boolean): StoredDType {
  if (wanted !== undefined) return storedDType(wanted.dtype);
  // A feature list without steps says no type.
  if (isStepless) return 'bytes';
  throw columnRefusal(
    { name },
    'a type',
    'lists of nothing but null',
    'Cast it to the type that its values would have',
  );
}

/** @throws TFRecordError TFR_FEATURE, TFR_DECODE */
function vectorOf(target: Target, column: TableColumn, data: Data, at: ReadPlace): Vector {
  const read = readColumn(at, data);
  const { rows, validity, nulls, levels, leaf } = read;
  const [outer, open] = column.section === 1 ? levels : [undefined, ...levels];
  const steps = typeof outer === 'number' ? multiples(rows, outer) : outer;
  const splits = target.isOpen ? scaled(open as Int32Array, target.size) : undefined;
  checkWanted(target, read, steps, splits, at);
  const { values, offsets } = leaf ?? NO_VALUES[column.dtype as StoredDType];
  return {
    column,
    rows,
    validity,
    nulls,
    steps: steps as Vector['steps'],
    splits: splits as Vector['splits'],
    offsets,
    values,
  };
}

const NO_VALUES = {
  bytes: { values: new Uint8Array(0), offsets: new Int32Array(1) },
  float32: { values: new Float32Array(0), offsets: undefined },
  int64: { values: new BigInt64Array(0), offsets: undefined },
} as const;

/** @throws TFRecordError TFR_FEATURE for the first row that the spec does not have */
function checkWanted(
  { wanted }: Target,
  { rows, validity, nulls }: ReadColumn,
  steps: Int32Array | undefined,
  splits: Int32Array | undefined,
  at: ReadPlace,
): void {
  if (wanted === undefined) return;
  const isNull = (row: number): boolean => validity !== undefined && (validity[row >>> 3]! & (1 << (row & 7))) === 0;
  if (nulls > 0 && !wanted.nullable && wanted.fallback === undefined) {
    for (let row = 0; row < rows; row++) {
      if (isNull(row)) throw refusal(at, row, 'a value', 'null', 'The spec requires the feature');
    }
  }
  if (wanted.shape === undefined || splits === undefined) return;
  const count = sizeOf(wanted.shape);
  for (let i = 0; i + 1 < splits.length; i++) {
    const found = splits[i + 1]! - splits[i]!;
    if (found === count) continue;
    const row = steps === undefined ? i : rowOf(steps, i);
    if (!isNull(row)) throw refusal(at, row, `${count} values`, String(found), 'The spec says so');
  }
}

function multiples(rows: number, size: number): Int32Array {
  return Int32Array.from({ length: rows + 1 }, (_, i) => i * size);
}

function scaled(splits: Int32Array, size: number): Int32Array {
  return size === 1 ? splits : splits.map((split) => split * size);
}

/** The records of `batches` in one. @throws TFRecordError TFR_RECORD_TOO_LARGE */
function joined(batches: readonly RecordBatch[]): RecordBatch {
  let count = 0;
  let bytes = 0;
  for (const batch of batches) {
    count += batch.length;
    for (const record of batch) bytes += record.length;
  }
  checkBatchBytes(bytes);
  // An empty slab would look as if it had been transferred.
  const slab = newSlab(Math.max(1, bytes), ENCODED);
  const frames = new Uint32Array(2 * count);
  let row = 0;
  let at = 0;
  for (const batch of batches) {
    for (const record of batch) {
      slab.set(record, at);
      frames[row++] = at;
      frames[row++] = record.length;
      at += record.length;
    }
  }
  return encodedBatch(slab, frames);
}
