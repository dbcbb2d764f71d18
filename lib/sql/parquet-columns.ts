/** Maps the columns of a Parquet file to columns of a table, with the SQL that reads them. */
import type { DuckDBType } from '@duckdb/node-api';

import { counted, TFRecordError, tfrecordError, advice, setting, worded, type Message, type Text } from '../base';
import {
  datesNote,
  describedTable,
  newTable,
  SpecFault,
  tableOfPlan,
  useOf,
  type ColumnReading,
  type DateType,
  type FeatureColumn,
  type Table,
  type TableColumn,
} from '../table';
import { sizeOf, storedDType, type DType } from '../tensor';
import type { QueryMessages } from './query-errors';
import { literal } from './sql-text';
import { checkNames, dateTypeOf, expressionOf, valuesIn, type StoredColumn, type StoredValues } from './stored-columns';

/** The source of a column of the table. */
export interface ColumnSource {
  /** The SQL expression for its values. */
  readonly expression: string;
  /** For dates and times: the meaning of the numbers in DuckDB's vector. */
  readonly dates: DateType | undefined;
  /** The feature's column in the spec. */
  readonly wanted: TableColumn | undefined;
}

/** The columns to read from a file, and the query that reads them. */
export interface FileReading {
  readonly table: Table;
  /** One for each column of the table. */
  readonly sources: readonly ColumnSource[];
}

export interface ParquetRules extends ColumnReading {
  /** The description of the columns in the file's metadata, if this package wrote the file. */
  readonly described: string | undefined;
  /** True: rounds DOUBLE values to float32. */
  readonly rounded: boolean;
  /** Collects the messages that the query can throw. */
  readonly messages: QueryMessages;
}

/**
 * Makes the table and the query for a file with the columns `stored`.
 * @throws TFRecordError TFR_FEATURE for a wanted column that no feature can hold, or that does not match the spec
 */
export function readingOf(stored: readonly StoredColumn[], rules: ParquetRules): FileReading {
  const { choice, plan } = rules;
  const known = describedIn(rules.described);
  const spec = plan && tableOfPlan(plan).columns;
  const found: (ColumnSource & { readonly column: FeatureColumn })[] = [];
  for (const values of stored.flatMap((column) => withoutFiles(valuesIn(column), column.name, known))) {
    const { name, structs } = values;
    const wanted = spec?.find((column) => column.name === name);
    if (spec !== undefined && wanted === undefined) continue;
    const key = describedOf(values, known)?.column.key ?? name;
    const use = useOf(choice, key, structs);
    if (use === undefined) continue;
    try {
      checkNames(values, stored);
      found.push(targetOf(values, known, wanted, rules));
    } catch (error) {
      // The column is neither kept nor usable in a condition.
      if (use === 'kept' || !(error instanceof TFRecordError)) throw error;
    }
  }
  for (const { name, dtype, nullable, fallback, key } of spec ?? []) {
    if (nullable || fallback !== undefined || found.some(({ wanted }) => wanted?.name === name)) continue;
    const message = `The spec requires the feature ${JSON.stringify(name)}, but the file has no such column`;
    throw new SpecFault('TFR_FEATURE', message, { feature: key, expected: `a column of ${dtype}`, found: 'none' });
  }
  const isSequence =
    plan?.sequenceExample ?? (known.sequenceExample || found.some(({ column }) => column.section === 1));
  return {
    table: newTable(
      found.map(({ column }) => column),
      isSequence,
    ),
    sources: found,
  };
}

/**
 * The values of `all`, the fields of the column `name`. If it was written as structs of `bytes` and `path`, the bytes are
 * the column.
 */
function withoutFiles(all: StoredValues[], name: string, { columns }: Known): StoredValues[] {
  const [bytes, path] = all;
  const isFile = bytes?.structs.length === 1 && bytes.name === `${name}/bytes` && path?.name === `${name}/path`;
  return isFile && columns.get(name)?.value === 'bytes' ? [{ ...bytes, name, structs: [] }] : all;
}

/** The column of a feature, and its source. @throws TFRecordError TFR_FEATURE if a feature cannot hold the values */
function targetOf(
  values: StoredValues,
  known: Known,
  wanted: TableColumn | undefined,
  rules: ParquetRules,
): ColumnSource & { readonly column: FeatureColumn } {
  const { name, levels } = values;
  const value = valueTypeOf(values, wanted, rules);
  const described = describedOf(values, known);
  const fits = described?.value === value.dtype && described.levels === levels;
  const column =
    wanted === undefined
      ? fits
        ? described.column
        : inferredColumn(values, value.dtype)
      : wantedColumn(values, value.dtype, wanted, fits ? described.column : undefined);
  if (value.dates !== undefined && value.dtype === 'int64') {
    rules.note?.(datesNote(name, value.dates.form, value.dates.isUTC));
  }
  const lists = '[]'.repeat(levels);
  const sql = expressionOf(values, (one) => valueOf(values, value, rules, one));
  return { expression: `${sql}::${value.type}${lists}`, dates: value.dates, wanted, column };
}

function inferredColumn(values: StoredValues, dtype: DType): FeatureColumn {
  const { name, levels } = values;
  if (levels > 2) throw refused(values, 'lists of lists of lists have no feature');
  return { key: name, section: levels === 2 ? 1 : 0, dtype, shape: levels === 0 ? [] : undefined, nullable: true };
}

