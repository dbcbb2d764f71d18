import { InvalidArgumentError, Option } from 'commander';
import { basename } from 'node:path';

import { TFRecordError } from '../../../base';
import { decodeNamed, nearestHint } from '../../../example';
import type { RecordBatch } from '../../../record';
import type { CommandDefinition, Context } from '../../context';
import { addFiles, addReadFlags, addTag, parseCount, readOptions, type FlagOptions } from '../../flags';
import { checkName } from '../../output';
import { namesIn, ofRecord, readKeptBatches, Totals } from '../../read-batches';
import { UsageError } from '../../terminal/reporter';
import { lineJson, lineText, plural } from '../../terminal/text';
import { extensionOf, NameTemplate, safeSegment, withExtension } from './file-names';
import { areLogs, checkFolder, extractLogs, kindOption, type LogFlags } from './extract-logs';
import { findPictures } from './find-pictures';
import {
  bytesAsTheyAre,
  parseChannels,
  parseRate,
  parseShape,
  pngsOf,
  wavsOf,
  type Contents,
  type PixelShape,
} from './raw-values';
import { ValueFiles } from './value-files';

interface ExtractFlags extends LogFlags {
  readonly feature?: string;
  readonly name: NameTemplate;
  readonly by?: string;
  readonly shape?: PixelShape;
  readonly rate?: number;
  readonly channels: number;
}

/** Flags that are about features. */
const OF_FEATURES = ['by', 'shape', 'rate'] as const;

const NAMES = `
Names: --name '{image/filename}' or '{split}/{id}' is made of text and of features with one value; {record}
is the number of the record over all files from 0, {file} the name of its file, and {feature:record} a
feature that is called so. The default is {record}, as in 00000012.jpg. A feature with several values gives
12-0.jpg, 12-1.jpg and so on.

The extension goes by the content (jpg, png, gif, webp, tif, bmp, wav, mp3, mp4, pdf, npy and others; txt for
text, bin for the rest), and is left out where the name already ends with it.

Raw values: --shape writes pixels as PNG, of 1 (gray), 3 (RGB) or 4 channels (RGBA): bytes are uint8, or
little-endian float32 if there are four a value; int64 values are 0 to 255, floats 0 to 1. --rate writes floats
as 32-bit float WAV, int64 values as 16-bit WAV. Both need --feature; a wrong number of values is an error.

Of TensorBoard's logs (a log folder, or event files: "tfevents" is in their names), pictures and sounds are written as they
are, texts as .txt, and histograms as .csv with the columns left, right, count: RUN/TAG/STEP.png, or STEP-0.png and
so on for several; _2 is added for a step that comes again. --kind and --tag choose.

Values of features, runs and tags cannot lead out of the folder: / and what some system does not allow in a name become _,
and so does the . of hidden files. A file that exists is not replaced without --force, and two records never
get the same file. Files appear when they are complete. Names other than {record} are kept in memory.

Exit codes: 0; 1 if data is damaged or was given up unread, nothing was found or a file cannot be written; 2 if
a file exists. Files that were written before are left.
`;

