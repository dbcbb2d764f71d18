/** Reads batches of Arrow as batches of a table: assigns columns to features, and converts values. */
import type { Data, DataType, Field, RecordBatch as ArrowBatch, Schema } from 'apache-arrow';

import { checkWellFormed, counted, elsewhere, TFRecordError, named as mention, worded } from '../base';
import { planFromText, type Plan } from '../example';
import {
  COLUMNS_KEY,
  describedTable,
  datesNote,
  misfitOf,
  newTable,
  SpecFault,
  tableOfPlan,
  useOf,
  type ColumnReading,
  type FeatureColumn,
  type Table,
  type TableBatch,
  type TableColumn,
  type Vector,
} from '../table';
import { sizeOf, storedDType, type DType, type StoredDType } from '../tensor';
import { dateTypeOf } from './dates';
import { readColumn } from './read-column';
import {
  columnRefusal,
  isText,
  isType,
  itemsOf,
  malformed,
  refusal,
  storedType,
  typeId,
  typeName,
  TYPES,
  type ReadPlace,
} from './read-place';
import { KEY, SECTION, SECTIONS, SPEC } from './schema';

/** Reads batches of one schema. */
export interface BatchReading {
  readonly table: Table;
  /**
   * Returns the rows of `batch`. `firstRow`: the number of its first row, for errors.
   * @throws TFRecordError TFR_FEATURE for values that no feature can hold, TFR_DECODE for malformed data,
   *   TFR_RECORD_TOO_LARGE
   */
  readonly read: (batch: ArrowBatch, firstRow: number) => TableBatch;
}

export interface BatchReadingOptions extends ColumnReading {
  /** True if numbers may be rounded to float32. */
  readonly rounding: boolean;
  /** True if `convert` reads, with its options: its name for that option is `round`. Default: false. */
  readonly isConversion?: boolean;
}

/**
 * Makes the reader for batches of `schema`. @throws TFRecordError TFR_FEATURE for types that no feature can hold;
 * TFR_SPEC
 */
export function batchReading(schema: Schema, options: BatchReadingOptions): BatchReading {
  const { rounding, isConversion = false } = options;
  const known = knownColumns(schema.metadata, options.plan);
  const targets = targetsOf(schema.fields.map(named), known, options);
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
        if (data?.length !== batch.numRows)
          throw malformed(target, `${data?.length ?? 0} of ${counted(batch.numRows, 'row')}`);
        return vectorOf(target, table.columns[i]!, data, {
          name,
          firstRow,
          rounding,
          roundingOption: isConversion ? 'round' : 'rounding',
          dates: target.dates,
        });
      });
      return { rows: batch.numRows, vectors };
    },
  };
}

/** Files store an empty name as a missing one, which Arrow's types do not say. */
function named(field: Field<DataType>): Field<DataType> {
  return field.name === null ? field.clone({ name: '' }) : field;
}

/** The columns that are known independently of their types. */
interface KnownColumns {
  readonly columns: readonly TableColumn[];
  readonly sequenceExample: boolean | undefined;
  /** True: other columns are ignored, and required ones must be present. */
  readonly only: boolean;
  /** True: columns with unexpected types are treated as unknown, because the file was changed. */
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
      `The schema's metadata "${SPEC}" is not a spec (${cause instanceof Error ? cause.message : String(cause)}): give fromArrow a spec, or remove it.`,
      { cause },
    );
  }
}

/** A column of Arrow, and its feature. */
interface Target {
  /** Index of the column. */
  readonly index: number;
  /** Indices of nested fields of structs in the column, outermost first. */
  readonly fields: readonly number[];
  readonly name: string;
  /** For dates and times: the type to which they are converted. */
  readonly dates: 'int64' | 'text' | undefined;
  readonly column: FeatureColumn;
  /** The feature's column in the spec, or in the metadata of a file that this package wrote. */
  readonly wanted: TableColumn | undefined;
  /** Total number of values in the innermost lists of a fixed size. */
  readonly size: number;
  /** True if rows (or steps) have lists of any length. */
  readonly isOpen: boolean;
}

