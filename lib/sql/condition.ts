/** Checks that a text is a single condition in SQL. */
import { isObject } from '../base';
import type { Database } from './database';
import { literal } from './sql-text';

/** The members of DuckDB's description of a SELECT with a single expression and nothing else. */
const PLAIN = ['aggregate_handling', 'from_table', 'select_list', 'type'];

/**
 * The functions that a condition may select from. Other functions read files, change the settings of the database, or
 * end the process if a file is refused.
 */
const SOURCES = ['generate_series', 'json_each', 'json_tree', 'range', 'repeat', 'repeat_row', 'unnest'];

/** DuckDB's description of a parsed query, as far as it is used here. */
interface Parsed {
  readonly error_message?: string;
  readonly statements?: readonly {
    readonly node: Readonly<Record<string, unknown>> & {
      readonly select_list?: readonly { readonly alias?: string }[];
      readonly from_table?: { readonly type: string };
      readonly aggregate_handling?: string;
    };
    readonly named_param_map?: unknown;
  }[];
}

/**
 * The reason why `text` is not a condition (in DuckDB's words, if it cannot be parsed); undefined if it is one. A text
 * that is more than one expression, such as `a) OR (b` or `a LIMIT 3`, is not a condition: inserted into the query, it
 * would change the query.
 */
export async function conditionFault(database: Database, text: string): Promise<string | undefined> {
  if (text.includes('\0')) return 'it has a null character';
  const query = literal(`SELECT\n${text}\n`);
  const [json] = (await database.firstRow(
    `SELECT json_serialize_sql(${query}, skip_null := true, skip_empty := true, skip_default := true)::VARCHAR`,
  ))!;
  const { error_message: error, statements = [] } = JSON.parse(json as string) as Parsed;
  if (error !== undefined) return error.replace(/\s+/g, ' ').trim();
  const [statement, ...others] = statements;
  if (statement === undefined || others.length > 0) return 'it is more than one expression';
  const { node, named_param_map: parameters } = statement;
  if (parameters !== undefined) return 'it has a parameter, which never gets a value';
  const [expression, ...more] = node.select_list ?? [];
  const plain =
    Object.keys(node).every((name) => PLAIN.includes(name)) &&
    node.from_table?.type === 'EMPTY' &&
    node.aggregate_handling === 'STANDARD_HANDLING' &&
    expression !== undefined &&
    expression.alias === undefined &&
    more.length === 0;
  if (!plain) return 'it is more than one expression';
  const source = otherSource(expression);
  return source === undefined ? undefined : `it may not select from ${source}()`;
}

/**
 * The name of a function that `node`, or a part of it, selects from, and that is not in {@link SOURCES}; undefined if
 * there is none.
 */
function otherSource(node: unknown): string | undefined {
  if (!isObject(node)) return undefined;
  const { type, function: called } = node;
  if (type === 'TABLE_FUNCTION' && isObject(called)) {
    const name = String(called['function_name']);
    if (!SOURCES.includes(name.toLowerCase())) return name;
  }
  for (const part of Object.values(node)) {
    const found = otherSource(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