export const extractCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    addFiles(
      program
        .command('extract')
        .description('Write pictures, sounds and other values of a feature to files of their own.'),
    )
      .option('--feature <name>', 'the feature, such as image/encoded (default: the one with pictures)')
      .requiredOption('-o, --output <folder>', 'the folder for the files; created if it is missing')
      .addOption(
        new Option('--name <template>', "names of the files, such as '{id}', see below")
          .argParser((text: string) => NameTemplate.parse(text))
          .default(NameTemplate.parse('{record}'), '{record}'),
      )
      .option('--by <feature>', 'create a folder for each value of this feature, such as label')
      .option('--extension <text>', 'the extension of all files (default: by their content)', parseExtension)
      .addOption(
        new Option('--shape <sizes>', 'write raw pixels as PNG: H,W,C, such as 28,28,1')
          .argParser((text: string) => parseShape(text))
          .conflicts('rate'),
      )
      .option('--rate <hertz>', 'write samples as WAV: their number per second, such as 16000', parseRate)
      .addOption(
        new Option('--channels <count>', 'for --rate: the channels, whose samples alternate')
          .argParser((text: string) => parseChannels(text))
          .default(1),
      )
      .addOption(kindOption())
      .option('--tag <pattern>', 'of logs, only these tags: * is any text, ? any character; may be repeated', addTag)
      .option('-m, --max-count <count>', 'maximum number of files to write', parseCount)
      .option('--force', 'replace files that exist')
      .option('--json', 'the summary as one JSON object'),
    { verify: true, onError: true },
  )
    .addHelpText('after', NAMES)
    .action((files: readonly string[], flags: ExtractFlags) => {
      const context = begin();
      return context.writing((signal) => extract(files, flags, context, signal));
    });

async function extract(
  names: readonly string[],
  flags: ExtractFlags,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  checkName(flags.output);
  const { kind, tag, feature } = flags;
  if (feature !== undefined && (kind ?? tag) !== undefined) {
    throw new UsageError('--feature is for records, --kind and --tag are for the logs of TensorBoard');
  }
  if (feature === undefined && ((kind ?? tag) !== undefined || (await areLogs(names, signal)))) {
    const other = (
      [['name', !flags.name.isUnique], ...OF_FEATURES.map((one) => [one, flags[one] !== undefined])] as const
    ).find(([, isGiven]) => isGiven);
    if (other !== undefined) throw new UsageError(`--${String(other[0])} is for features, which logs do not have`);
    await checkFolder(flags.output);
    await extractLogs(names, flags, context, signal);
    return;
  }
  await new Extraction(flags, context, signal).run(names);
}

function parseExtension(text: string): string {
  const extension = text.replace(/^\./, '');
  if (extension === '' || safeSegment(`x.${extension}`) !== `x.${extension}`) {
    throw new InvalidArgumentError('Expected a file extension such as jpg.');
  }
  return extension;
}

/** The values of a record, each with the path of its file. */
type Planned = readonly { readonly segments: readonly string[]; readonly value: Uint8Array }[];

/** Writes the values of a feature to files. */
class Extraction {
  readonly #flags: ExtractFlags;
  #feature: string;
  readonly #context: Context;
  readonly #signal: AbortSignal;
  readonly #options: FlagOptions;
  readonly #template: NameTemplate;
  readonly #contents: Contents;
  #names: ReadonlySet<string> = new Set();
  readonly #files: ValueFiles;
  /** The paths used so far; undefined if two records cannot have the same. */
  readonly #taken = new Set<string>();
  #left: number;
  #records = 0;
  /** Number of records without the feature. */
  #missing = 0;
  /** The names of the features of the first record. */
  #known: readonly string[] = [];

  constructor(flags: ExtractFlags, context: Context, signal: AbortSignal) {
    this.#flags = flags;
    this.#context = context;
    this.#signal = signal;
    this.#options = readOptions(flags, context.reporter);
    this.#template = flags.by === undefined ? flags.name : flags.name.inFolderOf(flags.by);
    this.#feature = flags.feature ?? '';
    this.#contents = contentsOf(flags);
    this.#files = new ValueFiles(flags.output, flags.force === true, signal);
    this.#left = flags.maxCount ?? Infinity;
  }

