import { Option } from 'commander';

import { TFRecordError } from '../../base';
import { planSpec } from '../../example';
import { isTFRecordName } from '../../io';
import { tableOfPlan } from '../../table';
import type { CommandDefinition, Context } from '../context';
import { duckdbJson, shownJson } from '../duckdb-json';
import { addReadFlags, readOptions, type ReadFlags } from '../flags';
import { specOption, type SpecFlags } from '../spec';
import { explain, UsageError } from '../terminal/reporter';
import { tableText } from '../terminal/table';
import { lineJson, linesText, lineText, plural } from '../terminal/text';
import { onDemand } from '../on-demand';

interface SqlFlags extends ReadFlags, SpecFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
}

const FORMS = `
The query is in the SQL of DuckDB, which "npm install @duckdb/node-api" adds. read_tfrecord('train-*.gz')
is a table of the records: a column for each feature, by the first 1,000 records, or by --spec, or by
read_tfrecord('a', spec := '{...}'). Only the columns that the query uses are parsed. filename := true,
file_row_number := true and record_offset := true add the place of each record.

  $ tfrecord sql "SELECT label, count(*) FROM read_tfrecord('train-*') GROUP BY label"
  $ tfrecord sql "DESCRIBE FROM read_tfrecord('a.tfrecord')"

read_events('runs') is a table of TensorBoard's logs: run, tag, step, wall_time, kind, value (of scalars), texts,
data (pictures and sounds), bucket_left, bucket_right and bucket_count (histograms). kinds := 'scalar', tag := 'loss*'
and keep_restarted := true choose values.

  $ tfrecord sql "SELECT run, min(value) FROM read_events('runs', tag := 'loss') GROUP BY run"

With --json each row is an object in a line; int64 is exact, floats have a point and the digits of their type,
NaN and the infinities are texts. Bytes are text, or {"base64":""}. With --csv NULL is empty, and lists are JSON.
A table shows the first 1,000 rows. Of several queries, with semicolons between them, the last one's rows are printed.
`;

export const sqlCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    program
      .command('sql')
      .description('Query records with the SQL of DuckDB.')
      .argument('<query>', "such as SELECT ... FROM read_tfrecord('train-*')")
      .addOption(new Option('--json', 'one JSON object for each row, for programs').conflicts('csv'))
      .option('--csv', 'CSV with a header')
      .addOption(specOption('the features that are columns: a spec as JSON, schema.pbtxt, or a folder of TFDS')),
    { verify: true, onError: true },
  )
    .addHelpText('after', FORMS)
    .action((query: string, flags: SqlFlags) => sql(query, flags, begin()));

/** Matches a query without statements: blanks, semicolons and comments. */
const EMPTY = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/;

