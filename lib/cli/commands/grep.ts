import { InvalidArgumentError } from 'commander';

import { Condition, decodeNamed } from '../../example';
import { subset, type RecordBatch, type RecordWriter } from '../../record';
import type { CommandDefinition, Context } from '../context';
import type { MessageValues } from '../../messages';
import { parseCount } from '../flags';
import { checkApart, checkNew, openOutput } from '../output';
import { onDemand } from '../on-demand';
import { addPrintFlags, CUTS_HELP, RecordLines, type PrintFlags } from '../print';
import { namesIn, ofRecord, readBatches, Totals } from '../read-batches';
import { UsageError } from '../terminal/reporter';
import { lineJson, fileText, lineText, plural } from '../terminal/text';
import { thrownText } from '../../base';

interface GrepFlags extends PrintFlags {
  readonly and?: readonly Condition[];
  readonly invert?: boolean;
  readonly count?: boolean;
  readonly maxCount?: number;
  readonly quiet?: boolean;
  readonly output?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const CONDITION_HELP = `
A condition is one word for the shell, so put it in quotes:
  'label=3'   a value is 3          'label!=3'   no value is 3
  'name=Ann'  a value is the text   'name~^A'    a text matches the regular expression
  'score>0.5' also >=, <, <=        'name!~^A'   no text matches
  'label'     the feature is there  '!label'     the feature is missing
A feature may have many values, and a feature list many steps: one value that fits is enough.
Numbers are compared as numbers, exactly, floats with the float that is nearest to 0.5; texts by
their bytes. A name with one of = ! < > ~ in it is written as a JSON string: '"a=b"=3'. Spaces
around the operator do not count. With --message, a name is a path of members: 'camera.labels.id=7';
lists are searched through, keys of maps are members, enums and booleans are texts.
`;

const OUTCOMES = `
Exit codes: 0 if a record was found, 1 if none was. It is also 1 if data is damaged or was given up unread,
a file cannot be read or a record is no Example; then standard error has a line that begins with "tfrecord: error:".
`;

/** Names of files that `tfrecord convert` writes in another format. */
const OTHER_FORMAT = /\.(?:jsonl|ndjson|csv|tsv|parquet|pq|arrow|feather|arrows|tar)(?:\.(?:gz|zz|zlib))?$/i;

export const grepCommand: CommandDefinition = (program, begin) =>
  addPrintFlags(
    program
      .command('grep')
      .description('Find records by the values of their features.')
      .argument('<condition>', "such as 'label=3', see below", parseCondition)
      .option('--and <condition>', 'a further condition that records must fulfil; may be repeated', addCondition)
      .option('-v, --invert', 'find the records that do not match')
      .option('-c, --count', 'print the number of matching records of each file')
      .option('-m, --max-count <count>', 'maximum number of records to find, over all files together', parseCount)
      .option('-q, --quiet', 'print nothing; the exit code is the result')
      .option('-o, --output <file>', 'write the records, unchanged, to a TFRecord file: .gz is GZIP, - standard output')
      .option('--force', 'replace a file that exists')
      .option('--full', 'do not cut long values and lists'),
  )
    .addHelpText('after', CUTS_HELP + CONDITION_HELP + OUTCOMES)
    .action((condition: Condition, files: readonly string[], flags: GrepFlags) => {
      const conditions = [condition, ...(flags.and ?? [])];
      return new Search(conditions, flags, begin()).run(files);
    });

function parseCondition(text: string): Condition {
  try {
    return Condition.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`${thrownText(error)} See tfrecord help grep.`);
  }
}

function addCondition(text: string, before: readonly Condition[] = []): readonly Condition[] {
  return [...before, parseCondition(text)];
}

/** A search of files for records. */
class Search {
  readonly #conditions: readonly Condition[];
  readonly #names: ReadonlySet<string>;
  readonly #flags: GrepFlags;
  readonly #context: Context;
  readonly #lines: RecordLines;
  /** Finds values in messages. Undefined: records are Examples. */
  readonly #messages: MessageValues | undefined;
  /** Number of records that are still to find. */
  #left: number;
  #found = 0;
  /** The names of the features of the first record. */
  #known: readonly string[] = [];

  constructor(conditions: readonly Condition[], flags: GrepFlags, context: Context) {
    this.#conditions = conditions;
    this.#names = new Set(conditions.map(({ name }) => name));
    this.#flags = flags;
    this.#context = context;
    this.#lines = new RecordLines(flags, context);
    const { message } = flags;
    this.#messages = message && onDemand.messages.MessageValues.of(message, this.#names);
    this.#left = Math.min(flags.maxCount ?? Infinity, flags.quiet === true && flags.count !== true ? 1 : Infinity);
  }

