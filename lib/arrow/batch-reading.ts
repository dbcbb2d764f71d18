/** Reads batches of Arrow as batches of a table: which column is which feature, and its values as that table has them. */
import type { Data, DataType, Field, RecordBatch as ArrowBatch, Schema } from 'apache-arrow';

import { TFRecordError } from '../errors';
import {
  COLUMNS_KEY,
  describedTable,
  isSet,
  newTable,
  planFromText,
  rowOf,
  tableOfPlan,
  type FeatureColumn,
  type Plan,
  type Table,
  type TableBatch,
  type TableColumn,
  type Vector,
} from '../example';
import { checkWellFormed } from '../record';
import { sizeOf, storedDType, type DType, type StoredDType } from '../tensor';
import { readColumn, type ReadColumn } from './read-column';
import {
  columnRefusal,
  isText,
  malformed,
  refusal,
  storedType,
  typeId,
  typeName,
  TYPES,
  type ReadPlace,
} from './read-place';
import { KEY, SECTION, SECTIONS, SPEC } from './schema';

/** The rules by which batches of one schema are read. */
export interface BatchReading {
  readonly table: Table;
  /**
   * The rows of `batch`, of which the first is row `firstRow` in errors.
   * @throws TFRecordError TFR_FEATURE for values that no feature holds, TFR_DECODE for malformed data, TFR_RECORD_TOO_LARGE
   */
  readonly read: (batch: ArrowBatch, firstRow: number) => TableBatch;
}

export interface BatchReadingOptions {
  /** Its columns are read, and no others. Default: all columns, as the metadata and their types say. */
  readonly plan?: Plan | undefined;
  /** True if numbers may be rounded to float32. */
  readonly rounding: boolean;
}

/** Finds the rules for batches of `schema`. @throws TFRecordError TFR_FEATURE for types that no feature holds; TFR_SPEC */
export function batchReading(schema: Schema, { plan, rounding }: BatchReadingOptions): BatchReading {
  const known = knownColumns(schema.metadata, plan);
  const targets = targetsOf(schema.fields.map(named), known);
  const isSequence =
    known.sequenceExample === true ||
    targets.some(({ column }) => column.section === 1) ||
    schema.fields.some(({ metadata }) => metadata.has(SECTION));
  const table = newTable(
    targets.map(({ column }) => column),
    isSequence,
  );
  return {
    table,
    read(batch, firstRow) {
      const vectors = targets.map((target, i) => {
        const { index, name } = target;
        const data = batch.data.children[index];
        if (data?.length !== batch.numRows) throw malformed(target, `${data?.length ?? 0} of ${batch.numRows} rows`);
        return vectorOf(target, table.columns[i]!, data, { name, firstRow, rounding });
      });
      return { rows: batch.numRows, vectors };
    },
  };
}

/** An empty name is none in files. */
function named(field: Field): Field {
  return (field.name as string | null) === null ? field.clone({ name: '' }) : field;
}

/** The columns that are known before their types. */
interface KnownColumns {
  readonly columns: readonly TableColumn[];
  readonly sequenceExample: boolean | undefined;
  /** True: other columns are left out, and required ones must be there. */
  readonly only: boolean;
  /** True: columns of other types count as unknown, because the file was changed. */
  readonly lenient: boolean;
}

function knownColumns(metadata: ReadonlyMap<string, string>, plan: Plan | undefined): KnownColumns {
  const described = metadata.get(COLUMNS_KEY);
  if (plan === undefined && described !== undefined) {
    return { ...describedTable(described), only: false, lenient: true };
  }
  const wanted = plan ?? planOfMetadata(metadata);
  return {
    columns: wanted === undefined ? [] : tableOfPlan(wanted).columns,
    sequenceExample: wanted?.sequenceExample,
    only: plan !== undefined,
    lenient: false,
  };
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
  /** The feature's column in the spec, or in the text about a file of ours. */
  readonly wanted: TableColumn | undefined;
  /** Values of the innermost lists of a fixed size, together. */
  readonly size: number;
  /** True if rows (or steps) have lists of any length. */
  readonly isOpen: boolean;
}

function targetsOf(fields: readonly Field[], known: KnownColumns): Target[] {
  const targets: Target[] = [];
  const found = new Set<TableColumn>();
  fields.forEach((field, index) => {
    const { name, metadata } = field;
    const key = metadata.get(KEY) ?? name;
    const section = metadata.get(SECTION) === SECTIONS[1] ? 1 : 0;
    const described = metadata.has(KEY) || metadata.has(SECTION);
    const unwrapped = unwrap(field);
    const wanted = known.columns.find((each) => {
      const isNamed = described ? each.key === key && each.section === section : each.name === name;
      return isNamed && (!known.lenient || fits(each, unwrapped));
    });
    if (wanted !== undefined) found.add(wanted);
    if (wanted === undefined && known.only) return;
    const stepped = metadata.has(SECTION) || known.only ? section : isNested(unwrapped) ? 1 : 0;
    const target = targetOf(field, index, { key, section: stepped, ...wanted }, wanted, unwrapped);
    if (target !== undefined) targets.push(target);
  });
  if (!known.only) return targets;
  for (const column of known.columns) {
    if (found.has(column) || column.nullable || column.fallback !== undefined) continue;
    const { name, dtype } = column;
    throw columnRefusal({ name }, `a column of ${dtype}`, 'none', 'The spec requires the feature');
  }
  return targets;
}

