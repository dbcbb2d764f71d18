import { Option, type Command } from 'commander';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { fromNodeError, isBucketUrl, objectScheme, shownUrl } from '../../base';
import { INDEX_SUFFIX, lookAtInput } from '../../io';
import { RecordIndex, type IndexFormat, type IndexOptions } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { addContentFlags, addFiles } from '../flags';
import { checkApart, checkNew } from '../output';
import { addPartFlags, describeShard, refusePartFlags, type PartFlags, type WriteMerged } from '../parts';
import type { Progress } from '../terminal/progress';
import { UsageError } from '../terminal/reporter';
import { lineJson, lineText, plural } from '../terminal/text';

interface IndexFlags extends PartFlags {
  readonly key?: string;
  readonly export?: IndexFormat;
  readonly import?: string;
  readonly checkpointBytes?: number;
  readonly json?: boolean;
}

/** Number of files that are read at a time. */
const AT_ONCE = 4;
/** Maximum number of faults to report for each file. */
const MOST_FAULTS = 5;

/** The extensions of the names that other programs expect. */
const EXTENSIONS: Readonly<Record<IndexFormat, string>> = {
  indexed_gzip: 'gzidx',
  gztool: 'gzi',
  bgzip: 'gzi',
  tfrecord2idx: 'idx',
};

const NOTES = `
Files are read once and checked, four at a time. Then get, head --skip, sample and count --by-index
use FILE.tfindex as long as it fits the file; a file that has changed needs a new index. The index of
a damaged file has the records before the damage, and the exit code is 1.

--export writes the index of another program: FILE.gzidx for indexed_gzip, or FILE.gzi for gztool or
bgzip, of a GZIP file; FILE.idx of a plain file, as tfrecord2idx of DALI writes it. --import reads
such an index, to scan a GZIP file on several threads, or to compare the records of a plain file.

--shard i/N -o OUT indexes part i of N of the files, and leaves a report in OUT.part-i-of-N.
"tfrecord merge OUT" writes what one run prints to OUT when all parts are there.
`;

export const indexCommand: CommandDefinition = (program, begin) =>
  addIndexFlags(program.command('index').description('Save where each record is, as FILE.tfindex.'))
    .addHelpText('after', NOTES)
    .action((files: readonly string[], flags: IndexFlags) => indexFiles(files, flags, begin()));

function addIndexFlags(command: Command): Command {
  return addPartFlags(addContentFlags(addFiles(command, 'paths, URLs, folders, patterns, or name@N for N shards')))
    .option('-o, --output <file>', 'the index of one file (default: FILE.tfindex); with --shard: the file of all parts')
    .option('--force', 'replace the file that --output names, or a part that exists')
    .option('--key <feature>', 'store the values of this feature, for get --key')
    .addOption(
      new Option('--export <program>', 'write the index of another program instead').choices(Object.keys(EXTENSIONS)),
    )
    .option('--import <file>', 'scan one file by the index of another program')
    .option('--json', 'one JSON object for each file, for programs')
    .option('--no-progress', 'no progress bar on a terminal');
}

async function indexFiles(names: readonly string[], flags: IndexFlags, context: Context): Promise<void> {
  if (names.includes('-')) throw new UsageError('standard input cannot have an index: it cannot be read again');
  if (flags.key !== undefined && flags.export !== undefined)
    throw new UsageError('--key cannot be combined with --export: indexes of other programs have no keys');
  refusePartFlags(flags, 'resume');
  const files = await context.files(names);
  if (flags.shard !== undefined) {
    await indexPart(files, flags, context);
    return;
  }
  if (flags.output !== undefined && files.length > 1) {
    throw new UsageError(`--output names one index, and there are ${plural(files.length, 'file')}`);
  }
  if (flags.import !== undefined && files.length > 1) {
    throw new UsageError(`--import names the index of one file, and there are ${plural(files.length, 'file')}`);
  }
  const remote = files.find((file) => objectScheme(file) !== undefined && !isBucketUrl(file));
  if (remote !== undefined && flags.output === undefined) {
    throw new UsageError(`--output must name a file for the index of ${shownUrl(remote)}: an HTTP server stores none`);
  }
  if (flags.output !== undefined) {
    await checkApart(flags.output, flags.import === undefined ? files : [...files, flags.import]);
    await checkNew(flags.output, flags.force);
  }
  await checkRegular(files);
  const print = async (line: string): Promise<void> => {
    await context.out.line(line);
    await context.out.flush();
  };
  const progress = await context.startProgress(files, flags.progress);
  await indexAll(files, flags, context, progress, { print, fail: (error) => context.reporter.error(error) });
}

/** Saves the indexes of the files of a part beside them. A part with a file that cannot be indexed fails. */
async function indexPart(files: readonly string[], flags: IndexFlags, context: Context): Promise<void> {
  if (flags.import !== undefined) throw new UsageError('--import is for one file: leave out --shard');
  await checkRegular(files);
  const { reporter } = context;
  // Parts of only some files would fit no others.
  if (files.length === 0 || reporter.exitCode !== 0) return;
  const { json, key, export: format } = flags;
  // The index of each file is beside it.
  const { output: _output, ...own } = flags;
  const output = { json: json === true, key: key ?? null, export: format ?? null };
  const work = async (some: readonly string[], progress: Progress): Promise<{ records: number; lines: string[] }> => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const fail = (error: unknown): void => {
      throw error;
    };
    const records = await indexAll(some, own, context, progress, { print, fail });
    return { records, lines };
  };
  await describeShard('index', files, flags, output, context, { work });
}

