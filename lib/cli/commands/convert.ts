import { InvalidArgumentError, Option, type Command } from 'commander';

import type { ConvertOptions, ConvertReport } from '../../convert';
import {
  TFRecordError,
  COMPRESSION_OPTIONS,
  counted,
  type CompressionOption,
  isWrongUse,
  tfrecordError,
  advice,
  messagesOf,
  named,
  worded,
  newRecord,
} from '../../base';
import type { CommandDefinition, Context } from '../context';
import { addOnError, parseDelimiter, parseNames, parseSeed, parseSize, readOptions, type ReadFlags } from '../flags';
import { extensionsHelp, formatOption, readableNames, wrapped, writableNames } from '../formats';
import { addMessageFlags, type MessageFlags } from '../message-flags';
import { readMixer } from '../mixer/mixer';
import { parseKernel, Stitching, type Kernel } from '../mixer/stitch';
import { addLabelFile, huggingFaceOf, type LabelFiles } from '../hugging-face';
import { checkName, standardOutput } from '../output';
import { specOption, type SpecFlags } from '../spec';
import { isUsage, UsageError } from '../terminal/reporter';
import { inFlags, usageWording, type Flags } from '../terminal/terms';
import { lineJson, plural } from '../terminal/text';
import { onDemand } from '../on-demand';

interface ConvertFlags extends SpecFlags, MessageFlags {
  readonly from?: ConvertOptions['from'];
  readonly to?: ConvertOptions['to'];
  readonly features?: readonly string[];
  readonly exclude?: readonly string[];
  readonly dates?: 'int64' | 'text';
  readonly exact?: boolean;
  readonly na?: readonly string[];
  readonly delimiter?: string;
  readonly labels?: string;
  readonly classes?: readonly string[];
  readonly labelMap?: string;
  readonly tfdsSplit?: string;
  readonly steps?: boolean;
  readonly classNames?: boolean;
  readonly huggingface?: boolean;
  readonly images?: readonly string[];
  readonly audio?: readonly string[];
  readonly labelFile?: LabelFiles;
  readonly mixer?: string;
  readonly kernel?: Kernel;
  readonly where?: string;
  readonly round?: boolean;
  readonly shards?: number;
  readonly maxBytes?: number;
  readonly split?: Readonly<Record<string, number>>;
  readonly splitBy?: string;
  readonly partitionBy?: readonly string[];
  readonly index?: boolean;
  readonly shuffle?: bigint;
  readonly compression: CompressionOption;
  readonly level?: number;
  readonly shard?: string;
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly onError?: NonNullable<ReadFlags['onError']>;
  readonly allowLoss?: boolean;
  readonly verify?: 'all' | 'length' | 'none';
  readonly maxRecordBytes?: number;
  readonly progress: boolean;
  readonly json?: boolean;
  readonly header?: readonly string[];
}

/** Width of the help, in characters. */
const WIDTH = 105;

function help(): string {
  const text = `
Formats go by the extensions: ${extensionsHelp()}. Extensions of other formats (.pb, .npy, .array_record, .db)
are refused without --to; all other extensions, or none, mean TFRecord. After them, .gz means GZIP, .zz and .zlib ZLIB.
A folder is one of pictures, whose sub-folders are the classes; with --from tfds, a data set of TensorFlow Datasets. - is standard input or output. Shards are
NAME-00000-of-00010.EXT, sides of a split NAME-train.EXT. An output that exists is refused without --resume or --force.
--shard auto asks Kubernetes (JOB_COMPLETION_INDEX and TFRECORD_SHARDS), AWS Batch, Cloud Run or Slurm; tfrecord merge
joins the parts. With --proto and --message, records are messages of any type, between TFRecords and JSON Lines in
protobuf's canonical JSON.`;
  return `\n${wrapped(text, WIDTH)}\n`;
}