function targetsOf(fields: readonly Field<DataType>[], known: KnownColumns, reading: BatchReadingOptions): Target[] {
  const { choice } = reading;
  const targets: Target[] = [];
  const found = new Set<TableColumn>();
  fields.forEach((field, index) => {
    const { metadata } = field;
    const section = metadata.get(SECTION) === SECTIONS[1] ? 1 : 0;
    const described = metadata.has(KEY) || metadata.has(SECTION);
    for (const unwrapped of withoutFiles(unwrap(field), field.name, known)) {
      const { name, structs } = unwrapped;
      const key = structs.length === 0 ? (metadata.get(KEY) ?? name) : name;
      const wanted = known.columns.find((each) => {
        const isNamed = described ? each.key === key && each.section === section : each.name === name;
        return isNamed && (!known.lenient || fits(each, unwrapped));
      });
      if (wanted !== undefined) found.add(wanted);
      if (wanted === undefined && known.only) continue;
      const use = useOf(choice, key, structs);
      if (use === undefined) continue;
      const stepped = metadata.has(SECTION) || known.only ? section : isNested(unwrapped) ? 1 : 0;
      try {
        const target = targetOf(index, { key, section: stepped, ...wanted }, wanted, unwrapped, reading);
        if (target !== undefined) targets.push(target);
      } catch (error) {
        // The column is neither kept nor usable in a condition.
        if (use === 'kept' || !(error instanceof TFRecordError)) throw error;
      }
    }
  });
  if (!known.only) return targets;
  for (const column of known.columns) {
    if (found.has(column) || column.nullable || column.fallback !== undefined) continue;
    const { name, dtype } = column;
    throw columnRefusal({ name }, `a column of ${dtype}`, 'none', 'The spec requires the feature', SpecFault);
  }
  return targets;
}

/**
 * The columns of `all`, the fields of the column `name`. If it was written as structs of `bytes` and `path`, the bytes are
 * the column.
 */
function withoutFiles(all: Unwrapped[], name: string, { columns, lenient }: KnownColumns): Unwrapped[] {
  const [bytes, path] = all;
  const isFile = bytes?.structs.length === 1 && bytes.name === `${name}/bytes` && path?.name === `${name}/path`;
  if (!isFile || !lenient || !columns.some((each) => each.name === name && each.dtype === 'bytes')) return all;
  return [{ ...bytes, name, structs: [] }];
}

/** The type of a column, or of a field of a struct in one, without its lists. */
interface Unwrapped {
  /** The names of the column and of the fields, joined by slashes. */
  readonly name: string;
  /** The names of the structs that contain it, outermost first. */
  readonly structs: readonly string[];
  /** Indices of the fields, outermost struct first. */
  readonly fields: readonly number[];
  /** The type of the whole column. */
  readonly whole: DataType;
  /** The sizes of the lists, outermost first; undefined for any length. */
  readonly levels: readonly (number | undefined)[];
  readonly type: DataType;
}

/** Returns the column without its lists; for structs, each of the fields. */
function unwrap({ name, type: whole }: Field<DataType>): Unwrapped[] {
  const found: Unwrapped[] = [];
  const walk = (type: DataType, at: Omit<Unwrapped, 'type'>): void => {
    const size = isType(type, 'FixedSizeList') ? type.listSize : undefined;
    const items = itemsOf(type);
    if (items !== undefined) {
      walk(items, { ...at, levels: [...at.levels, size] });
    } else if (typeId(type) === TYPES.Struct) {
      const structs = [...at.structs, at.name];
      type.children.forEach((child: Field<DataType>, i) => {
        // The name may be missing, as that of a column.
        walk(child.type, {
          ...at,
          structs,
          name: `${at.name}/${child.name ?? ''}`,
          fields: [...at.fields, i],
        });
      });
    } else found.push({ ...at, type });
  };
  walk(whole, { name, structs: [], fields: [], whole, levels: [] });
  return found;
}

/** True for lists that contain lists of any length: steps. */
function isNested({ levels }: Unwrapped): boolean {
  return levels.slice(1).includes(undefined);
}

