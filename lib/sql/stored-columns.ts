/** The columns of a Parquet file, split into features: a struct is one feature for each of its fields. */
import type { DuckDBStructType, DuckDBType } from '@duckdb/node-api';

import { TFRecordError } from '../base';
import type { DateType } from '../table';
import { identifier, literal } from './sql-text';

/** A column of a file. */
export interface StoredColumn {
  /** The name in the file. */
  readonly name: string;
  /**
   * DuckDB's name. It differs from the name in the file if DuckDB could not distinguish that from an earlier column's.
   */
  readonly alias: string;
  readonly type: DuckDBType;
  /** The names of nested levels in the file, including those of lists; undefined if they are not known. */
  readonly inner?: ReadonlySet<string> | undefined;
}

/** A step from a column to its values: into a list, or to a field of a struct. */
type Step = { readonly kind: 'list' } | { readonly kind: 'field'; readonly name: string };

/** A column, or a field of a struct, whose values could be those of a feature. */
export interface StoredValues {
  readonly column: StoredColumn;
  /** Name of the feature: the names of the column and of the fields, joined by slashes. */
  readonly name: string;
  /** The names of the structs that contain it, outermost first. */
  readonly structs: readonly string[];
  readonly steps: readonly Step[];
  /** Number of nested lists around a value. */
  readonly levels: number;
  /** The type of a value. */
  readonly type: DuckDBType;
}

/** The values of `column`, in the order of the file. */
export function valuesIn(column: StoredColumn): StoredValues[] {
  const found: StoredValues[] = [];
  const walk = (name: string, type: DuckDBType, structs: readonly string[], steps: readonly Step[]): void => {
    const text = String(type);
    if ('valueType' in type && text.endsWith(']')) {
      walk(name, type.valueType, structs, [...steps, { kind: 'list' }]);
      return;
    }
    if (isStruct(type)) {
      type.entryNames.forEach((field, i) => {
        walk(`${name}/${field}`, type.entryTypes[i]!, [...structs, name], [...steps, { kind: 'field', name: field }]);
      });
      return;
    }
    const levels = steps.filter(({ kind }) => kind === 'list').length;
    found.push({ column, name, structs, steps, levels, type });
  };
  walk(column.name, column.type, [], []);
  return found;
}

function isStruct(type: DuckDBType): type is DuckDBStructType {
  return String(type).startsWith('STRUCT(') && 'entryNames' in type;
}

/** SQL for the values. `of` converts the SQL of a stored value. */
export function expressionOf({ column, steps }: StoredValues, of: (value: string) => string): string {
  const build = (value: string, [step, ...rest]: readonly Step[], depth: number): string => {
    if (step === undefined) return of(value);
    if (step.kind === 'field') return build(`struct_extract(${value}, ${literal(step.name)})`, rest, depth);
    // Lists without fields or conversions stay as they are.
    const item = `v${depth}`;
    const inner = build(item, rest, depth + 1);
    return inner === item ? value : `list_transform(${value}, lambda ${item}: ${inner})`;
  };
  return build(identifier(column.alias), steps, 0);
}

/** The types of dates and times of DuckDB, with the numbers that their vectors store after `cast`. */
const DATE_TYPES: Readonly<Record<string, DateType & { readonly cast?: string }>> = {
  DATE: { form: 'date', unit: 'microsecond', isUTC: false, cast: 'TIMESTAMP' },
  TIMESTAMP: { form: 'timestamp', unit: 'microsecond', isUTC: false },
  TIMESTAMP_S: { form: 'timestamp', unit: 'microsecond', isUTC: false, cast: 'TIMESTAMP' },
  TIMESTAMP_MS: { form: 'timestamp', unit: 'microsecond', isUTC: false, cast: 'TIMESTAMP' },
  TIMESTAMP_NS: { form: 'timestamp', unit: 'nanosecond', isUTC: false },
  'TIMESTAMP WITH TIME ZONE': { form: 'timestamp', unit: 'microsecond', isUTC: true },
  TIME: { form: 'time', unit: 'microsecond', isUTC: false },
  TIME_NS: { form: 'time', unit: 'nanosecond', isUTC: false },
};

/** The type of dates or times; undefined for other types. */
export function dateTypeOf(type: DuckDBType): (DateType & { readonly cast?: string }) | undefined {
  return DATE_TYPES[String(type)];
}

/**
 * The columns that DuckDB calls `aliases`, with their names in the file. `schema`: the name and the number of children
 * of each level, as in `parquet_schema`.
 */
export function namedColumns(
  aliases: readonly { readonly alias: string; readonly type: DuckDBType }[],
  schema: readonly (readonly [name: string, children: number])[],
): StoredColumn[] {
  const columns: { name: string; inner: Set<string> }[] = [];
  let at = 1;
  const skip = (): void => {
    const [, children] = schema[at++] ?? ['', 0];
    for (let i = 0; i < children; i++) skip();
  };
  while (at < schema.length) {
    const name = schema[at]![0];
    const first = at + 1;
    skip();
    columns.push({ name, inner: new Set(schema.slice(first, at).map(([below]) => below)) });
  }
  // If the schema has an unexpected form, DuckDB's names are used.
  const known = columns.length === aliases.length;
  return aliases.map(({ alias, type }, i) => (known ? { ...columns[i]!, alias, type } : { name: alias, alias, type }));
}

/**
 * @throws TFRecordError TFR_FEATURE for values whose column, or a field of a struct around them, has a name that DuckDB
 *   changes, because the feature would get the changed name
 */
export function checkNames({ column, steps, name }: StoredValues, all: readonly StoredColumn[]): void {
  checkName(column, all);
  for (const step of steps) {
    if (step.kind === 'list' || (step.name !== '' && column.inner?.has(step.name) !== false)) continue;
    const text =
      step.name === ''
        ? `Column ${JSON.stringify(column.name)} is a struct with a field that has an empty name: give it one`
        : `Column ${JSON.stringify(column.name)} is a struct with fields that differ only in case, and DuckDB calls one ` +
          `of them ${JSON.stringify(step.name)}: rename them`;
    throw new TFRecordError('TFR_FEATURE', text, {
      feature: name,
      expected: step.name === '' ? 'a name' : 'names that differ not only in case',
      found: step.name === '' ? 'none' : JSON.stringify(step.name),
    });
  }
}

function checkName({ name, alias }: StoredColumn, all: readonly StoredColumn[]): void {
  if (name === alias) return;
  const number = all.findIndex((column) => column.name === name && column.alias === alias) + 1;
  const alike = all.filter((other) => other.name.toLowerCase() === name.toLowerCase()).map((other) => other.name);
  const found = alike.map((one) => JSON.stringify(one)).join(', ');
  const text =
    name === ''
      ? `Column ${number} has an empty name: give it one`
      : alike.length > 1
        ? `${alike.length} columns differ only in case, ${found}, and DuckDB cannot distinguish them: rename them`
        : `Column ${JSON.stringify(name)} has a name that DuckDB changes to ${JSON.stringify(alias)}: rename it`;
  throw new TFRecordError('TFR_FEATURE', text, {
    feature: alike[0] ?? name,
    expected: name === '' ? 'a name' : 'names that differ not only in case',
    found: name === '' ? 'none' : found,
  });
}
