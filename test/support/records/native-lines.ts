/** Lines of JSON of native code, and of the printers in TypeScript, which are their rule. */
import { TFRecordError } from '../../../lib';
import { ExampleLines } from '../../../lib/convert/jsonl/print-example';
import { printMessage, printRow } from '../../../lib/convert/jsonl/print-other';
import { TextBuffer } from '../../../lib/convert/output/text-buffer';
import { JsonText, LineForm, recordLines, RecordPrinter } from '../../../lib/example';
import { encodedBatch, type RecordBatch } from '../../../lib/record';

export const FORMS = {
  rows: LineForm.Rows,
  messages: LineForm.Messages,
  records: LineForm.Records,
  'records with kinds': LineForm.RecordsWithKinds,
  'records that are not cut': LineForm.Records,
} as const;
export type FormName = keyof typeof FORMS;
export const FORM_NAMES = Object.keys(FORMS) as FormName[];

export function batchOf(records: readonly Uint8Array[]): RecordBatch {
  const frames = new Uint32Array(2 * records.length);
  const slab = new Uint8Array(records.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const [i, record] of records.entries()) {
    slab.set(record, at);
    frames.set([at, record.length], 2 * i);
    at += record.length;
  }
  return encodedBatch(slab, frames);
}

/** Time after which no more lines are wanted: a failure would else go on for ever. */
const MOST_MILLISECONDS = 30_000;

/** The lines that native code prints; for each record that it refuses, undefined. */
export async function nativeLines(
  records: readonly Uint8Array[],
  form: FormName,
  lines = recordLines(FORMS[form], form === 'records that are not cut'),
): Promise<(string | undefined)[]> {
  const printed: (string | undefined)[] = [];
  const deadline = performance.now() + MOST_MILLISECONDS;
  await lines.print(batchOf(records), {
    lines: (text, free, count) => {
      const some = text.toString().split('\n').slice(0, -1);
      expect(some).toHaveLength(count);
      // No spread: there may be very many.
      for (const line of some) printed.push(line);
      free();
      return undefined;
    },
    other: (index) => {
      expect(index).toBe(printed.length);
      printed.push(undefined);
      return undefined;
    },
    get stopped() {
      return performance.now() > deadline;
    },
  });
  expect(printed).toHaveLength(records.length);
  return printed;
}

/** Returns a function that prints a record in TypeScript; undefined for a record without a line. */
export function scriptPrinter(form: FormName): (record: Uint8Array) => string | undefined {
  if (form !== 'rows' && form !== 'messages') {
    const full = form !== 'records that are not cut';
    const printer = new RecordPrinter({ full, kinds: form === 'records with kinds' });
    return (record) => {
      const out = new JsonText();
      printer.print(record, out);
      return out.toString();
    };
  }
  const out = new TextBuffer();
  const usual = new ExampleLines(out, { canonical: form === 'messages' });
  const printOther = form === 'messages' ? printMessage : printRow;
  return (record) => {
    out.at = 0;
    try {
      const bytes = Buffer.from(record);
      if (!usual.print(bytes)) printOther(bytes, () => ({ file: '', record: 0, offset: 0, bytes: 0 }), out);
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      return undefined;
    }
    return out.bytes.toString('utf8', 0, out.at - 1);
  };
}

/** Compares the lines of native code with those of TypeScript. Returns the number of records that native code printed. */
export async function compareLines(records: readonly Uint8Array[], form: FormName): Promise<number> {
  const print = scriptPrinter(form);
  let count = 0;
  for (const [i, line] of (await nativeLines(records, form)).entries()) {
    if (line === undefined) continue;
    count++;
    const wanted = print(records[i]!);
    if (line !== wanted) expect({ i, ...firstDifference(line, wanted ?? '') }).toBeUndefined();
  }
  return count;
}

/** The parts of two texts, which may be very long, at their first difference. */
function firstDifference(found: string, wanted: string): Readonly<Record<string, unknown>> {
  let at = 0;
  while (at < found.length && found[at] === wanted[at]) at++;
  const part = (text: string): string => text.slice(Math.max(0, at - 40), at + 40);
  return { at, found: part(found), wanted: part(wanted) };
}