function fits({ section, dtype, shape }: TableColumn, { levels, type, structs }: Unwrapped): boolean {
  if (structs.length > 0) return false;
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
  index: number,
  { key, section }: Pick<TableColumn, 'key' | 'section'>,
  wanted: TableColumn | undefined,
  field: Unwrapped,
  reading: BatchReadingOptions,
): Target | undefined {
  const { name, levels, type, fields } = field;
  checkWellFormed('the name of a column', key);
  const [first, ...rest] = section === 1 ? levels.slice(1) : levels;
  const shown = typeName(field.structs.length === 0 ? field.whole : type);
  if (section === 1 && levels.length === 0) {
    throw columnRefusal(field, 'a list of steps', shown, 'A feature list has a list for each record');
  }
  if (!rest.every((size) => size !== undefined)) {
    const expected = section === 1 ? 'lists of flat lists' : 'flat lists';
    throw columnRefusal(field, expected, shown, 'Features hold no deeper lists: flatten them first');
  }
  const isNull = typeId(type) === TYPES.Null;
  if (isNull && levels.length === 0 && (wanted === undefined || wanted.nullable)) return undefined;
  const dates = isNull ? undefined : datesOf(field, wanted, reading);
  const dtype = isNull
    ? nullType(field, wanted, section === 1 && levels.length === 1)
    : dates === undefined
      ? storedType(field, type)
      : storedDType(dates);
  if (wanted !== undefined && storedDType(wanted.dtype) !== dtype) {
    throw columnRefusal(field, wanted.dtype, shown, 'The spec requires it: cast the column first', SpecFault);
  }
  const isOpen = levels.length > section && first === undefined;
  const size = sizeOf([first ?? 1, ...rest]);
  if (size > MAX_SIZE) throw columnRefusal(field, `at most ${MAX_SIZE} values`, shown, 'A feature holds no more');
  if (wanted?.shape !== undefined && !isOpen && size !== sizeOf(wanted.shape)) {
    throw columnRefusal(field, counted(sizeOf(wanted.shape), 'value'), `${size}`, 'The spec requires it', SpecFault);
  }
  const dimensions = levels.length > section ? [first!, ...rest] : [];
  const column: FeatureColumn = {
    ...{ key, section },
    dtype: wanted?.dtype ?? dates ?? (isText(type) ? 'text' : dtype),
    shape: isOpen ? undefined : dimensions,
    nullable: wanted === undefined || wanted.nullable || wanted.fallback !== undefined,
  };
  return { index, fields, name, dates, column, wanted, size, isOpen };
}

/**
 * The type to which dates and times are converted; undefined for other types. @throws TFRecordError TFR_FEATURE if
 * neither spec nor option defines it
 */
function datesOf(
  field: Unwrapped,
  wanted: TableColumn | undefined,
  { dates, note, plan, isConversion = false }: BatchReadingOptions,
): Target['dates'] {
  const type = dateTypeOf(field.type);
  if (type === undefined) return undefined;
  const specified = plan === undefined || wanted === undefined ? undefined : FORMS[storedDType(wanted.dtype)];
  const form = specified ?? dates;
  if (form === undefined) {
    const words = 'of convert: also dates';
    const option = isConversion ? mention('dates', words) : elsewhere('dates', 'convert', words);
    const cure = worded`Features hold no dates: give a spec that says int64 or text (${option}), or cast the column first`;
    throw columnRefusal(field, 'integers, floats, booleans, text or bytes', typeName(field.type), cure);
  }
  if (form === 'int64') note?.(datesNote(field.name, type.form, type.isUTC));
  return form;
}

const FORMS = { int64: 'int64', bytes: 'text', float32: undefined } as const;

const MAX_SIZE = 2 ** 31 - 1;

/** The type of a feature whose lists are all empty: `List<Null>`. */
function nullType({ name }: Unwrapped, wanted: TableColumn | undefined, isStepless: boolean): StoredDType {
  if (wanted !== undefined) return storedDType(wanted.dtype);
  // A feature list without steps needs no type.
  if (isStepless) return 'bytes';
  throw columnRefusal(
    { name },
    'a type',
    'lists that contain only null',
    'Cast it to the type that its values would have',
  );
}

/** @throws TFRecordError TFR_FEATURE, TFR_DECODE */
function vectorOf(target: Target, column: TableColumn, data: Data, at: ReadPlace): Vector {
  const read = readColumn(at, data, target.fields);
  const { rows, validity, nulls, levels, leaf } = read;
  const [outer, open] = column.section === 1 ? levels : [undefined, ...levels];
  const steps = typeof outer === 'number' ? multiples(rows, outer) : outer;
  const splits = target.isOpen ? scaled(open as Int32Array, target.size) : undefined;
  const misfit = target.wanted && misfitOf(target.wanted, { rows, validity, nulls, steps, splits });
  if (misfit !== undefined) throw refusal(at, misfit.row, misfit.expected, misfit.found, misfit.advice, SpecFault);
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

function multiples(rows: number, size: number): Int32Array {
  return Int32Array.from({ length: rows + 1 }, (_, i) => i * size);
}

function scaled(splits: Int32Array, size: number): Int32Array {
  return size === 1 ? splits : splits.map((split) => split * size);
}