  async run(names: readonly string[]): Promise<void> {
    const { out, reporter } = this.#context;
    const files = await this.#context.files(names);
    await checkFolder(this.#flags.output);
    if (this.#flags.feature === undefined) {
      this.#feature = await findPictures(files, this.#options);
      reporter.note(`the pictures are in the feature ${JSON.stringify(this.#feature)}`);
    }
    this.#names = new Set([this.#feature, ...this.#template.features]);
    const progress = await this.#context.startProgress(files, this.#flags.progress);
    const totals = new Totals();
    try {
      for (const file of files) {
        if (this.#left <= 0) break;
        const options = { ...this.#options, signal: this.#signal };
        const stats = await readKeptBatches(file, options, async (batch, soFar) => {
          if (this.#known.length === 0 && batch.length > 0) this.#known = namesIn(batch.at(0)!);
          const more = await this.#take(batch);
          progress.update(totals.with(soFar));
          return more;
        });
        totals.add(stats);
      }
      await this.#files.end();
    } finally {
      await this.#files.settle();
      progress.clear();
    }
    if (this.#files.count === 0 && this.#left > 0) {
      const hint = nearestHint(this.#feature, this.#known);
      if (hint !== '') reporter.note(`no record has values in ${JSON.stringify(this.#feature)}.${hint}`);
      reporter.fault();
    }
    await out.line(this.#flags.json === true ? this.#summaryJson() : this.#summaryText());
  }

  /** Writes the values of a batch. Returns false if no more records of the file are needed. */
  async #take(batch: RecordBatch): Promise<boolean> {
    for (let i = 0; i < batch.length; i++) {
      if (this.#left <= 0) return false;
      const number = this.#records++;
      const planned = ofRecord(batch, i, this.#options, () => this.#plan(batch.at(i)!, number, batch.origin(i)!.file));
      if (planned === 'stop') return false;
      if (planned === 'skip') continue;
      for (const { segments, value } of planned.value.slice(0, this.#left)) {
        await this.#files.write(segments, value);
        this.#left--;
      }
    }
    return true;
  }

  /** Returns the values of a record with their paths. @throws TFRecordError TFR_FEATURE, TFR_EXAMPLE */
  #plan(record: Uint8Array, number: number, file: string): Planned {
    const features = decodeNamed(record, this.#names);
    const feature = this.#feature;
    const found = [features.context[feature], ...(features.featureLists[feature] ?? [])];
    const values = found.flatMap((one) => (one === undefined ? [] : this.#contents(one, feature)));
    if (values.length === 0) {
      this.#missing++;
      return [];
    }
    const path = this.#template.segments(features, { record: number, file: basename(file) });
    const planned = values.map((value, i) => {
      const name = values.length === 1 ? path.at(-1)! : `${path.at(-1)!}-${i}`;
      const named = withExtension(name, this.#flags.extension ?? extensionOf(value));
      return { segments: [...path.slice(0, -1), named], value };
    });
    if (!this.#template.isUnique) for (const { segments } of planned) this.#reserve(segments.join('/'));
    return planned;
  }

  /** Reserves `path`. @throws TFRecordError TFR_FEATURE if an earlier record has the same path */
  #reserve(path: string): void {
    if (this.#taken.has(path)) {
      const hint = 'Add {record} to --name.';
      throw new TFRecordError(
        'TFR_FEATURE',
        `An earlier record has the file name ${JSON.stringify(path)}, too. ${hint}`,
      );
    }
    this.#taken.add(path);
  }

  #summaryText(): string {
    const parts = [this.#files.text];
    if (this.#missing > 0)
      parts.push(`${plural(this.#missing, 'record')} without ${lineText(JSON.stringify(this.#feature))}`);
    return parts.join('; ');
  }

  #summaryJson(): string {
    const { types, ...files } = this.#files.summary;
    return lineJson({ ...files, records: this.#records, missing: this.#missing, types });
  }
}

/** Returns the form of the values. @throws UsageError */
function contentsOf({ feature, shape, rate, channels }: ExtractFlags): Contents {
  if (rate === undefined && channels !== 1) throw new UsageError('--channels needs --rate');
  if (shape === undefined && rate === undefined) return bytesAsTheyAre;
  if (feature === undefined) {
    throw new UsageError(`${shape === undefined ? '--rate' : '--shape'} needs --feature: raw values have no signature`);
  }
  return shape === undefined ? wavsOf(rate!, channels) : pngsOf(shape);
}
