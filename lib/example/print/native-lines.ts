/** The forms of lines that native code prints, in place of the printers in TypeScript. */
import { callNative } from '../../base';
import { LineForm, native, type LinesHandle, type RowMember } from '../../native';
import type { Shape } from '../../tensor';
import type { Plan } from '../parse';
import { BatchLines } from './batch-lines';
import { textJson } from './json';

export { LineForm };

/** Lines of records by themselves. `whole`: leaves out records with a value or list that `RecordPrinter` would cut. */
export function recordLines(form: LineForm, whole = false): BatchLines {
  return new BatchLines(callNative(LINES, () => native().linesNew?.(form, whole)));
}

/** The lines of `RowPrinter` for `plan`. `whole`: leaves out records with a value or list that it would cut. */
export function rowLines(plan: Plan, whole = false): BatchLines {
  return new BatchLines(rowPrinters(plan, whole));
}

/**
 * Rows of CSV: the values of each column of `plan`, whose records are Examples. Undefined if native code prints none.
 */
export function csvLines({ columns }: Plan, delimiter: string): BatchLines | undefined {
  if (columns.length === 0) return undefined;
  const handle = callNative(LINES, () => native().linesNewCsv?.(columns, delimiter.charCodeAt(0)));
  return handle && new BatchLines(handle);
}

/** The name of a file in errors. */
const LINES = '<lines>';
/** Kinds whose rows are the values of one column. */
const KINDS: readonly string[] = ['fixedLen', 'varLen'];
/** Maximum number of dimensions of a shape. */
const MOST_DIMENSIONS = 32;

/** Undefined if native code does not print rows of `plan`. */
function rowPrinters({ columns, features, sequenceExample }: Plan, whole: boolean): LinesHandle | undefined {
  if (sequenceExample) return undefined;
  const members: RowMember[] = [];
  for (const { name, definition, columns: own } of features) {
    const { shape = [] } = definition.shown() as { readonly shape?: Shape };
    if (!KINDS.includes(definition.kind) || shape.length > MOST_DIMENSIONS) return undefined;
    const json = Buffer.from(`${textJson(name)}:`);
    members.push({ json, column: own[0]!, shape, text: definition.dtype === 'text' });
  }
  return callNative(LINES, () => native().linesNewRows?.(columns, members, whole));
}