/** Matches statements that write a file without naming its format. */
const COPY =
  /(?:^|;)(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*COPY\b(?:[^;'"]|'[^']*'|"[^"]*")*?\bTO\s+'((?:[^']|'')*)'(?![^;]*\bFORMAT\b)/gi;

/** Maximum number of rows in a table, which needs all of them to compute its widths. */
const MAX_SHOWN = 1000;

/** Runs `query` and prints its rows. */
async function sql(query: string, flags: SqlFlags, context: Context): Promise<void> {
  // DuckDB reads records on this thread, which blocks on pipes without returning to the event loop.
  context.endAtSignals();
  const room = onDemand.sql;
  const { addEvents, ArgumentError, Database, duckdbTables, causeOfFailure, registerTable } = room;
  const { bindings } = duckdbTables('tfrecord sql');
  if (EMPTY.test(query))
    throw new UsageError(`TFR_SQL: the query is empty. Example: "SELECT * FROM read_tfrecord('a.tfrecord')"`);
  const target = Array.from(query.matchAll(COPY), ([, name]) => name!).find(isTFRecordName);
  if (target !== undefined) {
    throw new UsageError(
      `TFR_SQL: DuckDB cannot write TFRecords: ${lineText(target)} would be CSV. COPY to a .parquet file, then ` +
        'tfrecord convert IN.parquet OUT.tfrecord; or choose records with tfrecord convert --where',
    );
  }
  const database = await Database.open(bindings);
  try {
    const warned = new Set<string>();
    const read = readOptions(flags, {
      losses: context.reporter.losses,
      accepted: (error, action) => {
        // DuckDB reads the first records twice: the first time to find the columns.
        if (!warned.has(error.message)) context.reporter.accepted(error, action);
        warned.add(error.message);
      },
    });
    registerTable(database.connection, 'read_tfrecord', flags.spec && tableOfPlan(planSpec(flags.spec)), read);
    addEvents(database.connection, 'read_events', read);
    const { names, types, chunks } = await database.stream(query);
    const printer = printerOf(flags, names, context);
    rows: for await (const rows of chunks) {
      for (const row of rows) {
        const waits = printer.row(row.map((value, i) => duckdbJson(value, types[i]!)));
        if (waits !== undefined) await waits;
        if (context.out.closed || printer.full()) break rows;
      }
    }
    await printer.end();
  } catch (error) {
    const behind = causeOfFailure(error);
    throw behind instanceof ArgumentError
      ? new UsageError(explain(behind, context.flags))
      : (behind ?? queryError(error, room));
  } finally {
    database.close();
  }
}

/**
 * Returns the error of a query: a UsageError if DuckDB rejects the query, but not for a full disk or an unreadable
 * file.
 */
function queryError(error: unknown, room: Pick<typeof import('../../sql'), 'queryFault'>): unknown {
  const fault = room.queryFault(error);
  if (fault === undefined) return error;
  const { text, isSystem, unreadable } = fault;
  if (isSystem) return new TFRecordError('TFR_SQL', text);
  const found =
    unreadable === undefined
      ? text
      : `${unreadable} is not a table of DuckDB: read_tfrecord('${unreadable}') reads TFRecord`;
  return new UsageError(lineText(`TFR_SQL: ${found}`));
}

/** Prints rows, whose values are given as JSON. */
interface RowPrinter {
  row(values: readonly string[]): Promise<void> | undefined;
  /** Returns true if no more rows are printed. */
  full(): boolean;
  end(): Promise<void> | undefined;
}

function printerOf({ json, csv }: SqlFlags, names: readonly string[], context: Context): RowPrinter {
  const { out } = context;
  const noEnd = { full: () => false, end: () => undefined };
  if (json === true) {
    const keys = names.map(lineJson);
    return { ...noEnd, row: (values) => out.line(`{${values.map((value, i) => `${keys[i]}:${value}`).join(',')}}`) };
  }
  if (csv !== true) return tablePrinter(names, context);
  const { stringify } = onDemand.csvStringify;
  // Data for other programs is not changed; for a terminal, control characters are escaped.
  const safe = context.streams.stdout.isTTY === true ? linesText : (text: string) => text;
  const line = (values: readonly string[]): Promise<void> | undefined =>
    out.line(safe(stringify([values]).slice(0, -1)));
  // An error of writing is thrown by the next flush.
  line(names)?.catch(() => undefined);
  return { ...noEnd, row: (values) => line(values.map((value) => (value === 'null' ? '' : shownJson(value)))) };
}

function tablePrinter(names: readonly string[], { out, reporter, streams }: Context): RowPrinter {
  const shown: string[][] = [];
  let more = false;
  return {
    row: (values) => {
      if (shown.length === MAX_SHOWN) more = true;
      else shown.push(values.map((value) => lineText(value === 'null' ? 'NULL' : shownJson(value))));
      return undefined;
    },
    full: () => more,
    end: () => {
      if (more) reporter.note(`only the first ${plural(MAX_SHOWN, 'row')}: --json and --csv print all`);
      return out.line(tableText(names.map(lineText), shown, { framed: true, stdout: streams.stdout }));
    },
  };
}