  /** Finds the records of all files. */
  async run(names: readonly string[]): Promise<void> {
    const { reporter } = this.#context;
    const { output, force, count } = this.#flags;
    if (output === '-' && count === true) throw new UsageError('-o - and -c both write to standard output');
    const files = await this.#context.files(names);
    if (output === undefined) {
      // A slow regular expression blocks this thread, so handlers of signals would not run.
      if (this.#conditions.some(({ isPattern }) => isPattern)) this.#context.endAtSignals();
      await this.#read(names, files, undefined);
    } else {
      if (OTHER_FORMAT.test(output)) {
        const what = `${lineText(output)} is the name of another format, and grep writes TFRecords`;
        throw new UsageError(`${what}: tfrecord convert --where 'SQL' IN... ${lineText(output)}`);
      }
      await checkNew(output, force);
      await checkApart(output, files);
      await this.#context.writing((signal) => this.#write(names, files, output, signal));
    }
    this.#lines.finish();
    // After the limit, the rest of the data was not read.
    if (this.#left > 0) {
      for (const condition of this.#conditions) {
        const remark = condition.remark(this.#known);
        if (remark !== undefined) reporter.note(remark);
      }
    }
    if (this.#found === 0) reporter.fault();
  }

  async #write(names: readonly string[], files: readonly string[], output: string, signal: AbortSignal): Promise<void> {
    const { maxRecordBytes } = this.#flags;
    const writer = await openOutput(output, this.#context, { signal, maxRecordBytes });
    try {
      await this.#read(names, files, writer, signal);
      // A file that was created meanwhile is not replaced, either.
      await checkNew(output, this.#flags.force);
      await writer.close();
    } finally {
      await writer.abort();
    }
    if (output !== '-') this.#context.reporter.note(`wrote ${plural(this.#found, 'record')} to ${output}`);
  }

  async #read(
    names: readonly string[],
    files: readonly string[],
    writer: RecordWriter | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    const { out, reporter, streams } = this.#context;
    const { count, progress: allowed, quiet, json } = this.#flags;
    const prints = count !== true && quiet !== true && writer === undefined;
    const progress = await this.#context.startProgress(files, allowed && !(prints && streams.stdout.isTTY === true));
    const several = names.length > 1 || files.length > 1;
    const totals = new Totals();
    let counted = 0;
    try {
      for (const file of files) {
        if (this.#left === 0 || out.closed) break;
        const before = this.#found;
        const options = signal === undefined ? this.#lines.options : { ...this.#lines.options, signal };
        try {
          const stats = await readBatches(file, options, async (batch, soFar) => {
            const more = await this.#search(batch, prints, writer);
            progress.update(totals.with(soFar));
            return more;
          });
          totals.add(stats);
        } catch (error) {
          // Like `tfrecord count`: a file that fails has no number, and the next files are counted.
          if (count !== true || writer !== undefined) throw error;
          reporter.error(error);
          continue;
        }
        if (count !== true) continue;
        progress.clear();
        const records = this.#found - before;
        counted += records;
        if (json === true) await out.line(lineJson({ file, records }));
        else await out.line(several ? `${records}\t${fileText(file)}` : String(records));
      }
      if (count === true && several && json !== true) await out.line(`${counted}\ttotal`);
    } finally {
      progress.clear();
    }
  }

  /** Searches a batch. Returns false if no more records of the file are needed. */
  async #search(batch: RecordBatch, prints: boolean, writer: RecordWriter | undefined): Promise<boolean> {
    const { out } = this.#context;
    if (this.#known.length === 0 && batch.length > 0) this.#known = this.#messages?.members ?? namesIn(batch.at(0)!);
    /** Indices of the records to print. */
    const found: number[] = [];
    let stopped = false;
    const print = async (): Promise<void> => {
      if (await this.#print(batch, found.splice(0))) stopped = true;
    };
    try {
      for (let i = 0; i < batch.length && this.#left > 0 && !out.closed && !stopped; i++) {
        const record = batch.at(i)!;
        const verdict = ofRecord(batch, i, this.#lines.options, () => this.#wants(record));
        if (verdict === 'stop') stopped = true;
        else if (verdict === 'skip' || !verdict.value) continue;
        else if (prints) {
          if (found.push(i) === this.#left) await print();
        } else {
          this.#found++;
          this.#left--;
          const full = writer?.write(record);
          if (full !== undefined) await full;
        }
      }
    } finally {
      // Those before a fault, too.
      await print();
    }
    if (prints) await out.flush();
    return this.#left > 0 && !out.closed && !stopped;
  }

  /** Prints records of `batch`, by their indices. Returns true if `--on-error` ends the file. */
  async #print(batch: RecordBatch, indices: readonly number[]): Promise<boolean> {
    const records = subset(batch, indices);
    if (records === undefined) return false;
    const printed = await this.#lines.printRange(records, 0, records.length);
    this.#found += printed.records;
    this.#left -= printed.records;
    return printed.stopped;
  }

  #wants(record: Uint8Array): boolean {
    const features = this.#messages?.find(record) ?? decodeNamed(record, this.#names);
    return this.#conditions.every((condition) => condition.holds(features)) !== (this.#flags.invert === true);
  }
}
