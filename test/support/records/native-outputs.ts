/** Outputs that native code prints, and the same outputs of TypeScript, which are their rule. */
import { Writable } from 'node:stream';

import type { TFRecordError } from '../../../lib/base';
import { csvOutput } from '../../../lib/convert/csv/csv-output';
import type { OutputFormat, RowSpec, WriteSettings } from '../../../lib/convert/format';
import { rowLinesOutput } from '../../../lib/convert/jsonl/lines-output';
import { planSpec, type Spec } from '../../../lib/example';
import { native } from '../../../lib/native';
import { tableOfPlan, type Table } from '../../../lib/table';
import { batchOf } from './native-lines';

/** False in WebAssembly, which prints no lines. */
export const HAS_NATIVE_LINES = native().linesNewRows !== undefined;

/** A way to write records. */
export interface Printing {
  readonly format: OutputFormat;
  readonly settings: Partial<WriteSettings>;
}

/** Rows of CSV with the columns of `table`, or those of a spec. */
export function csvOf(columns: Table | Spec, delimiter = ','): Printing {
  const table = 'plan' in columns ? (columns as Table) : tableOfPlan(planSpec(columns));
  return { format: csvOutput(','), settings: { table, delimiter } };
}

/** JSON Lines of rows by `features`. */
export function rowsOf(features: Spec): Printing {
  return { format: rowLinesOutput, settings: { spec: { plan: planSpec(features), features } as RowSpec } };
}

/** A complete output. */
export interface Printed {
  readonly text: string;
  readonly records: number;
  /** The errors about the records that are left out, in order. */
  readonly errors: readonly unknown[];
}

/** Writes `records`, and leaves out those that cannot be written. */
export async function printed({ format, settings }: Printing, records: readonly Uint8Array[]): Promise<Printed> {
  const chunks: Buffer[] = [];
  const errors: unknown[] = [];
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const faults = {
    stopped: false,
    leaveOut({ code, message, record, offset, feature, expected, found }: TFRecordError) {
      errors.push({ code, message, record, offset, feature, expected, found });
    },
  };
  const sink = await format.open(target, { compression: 'none', faults, ...settings } as WriteSettings);
  await sink.write(batchOf(records));
  const written = await sink.close();
  return { text: Buffer.concat(chunks).toString(), records: written.records, errors };
}

type Functions = Record<'linesNew' | 'linesNewCsv' | 'linesNewRows', unknown>;

/** Calls `work` while native code prints no lines. */
export async function withoutNativeLines<T>(work: () => Promise<T>): Promise<T> {
  const binding = native() as unknown as Functions;
  const { linesNew, linesNewCsv, linesNewRows } = binding;
  Object.assign(binding, { linesNew: undefined, linesNewCsv: undefined, linesNewRows: undefined });
  try {
    return await work();
  } finally {
    Object.assign(binding, { linesNew, linesNewCsv, linesNewRows });
  }
}

/** Compares the output of native code with that of TypeScript. Returns the numbers of rows and of errors. */
export async function compareOutputs(
  printing: Printing,
  records: readonly Uint8Array[],
): Promise<{ readonly rows: number; readonly errors: number }> {
  const found = await printed(printing, records);
  const wanted = await withoutNativeLines(() => printed(printing, records));
  expect(found.errors).toEqual(wanted.errors);
  expect(found.records).toBe(wanted.records);
  // Compared line by line, because the whole texts may be long.
  if (found.text !== wanted.text) expect(found.text.split('\n')).toEqual(wanted.text.split('\n'));
  return { rows: found.records, errors: found.errors.length };
}