export const convertCommand: CommandDefinition = (program, begin) =>
  addProgressFlags(
    addOnError(
      addMessageFlags(
        program
          .command('convert')
          .description('Convert files: to other formats, compressions and numbers of files.')
          .argument('<files...>', 'inputs (paths, URLs, patterns, name@N, -), then the output')
          .addOption(formatOption('--from <format>', 'format of the inputs', readableNames))
          .addOption(formatOption('--to <format>', 'format of the output', writableNames))
          .addOption(
            specOption('features and their types: a spec as JSON, schema.pbtxt, or a folder of TFDS').conflicts(
              'features',
            ),
          )
          .option('--features <names>', 'keep only these features, such as a,b', parseNames)
          .addOption(
            new Option('--exclude <names>', 'leave out these features, such as a,b')
              .argParser((text: string) => parseNames(text))
              .conflicts('features'),
          )
          .addOption(
            new Option(
              '--dates <form>',
              'dates of Parquet and Arrow: int64 (microseconds) or text (ISO 8601); otherwise they are an error',
            ).choices(['int64', 'text']),
          )
          .option('--na <texts>', 'texts of CSV that mean no value, such as NA,NULL', parseNames)
          .option(
            '--delimiter <character>',
            "the character between the fields of CSV, such as ';' (default: a comma)",
            parseDelimiter,
          )
          .option('--exact', 'for CSV: a number that float32 would round is an error; otherwise a note counts them')
          .option('--labels <file>', 'for a folder of pictures: CSV or JSON Lines with a line for each picture')
          .option(
            '--classes <names>',
            'the classes of pictures, in the order of their numbers, such as cat,dog',
            parseNames,
          )
          .option(
            '--label-map <file>',
            'for coco, yolo and voc: label_map.pbtxt, with the numbers of classes; written if there is none',
          )
          .option('--tfds-split <name>', 'for --from tfds: the split, such as train; several joined by +; or all')
          .option('--steps', 'for --from tfds: a row for each step of an episode, with the features episode and step')
          .option('--class-names', 'for --from tfds: the names of classes, in place of their numbers')
          .option('--huggingface', "Parquet and Arrow for Hugging Face's datasets: with Image and ClassLabel features")
          .option(
            '--images <names>',
            'for --huggingface: the features that are pictures (default: by content)',
            parseNames,
          )
          .option('--audio <names>', 'for --huggingface: the features that are files of sound', parseNames)
          .option(
            '--label-file <feature=file>',
            'for --huggingface: the names of the classes of a feature, a line for each; may be repeated',
            addLabelFile,
          )
          .option(
            '--mixer <file>',
            'stitch patches of Earth Engine by its mixer.json to a raster of floats for each band',
          )
          .option('--kernel <sizes>', 'for --mixer: the overlap of the patches, W,H (default: none)', parseKernel)
          .option('--where <sql>', 'keep the records for which this condition is true')
          .option('--round', 'round 64-bit floating point to float32; otherwise a number that would change is an error')
          .option('--shards <count>', 'number of files to write', parseNumber)
          .option('--max-bytes <size>', 'maximum size of a file before compression', parseSize)
          .option('--split <shares>', 'divide the records among sets of files, such as train=0.9,eval=0.1', parseSplit)
          .option('--split-by <feature>', 'split by the values of a feature, not by the whole record')
          .option(
            '--partition-by <features>',
            'write TFRecords to a folder for each value of a feature, such as label=3',
            parseNames,
          )
          .option('--index', 'save the index of each TFRecord file that is written beside it, as FILE.tfindex')
          .option('--shuffle <seed>', 'write the records in the random order of this seed', parseSeed)
          .addOption(
            new Option('--compression <kind>', 'compression of the outputs; auto goes by the extension')
              .choices([...COMPRESSION_OPTIONS])
              .default('auto'),
          )
          .option('--level <level>', 'level of the compression, 0 to 9', parseNumber)
          .option(
            '--shard <part>',
            'convert part i of N of the files, or of their records if there are fewer files: i/N, or auto',
          )
          .option('--resume', 'continue a job that was interrupted; does nothing if it is complete')
          .option('--force', 'replace outputs that exist')
          .addOption(
            new Option('--verify <which>', 'which checksums of TFRecord inputs to check').choices([
              'all',
              'length',
              'none',
            ]),
          )
          .option(
            '--max-record-bytes <size>',
            'maximum length of a record, such as 1000000 or 64M (default: 2G - 1)',
            parseSize,
          ),
      ),
    ),
  )
    .addHelpText('after', help)
    .action(async (names: readonly string[], flags: ConvertFlags) => {
      await run(names, flags, begin());
    });