/** Returns what one run prints about the files of all parts. */
export const mergedIndexes: WriteMerged = (parts) =>
  Promise.resolve(
    parts
      .lines()
      .map((line) => `${line}\n`)
      .join(''),
  );

/** Indexes `files`, and calls `print` with a line, or `fail` with an error, for each. Resolves with the number of records. */
async function indexAll(
  files: readonly string[],
  flags: IndexFlags,
  context: Context,
  progress: Progress,
  { print, fail }: { print: (line: string) => Promise<void> | void; fail: (error: unknown) => void },
): Promise<number> {
  const totals = { bytes: 0, records: 0 };
  const scans: Promise<Scanned>[] = [];
  try {
    for (const [i, file] of files.entries()) {
      // Files are read side by side, and reported in their order.
      while (scans.length < Math.min(files.length, i + AT_ONCE) && !context.out.closed) {
        const next = files[scans.length]!;
        scans.push(scanned(context.writing((signal) => indexFile(next, flags, signal, progress, totals))));
      }
      const scan = await scans[i];
      if (scan === undefined) break;
      progress.clear();
      if ('error' in scan) fail(scan.error);
      else await print(await report(file, scan.index, flags, context));
    }
    return totals.records;
  } finally {
    await Promise.all(scans);
    progress.clear();
  }
}

/** An index that was saved, or the error. */
type Scanned = { readonly index: SavedIndex } | { readonly error: unknown };

interface SavedIndex {
  readonly path: string;
  readonly index: RecordIndex;
}

async function scanned(saving: Promise<SavedIndex>): Promise<Scanned> {
  try {
    return { index: await saving };
  } catch (error) {
    return { error };
  }
}

async function indexFile(
  file: string,
  flags: IndexFlags,
  signal: AbortSignal,
  progress: Progress,
  totals: { bytes: number; records: number },
): Promise<SavedIndex> {
  const { compression, verify, maxRecordBytes, key: keys, export: format } = flags;
  const path = flags.output ?? `${file}${format === undefined ? INDEX_SUFFIX : `.${EXTENSIONS[format]}`}`;
  if (objectScheme(path) === undefined) await checkFolder(path);
  const last = { bytes: 0, records: 0 };
  const options: IndexOptions = {
    compression,
    verify,
    maxRecordBytes,
    keys,
    signal,
    onProgress: ({ records, compressedBytes }) => {
      totals.bytes += compressedBytes - last.bytes;
      totals.records += records - last.records;
      [last.bytes, last.records] = [compressedBytes, records];
      progress.update(totals);
    },
  };
  await using index =
    flags.import === undefined
      ? RecordIndex.scan(file, options)
      : await RecordIndex.import(flags.import, file, options);
  await index.done;
  const foreign = index.faults.find(({ code }) => code === 'TFR_NOT_TFRECORD');
  if (foreign !== undefined) throw foreign;
  if (format === undefined) await index.save(path);
  else await index.export(path, format);
  return { path, index };
}

/** Reports the faults that an index, which is closed, has found. Returns the line about it. */
async function report(
  file: string,
  { path, index }: SavedIndex,
  { json, key: keys }: IndexFlags,
  { reporter }: Context,
): Promise<string> {
  const { records, damaged, isCut } = index;
  for (const fault of index.faults.slice(0, MOST_FAULTS)) reporter.error(fault);
  if (index.faults.length > MOST_FAULTS) {
    reporter.note(`${plural(index.faults.length - MOST_FAULTS, 'more fault')} in ${file}: tfrecord verify lists all`);
  }
  if (index.keys?.count === 0 && records > 0) {
    reporter.note(`no record of ${file} has a value of ${JSON.stringify(keys)}: tfrecord schema lists the features`);
  }
  const bytes = objectScheme(path) === undefined ? (await stat(path)).size : (await lookAtInput(path, undefined))?.size;
  return json === true
    ? lineJson({ file, index: path, records, bytes, damaged, isCut })
    : `${lineText(path)}: ${plural(records, 'record')}, ${plural(bytes ?? 0, 'byte')}`;
}

/** @throws UsageError for a pipe or a device. Files that cannot be looked at are errors of the scan. */
async function checkRegular(files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (objectScheme(file) !== undefined) continue;
    const found = await stat(file).catch(() => undefined);
    if (found === undefined || found.isFile() || found.isDirectory()) continue;
    throw new UsageError(
      `${lineText(file)} is a pipe or a device, which cannot have an index: only files can be read again`,
    );
  }
}

/** Notices before the scan that no index can be written to `path`. @throws TFRecordError */
async function checkFolder(path: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => undefined);
  // A device or a pipe is written in place.
  if (found?.isFile() === false) return;
  try {
    await access(dirname(target), constants.W_OK);
  } catch (cause) {
    throw fromNodeError(cause, path, 'write');
  }
}