/** A type without its lists. */
interface Unwrapped {
  /** The sizes of the lists, from the outermost on; undefined for any length. */
  readonly levels: readonly (number | undefined)[];
  readonly type: DataType;
}

const LISTS: readonly number[] = [TYPES.List, TYPES.LargeList, TYPES.FixedSizeList];

function unwrap(field: Field): Unwrapped {
  const levels: (number | undefined)[] = [];
  let type = field.type as DataType;
  while (LISTS.includes(typeId(type))) {
    const { listSize, valueType } = type as unknown as { listSize?: number; valueType: DataType };
    levels.push(typeId(type) === TYPES.FixedSizeList ? listSize : undefined);
    type = valueType;
  }
  return { levels, type };
}

/** True for lists that hold lists of any length: steps. */
function isNested({ levels }: Unwrapped): boolean {
  return levels.slice(1).includes(undefined);
}

function fits({ section, dtype, shape }: TableColumn, { levels, type }: Unwrapped): boolean {
  const sizes = levels.slice(section);
  const isShaped = shape === undefined ? sizes[0] === undefined : shape.every((size, i) => sizes[i] === size);
  if (sizes.length !== (shape?.length ?? 1) || !isShaped) return false;
  return typeId(type) === TYPES.Null || (isStored(type) && storedType({ name: '' }, type) === storedDType(dtype));
}

function isStored(type: DataType): boolean {
  try {
    storedType({ name: '' }, type);
    return true;
  } catch {
    return false;
  }
}

/** Returns undefined for a column without values, whose feature all records lack. */
function targetOf(
  field: Field,
  index: number,
  { key, section }: Pick<TableColumn, 'key' | 'section'>,
  wanted: TableColumn | undefined,
  { levels, type }: Unwrapped,
): Target | undefined {
  const { name } = field;
  checkWellFormed('the name of a column', key);
  const [first, ...rest] = section === 1 ? levels.slice(1) : levels;
  const shown = typeName(field.type as DataType);
  if (section === 1 && levels.length === 0) {
    throw columnRefusal(field, 'a list of steps', shown, 'A feature list has a list for each record');
  }
  if (rest.includes(undefined)) {
    const expected = section === 1 ? 'lists of flat lists' : 'flat lists';
    throw columnRefusal(field, expected, shown, 'Features hold no deeper lists: flatten them before');
  }
  const isNull = typeId(type) === TYPES.Null;
  if (isNull && levels.length === 0 && (wanted === undefined || wanted.nullable)) return undefined;
  const dtype = isNull ? nullType(field, wanted, section === 1 && levels.length === 1) : storedType(field, type);
  if (wanted !== undefined && storedDType(wanted.dtype) !== dtype) {
    throw columnRefusal(field, wanted.dtype, shown, 'The spec says so: cast the column before');
  }
  const isOpen = levels.length > section && first === undefined;
  const size = sizeOf([first ?? 1, ...(rest as number[])]);
  if (size > MAX_SIZE) throw columnRefusal(field, `at most ${MAX_SIZE} values`, shown, 'A feature holds no more');
  if (wanted?.shape !== undefined && !isOpen && size !== sizeOf(wanted.shape)) {
    throw columnRefusal(field, `${sizeOf(wanted.shape)} values`, `${size}`, 'The spec says so');
  }
  const dimensions = levels.length > section ? [first!, ...(rest as number[])] : [];
  const column: FeatureColumn = {
    ...{ key, section },
    dtype: wanted?.dtype ?? (isText(type) ? 'text' : dtype),
    shape: isOpen ? undefined : dimensions,
    nullable: wanted === undefined || wanted.nullable || wanted.fallback !== undefined,
  };
  return { index, name, column, wanted, size, isOpen };
}

const MAX_SIZE = 2 ** 31 - 1;

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
  const { values, offsets } = leaf ?? noValues(column.dtype);
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

function noValues(dtype: DType): Pick<Vector, 'values' | 'offsets'> {
  return NO_VALUES[storedDType(dtype)];
}

/** @throws TFRecordError TFR_FEATURE for the first row that the spec does not have */
function checkWanted(
  { wanted }: Target,
  { rows, validity, nulls }: ReadColumn,
  steps: Int32Array | undefined,
  splits: Int32Array | undefined,
  at: ReadPlace,
): void {
  if (wanted === undefined) return;
  if (nulls > 0 && !wanted.nullable && wanted.fallback === undefined) {
    for (let row = 0; row < rows; row++) {
      if (!isSet(validity, row)) throw refusal(at, row, 'a value', 'null', 'The spec requires the feature');
    }
  }
  if (wanted.shape === undefined || splits === undefined) return;
  const count = sizeOf(wanted.shape);
  for (let i = 0; i + 1 < splits.length; i++) {
    const found = splits[i + 1]! - splits[i]!;
    if (found === count) continue;
    const row = steps === undefined ? i : rowOf(steps, i);
    if (isSet(validity, row)) throw refusal(at, row, `${count} values`, String(found), 'The spec says so');
  }
}

function multiples(rows: number, size: number): Int32Array {
  return Int32Array.from({ length: rows + 1 }, (_, i) => i * size);
}

function scaled(splits: Int32Array, size: number): Int32Array {
  return size === 1 ? splits : splits.map((split) => split * size);
}