/** Adds the options of commands that print a report. */
export function addProgressFlags(command: Command): Command {
  return command.option('--no-progress', 'no progress bar on a terminal').option('--json', 'print the report as JSON');
}

async function run(names: readonly string[], flags: ConvertFlags, context: Context): Promise<void> {
  const inputs = names.slice(0, -1);
  const output = names.at(-1)!;
  if (inputs.length === 0) throw new UsageError('convert needs inputs and an output: tfrecord convert IN… OUT');
  checkName(output);
  if (flags.mixer !== undefined || flags.kernel !== undefined) return stitch(inputs, output, flags, context);
  const { shuffle, progress: shows, json, maxRecordBytes, ...given } = flags;
  const { onError: _onError, allowLoss: _allowLoss, header: _header, ...known } = given;
  const { proto: _proto, protoPath: _protoPath, ...rest } = withHuggingFace(known, await huggingFaceOf(flags));
  const { onError } = readOptions({ ...flags, compression: 'auto' }, context.reporter);
  const { convert } = onDemand.convert;
  const progress = await context.startProgress(await knownFiles(inputs), shows && output !== '-');
  context.exitWaits = rest.where !== undefined;
  try {
    const report = await context.writing((signal) =>
      convert(inputs, output === '-' ? standardOutput(context.out) : output, {
        ...rest,
        ...(shuffle === undefined ? {} : { seed: shuffle }),
        maxRecordBytes,
        signal,
        onError,
        onProgress: ({ bytes, records, phase }) => {
          if (phase === 'write') progress.update({ bytes, records });
        },
      }),
    );
    progress.clear();
    // Outputs of an earlier run may lack bytes, too.
    context.reporter.losses.atLeast(report.lostBytes);
    for (const note of messagesOf(report.notes)) context.reporter.note(inFlags(note, context.flags));
    if (output !== '-') await tell(report, json, context);
  } catch (error) {
    // A closed pipe is not an error.
    if (output === '-' && context.out.closed) return;
    throw formatHint(error, flags.from) ?? wordedError(error, context.flags);
  } finally {
    progress.clear();
  }
}

/** Replaces the flags of `--huggingface` by the option. */
function withHuggingFace<F extends Partial<ConvertFlags>>(
  { huggingface: _huggingface, images: _images, audio: _audio, labelFile: _labelFile, ...rest }: F,
  huggingface: ConvertOptions['huggingface'],
): Omit<F, 'huggingface' | 'images' | 'audio' | 'labelFile'> & Pick<ConvertOptions, 'huggingface'> {
  return huggingface === undefined ? rest : { ...rest, huggingface };
}

/** The flags that go together with `--mixer`. */
const STITCHED: ReadonlySet<string> = new Set([
  ...['mixer', 'kernel', 'features', 'force', 'json', 'progress', 'verify', 'maxRecordBytes', 'header'],
]);

