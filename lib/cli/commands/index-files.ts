import { Option, type Command } from 'commander';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { fromNodeError, isBucketUrl, objectScheme, shownUrl } from '../../base';
import { INDEX_SUFFIX, lookAtInput } from '../../io';
import { RecordIndex, type IndexFormat, type IndexOptions } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { addContentFlags, addFiles, type ContentFlags } from '../flags';
import { checkApart, checkNew } from '../output';
import type { Progress } from '../terminal/progress';
import { UsageError } from '../terminal/reporter';
import { lineJson, lineText, plural } from '../terminal/text';

interface IndexFlags extends ContentFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly key?: string;
  readonly export?: IndexFormat;
  readonly import?: string;
  readonly checkpointBytes?: number;
  readonly json?: boolean;
  readonly progress: boolean;
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
`;

export const indexCommand: CommandDefinition = (program, begin) =>
  addIndexFlags(program.command('index').description('Save where each record is, as FILE.tfindex.'))
    .addHelpText('after', NOTES)
    .action((files: readonly string[], flags: IndexFlags) => indexFiles(files, flags, begin()));

function addIndexFlags(command: Command): Command {
  return addContentFlags(addFiles(command, 'paths, URLs, folders, patterns, or name@N for N shards'))
    .option('-o, --output <file>', 'the index of one file (default: FILE.tfindex)')
    .option('--force', 'replace the file that --output names')
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
  const files = await context.files(names);
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
  const progress = await context.startProgress(files, flags.progress);
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
      if (scan === undefined) return;
      progress.clear();
      if ('error' in scan) context.reporter.error(scan.error);
      else await report(file, scan.index, flags, context);
    }
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

/** Prints the facts of an index, which is closed. */
async function report(
  file: string,
  { path, index }: SavedIndex,
  { json, key: keys }: IndexFlags,
  { out, reporter }: Context,
): Promise<void> {
  const { records, damaged, isCut } = index;
  for (const fault of index.faults.slice(0, MOST_FAULTS)) reporter.error(fault);
  if (index.faults.length > MOST_FAULTS) {
    reporter.note(`${plural(index.faults.length - MOST_FAULTS, 'more fault')} in ${file}: tfrecord verify lists all`);
  }
  if (index.keys?.count === 0 && records > 0) {
    reporter.note(`no record of ${file} has a value of ${JSON.stringify(keys)}: tfrecord schema lists the features`);
  }
  const bytes = objectScheme(path) === undefined ? (await stat(path)).size : (await lookAtInput(path, undefined))?.size;
  await out.line(
    json === true
      ? lineJson({ file, index: path, records, bytes, damaged, isCut })
      : `${lineText(path)}: ${plural(records, 'record')}, ${plural(bytes ?? 0, 'byte')}`,
  );
  await out.flush();
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
