import { Option, type Command } from 'commander';

import {
  JsonText,
  LineForm,
  planSpec,
  recordLines,
  RecordPrinter,
  rowLines,
  RowPrinter,
  type BatchLines,
} from '../example';
import type { RecordBatch, SliceOptions } from '../record';
import type { Context } from './context';
import { addFiles, addReadFlags, readOptions, type FlagOptions, type ReadFlags } from './flags';
import { addMessageFlags, MESSAGE_HELP, type MessageFlags } from './message-flags';
import { onDemand } from './on-demand';
import { ofRecord, readBatches, Totals } from './read-batches';
import { openWholeSideCar } from './side-car';
import { SPEC_HELP, specOption, type SpecFlags } from './spec';
import { lineJson, plural } from './terminal/text';

export interface PrintFlags extends ReadFlags, SpecFlags, MessageFlags {
  /** True to print long values and lists in full. */
  readonly full?: boolean;
  readonly kinds?: boolean;
  readonly origin?: boolean;
}

const FORMS = `
An Example prints as {"features":{"age":[29],"name":["Ann"],"score":[0.5]}}, a SequenceExample
as {"context":{},"featureLists":{"words":[["a","b"],["c"]]}}, a TensorBoard event as
{"event":{}}, any other record as {"bytes":2,"hex":"00ff"}, with "text" too when it is UTF-8
text. Integers are exact, floats have a point or an exponent, bytes are text or {"base64":""},
and a feature without a kind is null.
`;

/** The help of commands that cut long values. */
export const CUTS_HELP = `Long values and lists are cut: "more" counts the missing values or bytes. Of more than 4,096 features
the first are printed, and "moreFeatures" (moreContext, moreFeatureLists) counts the others.
`;

/** Adds the files and the options of commands that print records. */
export function addPrintFlags(command: Command): Command {
  return addReadFlags(addRecordFlags(addFiles(command)), { verify: true, onError: true });
}

/** Adds the options that say how records are printed. */
export function addRecordFlags(command: Command): Command {
  return addMessageFlags(
    command
      .option('--kinds', 'print the kind of every feature: {"int64":[1]}')
      .option('--origin', 'print the origin of every record: file, number, byte')
      .addOption(specOption().conflicts('kinds'))
      // Accepted because other commands have it. These always print JSON.
      .addOption(new Option('--json').hideHelp())
      .addHelpText('after', FORMS + SPEC_HELP + MESSAGE_HELP),
  );
}

/** Prints records as JSON. */
interface Printer {
  /** Number of lists and values that were cut so far. */
  readonly cuts: number;
  /** Adds record `index` of `batch` to `out`. @throws TFRecordError if it does not fit the spec, or is too long */
  print(batch: RecordBatch, index: number, out: JsonText): void;
}

/** Records to print, over all files together: `limit` of them after the first `skip`. */
export interface PrintRange {
  readonly limit: number;
  readonly skip?: number | undefined;
}

/** Prints records, each as one line of JSON. */
export async function printRecords(
  names: readonly string[],
  flags: PrintFlags,
  { limit, skip = 0 }: PrintRange,
  context: Context,
): Promise<void> {
  const { out, streams } = context;
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress && streams.stdout.isTTY !== true);
  const lines = new RecordLines(flags, context);
  const totals = new Totals();
  let left = limit;
  let toSkip = skip;

  /** Prints a batch. Returns false if no more records of the file are needed. */
  const print = async (batch: RecordBatch): Promise<boolean> => {
    let stopped = false;
    let next = Math.min(toSkip, batch.length);
    toSkip -= next;
    while (next < batch.length && left > 0 && !out.closed && !stopped) {
      const end = Math.min(batch.length, next + left);
      const printed = await lines.printRange(batch, next, end);
      left -= printed.records;
      stopped = printed.stopped;
      next = end;
    }
    await out.flush();
    return left > 0 && !out.closed && !stopped;
  };

  try {
    for (const file of files) {
      if (left === 0 || out.closed) break;
      await using index = toSkip === 0 ? undefined : await openWholeSideCar(file, flags, context);
      if (index !== undefined) {
        const first = Math.min(toSkip, index.records);
        toSkip -= first;
        for await (const batch of index.slice(first, index.records, sliceOptions(lines.options, left))) {
          if (!(await print(batch))) break;
        }
        continue;
      }
      const stats = await readBatches(
        file,
        forLimit(lines.options, toSkip > 0 ? Infinity : limit),
        async (batch, soFar) => {
          const more = await print(batch);
          progress.update(totals.with(soFar));
          return more;
        },
      );
      totals.add(stats);
    }
  } finally {
    progress.clear();
  }
  lines.finish();
}

/** The result of printing several records. */
export interface PrintedRange {
  /** Number of records that were printed, not left out. */
  readonly records: number;
  /** True if `--on-error` ends the file. */
  readonly stopped: boolean;
}