async function stitch(inputs: readonly string[], output: string, flags: ConvertFlags, context: Context): Promise<void> {
  if (flags.mixer === undefined) throw new UsageError('--kernel needs --mixer');
  const defaults: Readonly<Record<string, unknown>> = { compression: 'auto', onError: 'throw' };
  for (const [name, value] of Object.entries(flags)) {
    if (STITCHED.has(name) || value === defaults[name]) continue;
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(`--${flag} does not go together with --mixer: every patch has its place`);
  }
  if (output === '-') throw new UsageError('--mixer writes several files: name the output, such as scene.raw');
  const { mixer: mixerFile } = flags;
  const mixer = await readMixer(mixerFile);
  const files = await context.files(inputs);
  const paths = await context.writing((signal) => {
    const reading = { ...readOptions({ ...flags, compression: 'auto' }, context.reporter), signal };
    const { kernel = { width: 0, height: 0 }, features: bands, force = false } = flags;
    return new Stitching(output, { mixer, kernel, bands, force, reading, inputs: [...files, mixerFile] }).run(files);
  });
  if (flags.json === true) await context.out.line(lineJson({ patches: mixer.totalPatches, files: paths }));
  else
    context.reporter.note(
      `${counted(mixer.totalPatches, 'patch', undefined, 'patches')} in ${plural(paths.length, 'raster')}`,
    );
}

/** Returns the names that are files; the files of patterns are not known before the job begins. */
function knownFiles(names: readonly string[]): Promise<readonly string[]> {
  return Promise.resolve(names.every((name) => !/[*?[\]@]/.test(name)) ? names : ['-']);
}

/** Prints the report of a job: one line, or JSON. */
export async function tell(report: ConvertReport, json: boolean | undefined, context: Context): Promise<void> {
  if (json === true) {
    await context.out.line(lineJson(report));
    return;
  }
  const { records, files, skipped, lostBytes, bytesOut, seconds, kept, upToDate } = report;
  // The report does not list devices and pipes as files.
  const where =
    files.length === 1 ? ` in ${files[0]!}` : files.length === 0 ? '' : ` in ${plural(files.length, 'file')}`;
  const unread = lostBytes === 0 ? '' : `, ${plural(lostBytes, 'byte')} given up unread`;
  const left = skipped === 0 ? '' : `, ${plural(skipped, 'fault')} skipped${unread}`;
  const before = kept === 0 ? '' : `, ${plural(kept, 'file')} kept from before`;
  const done = `${plural(records, 'record')}, ${plural(bytesOut, 'byte')}${where}${left}`;
  context.reporter.note(
    upToDate ? `up to date, nothing to do: ${done}` : `${done}${before}; it took ${seconds.toFixed(1)} s`,
  );
}

/**
 * Returns a UsageError, worded for the command with `flags`, if `error` is one or shows wrong use, such as an output that
 * exists or belongs to another job; else `error`.
 */
export function wordedError(error: unknown, flags: Flags): unknown {
  if (!(error instanceof Error)) return error;
  return isUsage(error) || isWrongUse(error) ? new UsageError(usageWording(error, flags)) : error;
}

/** Names, in errors, of content that a format of `--from` can read. */
const CONVERTED: ReadonlySet<string> = new Set(['JSON text', 'text', 'a Parquet file', 'an Arrow IPC file']);

/**
 * Returns the error for content of another format than TFRecord, with the advice to use `--from`; undefined for other
 * errors.
 */
function formatHint(error: unknown, from: ConvertFlags['from']): TFRecordError | undefined {
  if (!(error instanceof TFRecordError) || error.code !== 'TFR_NOT_TFRECORD' || from !== undefined) return undefined;
  if (error.found === undefined || !CONVERTED.has(error.found)) return undefined;
  const message = worded`${error.reason}${advice` ${named('from')} says its format.`}`;
  const { code, file, record, offset, expected, found } = error;
  return tfrecordError(code, message, { file, record, offset, expected, found });
}

function parseNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number.');
  return Number(text);
}

function parseSplit(text: string): Record<string, number> {
  const sides = newRecord<number>();
  for (const part of text.split(',')) {
    const [, side, share] = /^([^=]+)=(\d*\.?\d+)$/.exec(part) ?? [];
    if (side === undefined || side in sides)
      throw new InvalidArgumentError('Expected shares such as train=0.9,eval=0.1.');
    sides[side] = Number(share);
  }
  return sides;
}
