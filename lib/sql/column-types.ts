/** The types of DuckDB for the columns of a table. */
import type { LogicalType } from '@duckdb/node-bindings';

import { TFRecordError } from '../base';
import type { TableColumn, Vector } from '../table';
import { sizeOf, type DType } from '../tensor';
import type { Bindings } from './peers';

/**
 * A level of nested values, from the outermost. `list`: any number of items. `array`: a type with `size` items.
 * `fixed`: a list that has `size` items in each row.
 */
export type Level =
  | { readonly kind: 'list' }
  | { readonly kind: 'array'; readonly size: number }
  | { readonly kind: 'fixed'; readonly size: number };

/**
 * DuckDB reserves memory for all values of 2,048 arrays in each chunk of a query, even for nulls. So only small shapes
 * become arrays: 4,096 values suffice for the longest common embeddings, and take 32 MiB per chunk.
 */
const MAX_ARRAY_VALUES = 4096;

/** The levels of the values of `column`. */
export function levelsOf({ section, shape }: Pick<TableColumn, 'section' | 'shape'>): Level[] {
  const steps: Level[] = section === 1 ? [{ kind: 'list' }] : [];
  if (shape === undefined) return [...steps, { kind: 'list' }];
  const values = sizeOf(shape);
  const kind = values > 0 && values <= MAX_ARRAY_VALUES ? 'array' : 'fixed';
  return [...steps, ...shape.map((size): Level => ({ kind, size }))];
}

/**
 * The levels of the values of `column` in a file of Parquet. DuckDB writes arrays that are null in a form that only
 * DuckDB can read; it writes lists so that all programs can. In the file both are lists.
 */
export function writtenLevelsOf(column: Pick<TableColumn, 'section' | 'shape' | 'nullable'>): Level[] {
  const levels = levelsOf(column);
  if (!column.nullable) return levels;
  return levels.map((level): Level => (level.kind === 'array' ? { ...level, kind: 'fixed' } : level));
}

/** A column to write as Parquet: besides those of tables of records, there may be doubles. */
export type WrittenColumn = Omit<TableColumn, 'dtype'> & { readonly dtype: DType | 'float64' };

/** The columns of a file of Parquet. */
export interface WrittenTable {
  readonly columns: readonly WrittenColumn[];
}

/** Some rows of a {@link WrittenTable}. */
export interface WrittenBatch {
  readonly rows: number;
  /** One for each column. */
  readonly vectors: readonly WrittenVector[];
}

/** The values of one column. */
export type WrittenVector = Omit<Vector, 'column' | 'values'> & {
  readonly column: WrittenColumn;
  readonly values: Vector['values'] | Float64Array<ArrayBuffer>;
};

/** The type of `column`. `levels`: the levels of its values. */
export function logicalType(
  db: Bindings,
  column: Pick<WrittenColumn, 'section' | 'shape' | 'dtype'>,
  levels: readonly Level[] = levelsOf(column),
): LogicalType {
  const value = db.create_logical_type(db.Type[valueType(column)]);
  return levels.reduceRight(
    (type, level) => (level.kind === 'array' ? db.create_array_type(type, level.size) : db.create_list_type(type)),
    value,
  );
}

/** The name of the type of a single value of `column`. */
export function valueType({ dtype }: Pick<WrittenColumn, 'dtype'>): (typeof VALUE_TYPES)[WrittenColumn['dtype']] {
  return VALUE_TYPES[dtype];
}

const VALUE_TYPES = {
  int64: 'BIGINT',
  float32: 'FLOAT',
  float64: 'DOUBLE',
  text: 'VARCHAR',
  bytes: 'BLOB',
} as const satisfies Readonly<Record<WrittenColumn['dtype'], keyof Bindings['Type']>>;

/**
 * Checks that DuckDB can distinguish the columns of `table` from each other and from `others`. @throws TFRecordError
 * TFR_SPEC
 */
export function checkColumnNames({ columns }: WrittenTable, others: readonly string[]): void {
  const known = new Map(others.map((name) => [name, `the column ${JSON.stringify(name)} that the query adds`]));
  for (const { name, key } of columns) {
    const quoted = `the feature ${JSON.stringify(key)}`;
    if (name === '') throw refused(key, `a column cannot have an empty name, as ${quoted} has`);
    if (name.includes('\0')) throw refused(key, `a column's name cannot have a null character, as ${quoted} has`);
    const folded = foldCase(name);
    const other = known.get(folded);
    if (other !== undefined) throw refused(key, `DuckDB cannot distinguish ${quoted} from ${other}`);
    known.set(folded, quoted);
  }
}

/** DuckDB folds the case of ASCII letters in names. */
export function foldCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function refused(feature: string, why: string): TFRecordError {
  return new TFRecordError('TFR_SPEC', `${why}. A spec, or exclude of convert, can leave a feature out`, { feature });
}