/** Prints records as lines, for all commands that print records. */
export class RecordLines {
  /** The options for reading the records. */
  readonly options: FlagOptions;
  readonly #printer: Printer;
  /** Prints on native threads what it prints as `#printer` does. Undefined: nothing. */
  readonly #native: BatchLines | undefined;
  readonly #context: Context;

  constructor(flags: PrintFlags, context: Context) {
    this.#context = context;
    this.#printer = printerFor(flags);
    this.#native = nativeLines(flags);
    this.options = readOptions(flags, context.reporter);
  }

  /**
   * Prints record `i` of `batch`. Returns a promise if the caller should wait, or `--on-error`'s decision about a record
   * that does not fit the spec. @throws TFRecordError if the decision is to fail.
   */
  print(batch: RecordBatch, i: number): Promise<void> | 'skip' | 'stop' | undefined {
    const line = ofRecord(batch, i, this.options, () => {
      const out = new JsonText();
      this.#printer.print(batch, i, out);
      return out.done();
    });
    return typeof line === 'string' ? line : this.#context.out.line(line.value);
  }

  /**
   * Prints records `begin` to `end` of `batch`, whose memory nobody else uses until the promise settles. @throws
   * TFRecordError as {@link print}
   */
  async printRange(batch: RecordBatch, begin: number, end: number): Promise<PrintedRange> {
    const { out } = this.#context;
    let records = 0;
    let stopped = false;
    const other = (i: number): Promise<void> | undefined => {
      const printed = this.print(batch, i);
      if (printed === 'stop') stopped = true;
      if (typeof printed === 'string') return undefined;
      records++;
      return printed;
    };
    if (this.#native === undefined) {
      for (let i = begin; i < end && !stopped && !out.closed; i++) {
        const full = other(i);
        if (full !== undefined) await full;
      }
      return { records, stopped };
    }
    const taker = {
      lines: async (text: Uint8Array, free: () => void, count: number): Promise<void> => {
        records += count;
        await out.bytes(text);
        free();
      },
      other,
      get stopped() {
        return stopped || out.closed;
      },
    };
    await this.#native.print(batch, taker, begin, end);
    return { records, stopped };
  }

  /** Prints the number of cut values. */
  finish(): void {
    const { cuts } = this.#printer;
    const { out, reporter } = this.#context;
    if (cuts === 0 || out.closed) return;
    reporter.note(`cut ${plural(cuts, 'long value')}: "more" counts what is missing, --full prints it`);
  }
}

function nativeLines({ spec, origin, kinds, full, message }: PrintFlags): BatchLines | undefined {
  if (origin === true || message !== undefined) return undefined;
  const whole = full !== true;
  if (spec !== undefined) return rowLines(planSpec(spec), whole);
  return recordLines(kinds === true ? LineForm.RecordsWithKinds : LineForm.Records, whole);
}

function printerFor(flags: PrintFlags): Printer {
  const { spec, origin, message } = flags;
  if (message !== undefined) return messagePrinter(message, flags);
  if (spec !== undefined) {
    const rows = new RowPrinter(planSpec(spec), flags);
    if (origin !== true) return rows;
    // A feature may have the name "origin", so the row is an object of its own.
    return withOrigin(rows, (batch, i, out) => {
      out.add(',"row":');
      rows.print(batch, i, out);
      out.add('}');
    });
  }
  const records = new RecordPrinter(flags);
  const printer: Printer = {
    get cuts() {
      return records.cuts;
    },
    print: (batch, i, out) => {
      records.print(batch.at(i)!, out);
    },
  };
  if (origin !== true) return printer;
  return withOrigin(printer, (batch, i, out) => {
    records.print(batch.at(i)!, out, ',');
  });
}

function messagePrinter(message: object, flags: PrintFlags): Printer {
  const lines = onDemand.messages.MessageLines.of(message, flags)!;
  const printer: Printer = {
    get cuts() {
      return lines.cuts;
    },
    print: (batch, i, out) => {
      lines.print(batch.at(i)!, out);
    },
  };
  if (flags.origin !== true) return printer;
  return withOrigin(printer, (batch, i, out) => {
    out.add(',"message":');
    printer.print(batch, i, out);
    out.add('}');
  });
}

/** Returns a printer that adds each record's origin before the members of `rest`, which begin with a comma. */
function withOrigin(printer: Printer, rest: Printer['print']): Printer {
  return {
    get cuts() {
      return printer.cuts;
    },
    print: (batch, i, out) => {
      const { file, record, offset, bytes } = batch.origin(i)!;
      out.add(`{"origin":${lineJson({ file, record, offset, bytes })}`);
      rest(batch, i, out);
    },
  };
}

function sliceOptions(options: FlagOptions, limit: number): SliceOptions {
  const { onError, batchBytes, readAhead } = forLimit(options, limit);
  return { onError, batchBytes, readAhead };
}

/** Returns options for reading few records: small batches, and no read-ahead. */
function forLimit(options: FlagOptions, limit: number): FlagOptions {
  return limit === Infinity ? options : { ...options, batchBytes: 256 * 1024, readAhead: 0 };
}
