/** Generated queries over `read_tfrecord`, and their outcomes. */
import type { DuckDBConnection } from '@duckdb/node-api';

import { isSequenceSpec } from '../../../lib/example';
import { specToJSON, type SequenceExampleSpec, type Spec } from '../../../lib';

/** The result of a query: names with types, and rows; or the first line of its error. */
export interface Outcome {
  readonly columns?: readonly string[];
  readonly rows?: readonly unknown[][];
  readonly error?: string;
}

export async function outcomeOf(connection: DuckDBConnection, sql: string): Promise<Outcome> {
  try {
    const reader = await connection.runAndReadAll(sql);
    const types = reader.columnTypes();
    return { columns: reader.columnNames().map((name, i) => `${name} ${String(types[i])}`), rows: reader.getRowsJS() };
  } catch (error) {
    return { error: (error as Error).message.split('\n')[0]! };
  }
}

/** The call of the function. `named`: the other arguments, as SQL. */
export function callOf(paths: string | readonly string[], spec?: Spec | SequenceExampleSpec, named = ''): string {
  const list = typeof paths === 'string' ? quoted(paths) : `[${paths.map(quoted).join(', ')}]`;
  const text = spec === undefined ? '' : `, spec := ${quoted(jsonOf(spec))}`;
  return `read_tfrecord(${list}${text}${named === '' ? '' : `, ${named}`})`;
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function jsonOf(spec: Spec | SequenceExampleSpec): string {
  if (!isSequenceSpec(spec)) return JSON.stringify(specToJSON(spec));
  const { context = {}, sequence = {} } = spec;
  return JSON.stringify({ context: specToJSON(context), sequence: specToJSON(sequence) });
}

/** Returns `count` queries of many forms over `table`. `connection` has the function. */
export async function queriesOver(
  connection: DuckDBConnection,
  table: string,
  count: number,
  random: () => number,
): Promise<string[]> {
  const { rows = [] } = await outcomeOf(connection, `DESCRIBE FROM ${table}`);
  const columns = (rows as [string, string][]).map(([name, type]) => ({
    name: `"${name.replaceAll('"', '""')}"`,
    type,
  }));
  if (columns.length === 0) return [`FROM ${table}`, `SELECT count(*) FROM ${table}`].slice(0, count);
  const placed = `${table.slice(0, -1)}, filename := true, file_row_number := true, record_offset := true)`;
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const one = (): string => pick(columns).name;
  const some = (): string => [...new Set([one(), one(), one()])].join(', ');
  const lists = columns.filter(({ type }) => type.endsWith(']'));
  const list = (): string => pick(lists).name;
  const forms: (() => string)[] = [
    () => `FROM ${table}`,
    () => `SELECT count(*), count(${one()}) FROM ${table}`,
    () => `SELECT ${some()} FROM ${table} LIMIT ${below(60)} OFFSET ${below(20)}`,
    () => `SELECT ${some()}, filename, file_row_number, record_offset FROM ${placed}`,
    () => `SELECT filename, count(*), max(file_row_number) FROM ${placed} GROUP BY ALL ORDER BY ALL`,
    () => `SELECT sum(hash(${one()})::HUGEINT), max(hash(${one()})) FROM ${table}`,
    () => `SELECT ${one()} AS key, count(*) FROM ${table} GROUP BY key ORDER BY ALL LIMIT 40`,
    () => `SELECT count(*) FROM ${table} WHERE ${one()} IS NULL`,
    () => `SELECT DISTINCT ${some()} FROM ${table} ORDER BY ALL LIMIT 20`,
    () =>
      `SELECT count(*), sum(hash(a.${one()}, b.${one()})::HUGEINT) FROM ${placed} a JOIN ${placed} b USING (file_row_number)`,
    () => `SELECT ${one()}::VARCHAR AS text FROM ${table} ORDER BY text NULLS LAST LIMIT 25`,
    () => `SELECT ${one()} FROM ${table} UNION ALL SELECT ${one()} FROM ${table} LIMIT 10`,
    ...(lists.length === 0
      ? []
      : [
          () => `SELECT sum(len(${list()})), max(len(${list()})) FROM ${table}`,
          () => `SELECT unnest(${list()}) AS item, count(*) FROM ${table} GROUP BY item ORDER BY ALL LIMIT 40`,
          () => `SELECT ${list()}[1], ${list()}[-1] FROM ${table} LIMIT 60`,
        ]),
  ];
  return Array.from({ length: count }, (_, i) => (i < forms.length ? forms[i]! : pick(forms))());
}
