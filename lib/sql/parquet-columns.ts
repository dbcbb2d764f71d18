/** The columns of a Parquet file as columns of a table, and the SQL that reads them so. */
import type { DuckDBType } from '@duckdb/node-api';

import { TFRecordError } from '../errors';
import { describedTable, newTable, type FeatureColumn, type Table } from '../example';
import type { DType } from '../tensor';
import { identifier, literal } from './sql-text';

/** A column of a file. */
export interface StoredColumn {
  readonly name: string;
  readonly type: DuckDBType;
}

/** A file's columns, and the query that reads them. */
export interface FileReading {
  readonly table: Table;
  /** For each column of the table, the expression that gives its values. */
  readonly expressions: readonly string[];
}

/**
 * Finds the table and the query for a file with the columns `stored`. `text`: the metadata of a file of ours. `rounded`: DOUBLE
 * values may lose digits.
 * @throws TFRecordError TFR_FEATURE for a column that no feature can hold
 */
export function readingOf(stored: readonly StoredColumn[], text: string | undefined, rounded: boolean): FileReading {
  const known = describedIn(text);
  const names: { readonly stored: StoredColumn; readonly column: FeatureColumn; readonly value: ValueType }[] = [];
  for (const column of stored) {
    const { levels, value } = unwrapped(column);
    const described = known.columns.get(column.name);
    const fits = described?.value === value.dtype && described.levels === levels;
    if (!fits && levels > 2) throw refused(column, 'lists of lists of lists have no feature');
    const section = levels === 2 ? 1 : 0;
    const shape = levels === 0 ? [] : undefined;
    const own = { key: column.name, section, dtype: value.dtype, shape, nullable: true } as const;
    names.push({ stored: column, column: fits ? described.column : own, value });
  }
  const sequences = names.some(({ column: { section } }) => section === 1);
  return {
    table: newTable(
      names.map(({ column }) => column),
      known.sequenceExample || sequences,
    ),
    expressions: names.map(({ stored: column, value }) => expressionOf(column, value, rounded)),
  };
}

interface Known {
  readonly sequenceExample: boolean;
  readonly columns: ReadonlyMap<string, { column: FeatureColumn; levels: number; value: DType }>;
}

function describedIn(text: string | undefined): Known {
  if (text === undefined) return { sequenceExample: false, columns: new Map() };
  const { sequenceExample, columns } = describedTable(text);
  const entries = columns.map(({ name, ...column }) => {
    return [name, { column, levels: column.section + (column.shape?.length ?? 1), value: column.dtype }] as const;
  });
  return { sequenceExample, columns: new Map(entries) };
}

interface ValueType {
  readonly dtype: DType;
  /** The type of DuckDB that has the values. */
  readonly type: string;
  /** True for types with values that the other cannot hold. */
  readonly narrows: boolean;
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

/** The number of lists around the values of `column`, and the type of the values. */
function unwrapped(column: StoredColumn): { levels: number; value: ValueType } {
  let { type } = column;
  let levels = 0;
  while ('valueType' in type && String(type).endsWith(']')) {
    type = type.valueType;
    levels++;
  }
  const value = VALUE_TYPES[String(type)];
  if (value === undefined) throw refused(column, 'features have integers, floats, text and bytes');
  return { levels, value };
}

function refused({ name, type }: StoredColumn, why: string): TFRecordError {
  return new TFRecordError('TFR_FEATURE', `Column ${JSON.stringify(name)} is of the type ${String(type)}: ${why}`, {
    feature: name,
    expected: 'a column that a feature can hold',
    found: String(type),
  });
}

function expressionOf(column: StoredColumn, { type, narrows }: ValueType, rounded: boolean): string {
  const name = identifier(column.name);
  const brackets = /(?:\[\d*\])*$/.exec(String(column.type))![0].replace(/\d/g, '');
  if (!narrows || (rounded && type === 'FLOAT')) return `${name}::${type}${brackets}`;
  const stored = String(column.type).replace(/(?:\[\d*\])*$/, '');
  const [target, hint] = type === 'FLOAT' ? ['float32', ' (round: true takes the nearest)'] : ['int64', ''];
  const message = `TFR_FEATURE: Column ${JSON.stringify(column.name)} has a value that ${target} cannot hold exactly${hint}: `;
  const narrowed = (value: string): string =>
    `CASE WHEN ${value} IS NULL ${stored === 'DOUBLE' ? `OR isnan(${value}) ` : ''}` +
    `OR TRY_CAST(${value} AS ${type})::${stored} = ${value} THEN TRY_CAST(${value} AS ${type}) ` +
    `ELSE error(${literal(message)} || ${value}::VARCHAR)::${type} END`;
  const nested = (value: string, levels: number): string =>
    levels === 0 ? narrowed(value) : `list_transform(${value}, lambda v${levels}: ${nested(`v${levels}`, levels - 1)})`;
  return nested(name, brackets.length / 2);
}