/** The column of `wanted`, a feature of the spec. `described`: the column in the file's metadata. */
function wantedColumn(
  values: StoredValues,
  dtype: DType,
  wanted: TableColumn,
  described: FeatureColumn | undefined,
): FeatureColumn {
  const { key, section, shape } = wanted;
  const levels = values.levels - section;
  if (levels < 0) throw refused(values, 'the spec has a feature list, which is a list of steps');
  if (storedDType(wanted.dtype) !== storedDType(dtype)) throw refused(values, `the spec says ${wanted.dtype}`);
  const own = described?.section === section ? described.shape : undefined;
  const isShaped = levels > 1 && shape?.length === levels;
  if (levels > 1 && own === undefined && !isShaped) {
    throw refused(values, 'the spec does not have so many lists in lists');
  }
  const fixed = levels === 0 ? [] : isShaped ? shape : own;
  if (shape !== undefined && fixed !== undefined && sizeOf(shape) !== sizeOf(fixed)) {
    throw refused(values, `the spec says ${counted(sizeOf(shape), 'value')}`);
  }
  const nullable = wanted.nullable || wanted.fallback !== undefined;
  return { key, section, dtype: wanted.dtype, shape: fixed, nullable };
}

interface Described {
  readonly column: FeatureColumn;
  readonly levels: number;
  readonly value: DType;
}

interface Known {
  readonly sequenceExample: boolean;
  readonly columns: ReadonlyMap<string, Described>;
}

function describedIn(text: string | undefined): Known {
  if (text === undefined) return { sequenceExample: false, columns: new Map() };
  const { sequenceExample, columns } = describedTable(text);
  const entries = columns.map(({ name, ...column }) => {
    return [name, { column, levels: column.section + (column.shape?.length ?? 1), value: column.dtype }] as const;
  });
  return { sequenceExample, columns: new Map(entries) };
}

/** The column in the file's metadata. */
function describedOf({ name, structs }: StoredValues, { columns }: Known): Described | undefined {
  return structs.length === 0 ? columns.get(name) : undefined;
}

interface ValueType {
  readonly dtype: DType;
  /** The type of DuckDB for the values. */
  readonly type: string;
  /** True if the stored type has values that this type cannot hold. */
  readonly narrows: boolean;
  /** For dates and times: the meaning of the numbers. */
  readonly dates?: DateType | undefined;
}

const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  ...Object.fromEntries(
    ['BOOLEAN', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER'].map((name) => [
      name,
      { dtype: 'int64', type: 'BIGINT', narrows: false } as const,
    ]),
  ),
  UBIGINT: { dtype: 'int64', type: 'BIGINT', narrows: true },
  HUGEINT: { dtype: 'int64', type: 'BIGINT', narrows: true },
  FLOAT: { dtype: 'float32', type: 'FLOAT', narrows: false },
  DOUBLE: { dtype: 'float32', type: 'FLOAT', narrows: true },
  VARCHAR: { dtype: 'text', type: 'VARCHAR', narrows: false },
  BLOB: { dtype: 'bytes', type: 'BLOB', narrows: false },
};

/** The type of a feature for the values. Dates get the type that the caller chose, or else the spec. */
function valueTypeOf(values: StoredValues, wanted: TableColumn | undefined, { dates }: ParquetRules): ValueType {
  const stored = String(values.type);
  const value = VALUE_TYPES[stored];
  if (value !== undefined) return value;
  const date = dateTypeOf(values.type);
  if (date === undefined) throw refused(values, 'features have integers, floats, text and bytes');
  const specified = wanted?.dtype === 'int64' ? 'int64' : wanted?.dtype === 'float32' ? undefined : wanted && 'text';
  const form = specified ?? dates;
  if (form === undefined) {
    const [number, text] = [setting('dates', 'int64'), setting('dates', 'text')];
    throw refused(values, advice`${number} makes microseconds of it, ${text} ISO 8601`);
  }
  return { dtype: form, type: date.cast ?? stored, narrows: false, dates: date };
}

function refused({ name, type, column, levels }: StoredValues, why: Text): TFRecordError {
  const shown = name === column.name ? String(column.type) : `${String(type)}${'[]'.repeat(levels)}`;
  return tfrecordError('TFR_FEATURE', worded`Column ${JSON.stringify(name)} is of the type ${shown}: ${why}`, {
    feature: name,
    expected: 'a column that a feature can hold',
    found: shown,
  });
}

/** The start of a message about a value that the feature's type cannot hold. The value follows it. */
function inexact(name: string, type: string): Message {
  const [target, cure] =
    type === 'FLOAT' ? ['float32', advice` (${setting('round', true)} takes the nearest)`] : ['int64', undefined];
  return worded`Column ${JSON.stringify(name)} has a value that ${target} cannot hold exactly${cure}: `;
}

/** SQL for one value. A value that the feature's type cannot hold fails the query. */
function valueOf(
  { name, type: stored }: StoredValues,
  value: ValueType,
  { rounded, messages }: ParquetRules,
  sql: string,
): string {
  const { type, narrows } = value;
  if (!narrows || (rounded && type === 'FLOAT')) return sql;
  const from: DuckDBType = stored;
  const message = inexact(name, type);
  return (
    `CASE WHEN ${sql} IS NULL ${String(from) === 'DOUBLE' ? `OR isnan(${sql}) ` : ''}` +
    `OR TRY_CAST(${sql} AS ${type})::${String(from)} = ${sql} THEN TRY_CAST(${sql} AS ${type}) ` +
    `ELSE error(${literal(messages.textOf(message))} || ${sql}::VARCHAR)::${type} END`
  );
}
