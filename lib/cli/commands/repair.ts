import { Option } from 'commander';

import type { Compression, LostRegion, TFRecordError } from '../../base';
import { RecordReader, type RecordWriter, type ReadStats } from '../../record';
import { CODEC_NAMES } from '../../io';
import type { CommandDefinition, Context } from '../context';
import { parseSize } from '../flags';
import { checkApart, checkNew, openOutput, writeOutput } from '../output';
import { UsageError } from '../terminal/reporter';
import { acceptedWording } from '../terminal/terms';
import { lineJson, plural } from '../terminal/text';
import { addProgressFlags } from './convert';

interface RepairFlags {
  readonly compression?: Compression;
  readonly report?: string;
  readonly force?: boolean;
  readonly maxRecordBytes?: number;
  readonly progress: boolean;
  readonly json?: boolean;
}

/** Maximum number of regions that a report lists. */
const MOST_REGIONS = 10_000;

const HELP = `
IN is never changed. All of its records whose checksums of length and data are right, wherever they can be found, are
copied to OUT unchanged. Each lost region is reported: its bytes, the reason, and the records around it. Records that
may be data of a damaged record are copied, and counted as doubtful.

Exit codes: 0 if nothing was lost, 1 if bytes were lost or no record was found, 2 for wrong arguments.
`;

export const repairCommand: CommandDefinition = (program, begin) =>
  addProgressFlags(
    program
      .command('repair')
      .description('Copy all records that can still be found in a damaged file to a new one.')
      .argument('<in>', 'the damaged file, or - for standard input')
      .argument('<out>', 'the new file, or - for standard output')
      .addOption(
        new Option('--compression <kind>', 'compression of the new file (default: that of the damaged one)').choices([
          ...CODEC_NAMES,
        ]),
      )
      .option('--report <file>', 'write the report, as JSON, to this file')
      .option('--force', 'replace outputs that exist')
      .option('--max-record-bytes <size>', 'maximum length of a record, such as 1000000 or 64M', parseSize),
  )
    .addHelpText('after', HELP)
    .action((input: string, output: string, flags: RepairFlags) => new Repair(input, output, flags, begin()).run());

/** A region in the report. */
interface ReportedRegion extends LostRegion {
  readonly code: string;
  readonly message: string;
  readonly lostBytes: number | undefined;
}

/** One run of the command. */
class Repair {
  #input: string;
  readonly #output: string;
  readonly #flags: RepairFlags;
  readonly #context: Context;
  readonly #regions: ReportedRegion[] = [];
  #first: TFRecordError | undefined;
  #count = 0;
  #doubtful = 0;

  constructor(input: string, output: string, flags: RepairFlags, context: Context) {
    this.#input = input;
    this.#output = output;
    this.#flags = flags;
    this.#context = context;
  }

  async run(): Promise<void> {
    const { report: reportFile, json, force } = this.#flags;
    if (this.#output === '-' && json === true) throw new UsageError('OUT and --json both write to standard output');
    const inputs = await this.#context.files([this.#input]);
    const [only, ...others] = inputs;
    // A missing file was reported.
    if (only === undefined) return;
    if (others.length > 0)
      throw new UsageError(`repair takes one file at a time, but IN names ${plural(inputs.length, 'file')}`);
    this.#input = only;
    await checkApart(this.#output, inputs);
    await checkNew(this.#output, force);
    if (reportFile !== undefined) {
      await checkApart(reportFile, inputs);
      if (reportFile === '-' || reportFile === this.#output) throw new UsageError('--report needs a file of its own');
      await checkNew(reportFile, force);
    }
    const { reporter, out } = this.#context;
    const stats = await this.#context.writing((signal) => this.#copy(signal));
    const report = this.#reportOf(stats);
    if (reportFile !== undefined) {
      await this.#context.writing((signal) =>
        writeOutput(reportFile, `${JSON.stringify(report, undefined, 2)}\n`, signal),
      );
    }
    if (json === true) await out.line(lineJson(report));
    const lost =
      this.#count === 0
        ? 'nothing was lost'
        : `${plural(stats.lostBytes, 'byte')} in ${plural(this.#count, 'region')} lost`;
    const doubts = this.#doubtful === 0 ? '' : `; ${plural(this.#doubtful, 'record')} may be data of damaged ones`;
    reporter.note(`wrote ${plural(stats.records, 'record')} to ${this.#output}; ${lost}${doubts}`);
    if (this.#count > 0) reporter.fault();
  }

  async #copy(signal: AbortSignal): Promise<ReadStats> {
    const { maxRecordBytes, progress: allowed } = this.#flags;
    const progress = await this.#context.startProgress([this.#input], allowed);
    const onError = { action: 'salvage', report: (error: TFRecordError) => this.#lost(error) } as const;
    let writer: RecordWriter | undefined;
    try {
      const reader = await RecordReader.open(this.#input, { onError, maxRecordBytes, signal });
      for await (const batch of reader.batches()) {
        writer ??= await this.#open(reader.stats.compression, signal);
        await writer.writeBatch(batch);
        const { compressedBytes: bytes, records } = reader.stats;
        progress.update({ bytes, records });
      }
      if (reader.stats.records === 0 && this.#first !== undefined) throw this.#first;
      writer ??= await this.#open(reader.stats.compression, signal);
      // A file that was created meanwhile is not replaced, either.
      await checkNew(this.#output, this.#flags.force);
      await writer.close();
      return reader.stats;
    } finally {
      await writer?.abort();
      progress.clear();
    }
  }

  #open(found: Compression | undefined, signal: AbortSignal): Promise<RecordWriter> {
    const { compression = found ?? 'none', maxRecordBytes } = this.#flags;
    return openOutput(this.#output, this.#context, { signal, maxRecordBytes, compression });
  }

  #lost(error: TFRecordError): void {
    const { code, region, lostBytes } = error;
    // Without a region, the input cannot be read at all.
    if (region === undefined) throw error;
    this.#first ??= error;
    this.#count++;
    this.#doubtful += region.doubtful;
    this.#context.reporter.warning(error);
    if (this.#regions.length === MOST_REGIONS) return;
    this.#regions.push({ code, message: acceptedWording(error, this.#context.flags), ...region, lostBytes });
  }

  #reportOf({ records, bytes, totalBytes, compressedBytes, compression, lostBytes }: ReadStats): object {
    return {
      input: this.#input,
      inputBytes: totalBytes ?? compressedBytes,
      output: this.#output,
      compression,
      records,
      bytes,
      lostBytes,
      doubtful: this.#doubtful,
      regions: this.#regions,
      moreRegions: this.#count - this.#regions.length,
    };
  }
}
