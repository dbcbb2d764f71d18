/** The columns of a Parquet file by the features that they can be: a struct is one for each of its fields. */
import type { DuckDBStructType, DuckDBType } from '@duckdb/node-api';

import { TFRecordError } from '../errors';
import type { DateType } from '../example';
import { identifier, literal } from './sql-text';

/** A column of a file. */
export interface StoredColumn {
  /** The name in the file. */
  readonly name: string;
  /** DuckDB's name, which is another if it does not tell the name from that of an earlier column. */
  readonly alias: string;
  readonly type: DuckDBType;
}

/** A step from a column to its values: into a list, or to a field of a struct. */
type Step = { readonly kind: 'list' } | { readonly kind: 'field'; readonly name: string };

/** A column, or a field of a struct, whose values can be a feature's. */
export interface StoredValues {
  readonly column: StoredColumn;
  /** Name of the feature: that of the column, and those of the fields, with slashes between them. */
  readonly name: string;
  /** The names of the structs around it, from the column on. */
  readonly structs: readonly string[];
  readonly steps: readonly Step[];
  /** Number of lists around a value. */
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

/** SQL for the values, each of which `of` makes of the stored one. */
export function expressionOf({ column, steps }: StoredValues, of: (value: string) => string): string {
  const build = (value: string, [step, ...rest]: readonly Step[], depth: number): string => {
    if (step === undefined) return of(value);
    if (step.kind === 'field') return build(`struct_extract(${value}, ${literal(step.name)})`, rest, depth);
    // Without fields or a change of values, lists stay as they are.
    const item = `v${depth}`;
    const inner = build(item, rest, depth + 1);
    return inner === item ? value : `list_transform(${value}, lambda ${item}: ${inner})`;
  };
  return build(identifier(column.alias), steps, 0);
}

/** The dates and times of DuckDB, as their vectors store them once `cast` is applied. */
const DATE_TYPES: Readonly<Record<string, DateType & { readonly cast?: string }>> = {
  DATE: { form: 'date', unit: 'microsecond', isUTC: false, cast: 'TIMESTAMP' },
  TIMESTAMP: { form: 'timestamp', unit: 'microsecond', isUTC: false },
  TIMESTAMP_S: { form: 'timestamp', unit: 'microsecond', isUTC: false, cast: 'TIMESTAMP' },
  TIMESTAMP_MS: { form: 'timestamp', unit: 'microsecond', isUTC: false, cast: 'TIMESTAMP' },
  TIMESTAMP_NS: { form: 'timestamp', unit: 'nanosecond', isUTC: false },
  'TIMESTAMP WITH TIME ZONE': { form: 'timestamp', unit: 'microsecond', isUTC: true },
  TIME: { form: 'time', unit: 'microsecond', isUTC: false },
};

/** The type of dates or times; undefined for other types. */
export function dateTypeOf(type: DuckDBType): (DateType & { readonly cast?: string }) | undefined {
  return DATE_TYPES[String(type)];
}

/**
 * The columns that DuckDB calls `aliases`, by their names in the file. `schema`: the name and the number of children of each
 * level, as `parquet_schema` lists them.
 */
export function namedColumns(
  aliases: readonly { readonly alias: string; readonly type: DuckDBType }[],
  schema: readonly (readonly [name: string, children: number])[],
): StoredColumn[] {
  const names: string[] = [];
  let at = 1;
  const skip = (): void => {
    const [, children] = schema[at++] ?? ['', 0];
    for (let i = 0; i < children; i++) skip();
  };
  while (at < schema.length) {
    names.push(schema[at]![0]);
    skip();
  }
  // Should the list be another than expected, DuckDB's names are the best there are.
  const known = names.length === aliases.length;
  return aliases.map(({ alias, type }, i) => ({ name: known ? names[i]! : alias, alias, type }));
}

/** @throws TFRecordError TFR_FEATURE for a column that DuckDB gave another name, so that its feature would get that one */
export function checkName({ name, alias }: StoredColumn, all: readonly StoredColumn[]): void {
  if (name === alias) return;
  const number = all.findIndex((column) => column.name === name && column.alias === alias) + 1;
  const alike = all.filter((other) => other.name.toLowerCase() === name.toLowerCase()).map((other) => other.name);
  const found = alike.map((one) => JSON.stringify(one)).join(', ');
  const text =
    name === ''
      ? `Column ${number} has an empty name: give it one`
      : alike.length > 1
        ? `${alike.length} columns differ only in case, ${found}, and DuckDB does not tell them apart: rename them`
        : `Column ${JSON.stringify(name)} has a name that DuckDB changes to ${JSON.stringify(alias)}: rename it`;
  throw new TFRecordError('TFR_FEATURE', text, {
    feature: alike[0] ?? name,
    expected: name === '' ? 'a name' : 'names that differ not only in case',
    found: name === '' ? 'none' : found,
  });
}
