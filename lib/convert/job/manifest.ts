/** The manifest: a file beside the outputs of a job that lists them and their inputs. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import {
  codeOf,
  counted,
  fromNodeError,
  isInteger,
  isObject,
  TFRecordError,
  asWrongUse,
  tfrecordError,
  advice,
  named,
  worded,
  shownUrl,
} from '../../base';
import { writeWhole } from '../../io';
import type { PartPlace } from '../../record';
import type { InputFile } from '../input/inputs';
import { isSide } from '../output/names';
import { MAX_PARTS } from './parts';

const FORMAT = 'tfrecord-native conversion';
const VERSION = 1;

/** A finished output. */
export interface ManifestOutput {
  /** Name of the file, in the folder of the manifest. */
  readonly file: string;
  /** The side of a split. */
  readonly side?: string | undefined;
  readonly records: number;
  /** Number of damaged records that the output lacks. For a split, the first side counts those of all sides. */
  readonly skipped: number;
  /** Number of bytes that were lost, because the rest of a file was given up; undefined for 0. */
  readonly lostBytes?: number | undefined;
  /** Size of the file. */
  readonly bytes: number;
  /** CRC-32C of the file, as eight hexadecimal digits. */
  readonly crc32c: string;
}

/** An input, as it was when the job began. */
export interface ManifestInput {
  readonly file: string;
  /** Size; null for a stream. */
  readonly bytes: number | null;
  /** Time of the last change (ISO 8601); null for a stream. For a folder of pictures: that of the last picture. */
  readonly modified: string | null;
  /** Number of pictures in a folder of pictures. */
  readonly pictures?: number | undefined;
  /** CRC-32C of the paths, sizes and times of these pictures. */
  readonly list?: string | undefined;
}

/** The part of the inputs that a job converts. */
export interface ManifestPart {
  readonly index: number;
  readonly count: number;
  /** Number of inputs of all parts together. */
  readonly files: number;
  /** CRC-32C of the list of all inputs, with sizes and times. */
  readonly list: string;
  /** If files are divided, the places of the boundaries of the part. */
  readonly begin?: PartPlace | undefined;
  readonly end?: PartPlace | undefined;
}

/** The options that change outputs, as JSON. */
export type ManifestOptions = Readonly<Record<string, unknown>>;

/** The content of a manifest. Runs of the same job differ in `seconds` and `finished` only. */
export interface Manifest {
  readonly complete: boolean;
  readonly options: ManifestOptions;
  readonly part?: ManifestPart | undefined;
  /** Number of parts that were merged. */
  readonly merged?: number | undefined;
  readonly inputs: readonly ManifestInput[];
  readonly outputs: readonly ManifestOutput[];
  readonly records: number;
  readonly skipped: number;
  readonly lostBytes?: number | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Duration of the last run, in seconds. */
  readonly seconds: number;
  /** End of the last run (ISO 8601). */
  readonly finished: string;
}

/** The members of a manifest that are the same for each run of a job. */
export type JobIdentity = Pick<Manifest, 'options' | 'inputs' | 'part'>;

/** The entries of a manifest for `files`. */
export function manifestInputs(files: readonly InputFile[]): ManifestInput[] {
  return files.map(({ file, bytes, modified, pictures, list }) => ({
    // Without what may be a secret.
    file: shownUrl(file),
    bytes: bytes ?? null,
    modified: modified === undefined ? null : new Date(modified).toISOString(),
    ...(pictures === undefined ? {} : { pictures, list }),
  }));
}

const FORCE = named('force', 'force', true);

/**
 * Returns the text of the manifest at `path`; undefined if it is missing. `refused`: the error for what is no regular file. @throws
 * TFRecordError with Node's code if it cannot be read
 */
export async function readManifestText(
  path: string,
  refused: (path: string, why: string) => TFRecordError,
): Promise<string | undefined> {
  try {
    // Reading a pipe would never end.
    if (!(await stat(path)).isFile()) throw refused(path, 'it is not a regular file');
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fromNodeError(error, path, 'open');
  }
}

/**
 * Reads the manifest at `path`; undefined if it is missing. `force`: the option that replaces it. @throws TFRecordError
 * TFR_STATE_MISMATCH if the file is not a manifest of this version
 */
export async function readManifest(path: string, force = FORCE): Promise<Manifest | undefined> {
  const text = await readManifestText(path, strange);
  if (text === undefined) return undefined;
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    const cure = advice` Run its job again: ${force} begins anew.`;
    throw tfrecordError('TFR_STATE_MISMATCH', worded`${path} is damaged: it is not JSON.${cure}`, {
      file: path,
      cause,
    });
  }
  if (!isObject(found) || found['format'] !== FORMAT) throw strange(path, `it has no "format": "${FORMAT}"`);
  if (found['version'] !== VERSION)
    throw strange(path, `its version is ${JSON.stringify(found['version']).slice(0, 100)}, not ${VERSION}`);
  const { format: _format, version: _version, ...manifest } = found;
  if (!isManifest(manifest)) throw strange(path, 'a member is missing or has the wrong type');
  return manifest;
}

function strange(path: string, why: string): TFRecordError {
  return asWrongUse(
    new TFRecordError('TFR_STATE_MISMATCH', `${path} is not the manifest of a conversion: ${why}.`, { file: path }),
  );
}

/** True for an object with the members of a {@link JobIdentity}. */
export function isJobIdentity(value: Record<string, unknown>): value is Record<string, unknown> & JobIdentity {
  const { options, part, inputs } = value;
  return isObject(options) && (part === undefined || isPart(part)) && Array.isArray(inputs) && inputs.every(isInput);
}

function isManifest(value: Record<string, unknown>): value is Record<string, unknown> & Manifest {
  const { complete, merged, outputs, seconds, finished } = value;
  const counts = [value['records'], value['skipped'], value['lostBytes'] ?? 0, value['bytesIn'], value['bytesOut']];
  return (
    isJobIdentity(value) &&
    typeof complete === 'boolean' &&
    (merged === undefined || isCount(merged)) &&
    Array.isArray(outputs) &&
    outputs.every(isOutput) &&
    counts.every((count) => isInteger(count, 0)) &&
    typeof seconds === 'number' &&
    typeof finished === 'string'
  );
}

function isPart(value: unknown): value is ManifestPart {
  if (!isObject(value)) return false;
  const { index, count, files, list, begin, end } = value;
  const divided = begin === undefined ? end === undefined : isPlace(begin) && isPlace(end);
  return isInteger(index, 0) && isCount(count) && isInteger(files, 0) && typeof list === 'string' && divided;
}

function isPlace(value: unknown): value is PartPlace {
  return Array.isArray(value) && value.length === 2 && value.every((each) => isInteger(each, 0));
}

/** True for a number of parts. */
function isCount(value: unknown): boolean {
  return isInteger(value, 1) && value <= MAX_PARTS;
}

function isInput(value: unknown): value is ManifestInput {
  if (!isObject(value)) return false;
  const { file, bytes, modified, pictures, list } = value;
  return (
    typeof file === 'string' &&
    (pictures === undefined || isInteger(pictures, 0)) &&
    (list === undefined || typeof list === 'string') &&
    (bytes === null || isInteger(bytes, 0)) &&
    (modified === null || typeof modified === 'string')
  );
}

/** Names must refer to files in the folder of the manifest. */
function isOutput(value: unknown): value is ManifestOutput {
  if (!isObject(value)) return false;
  const { file, side, records, skipped, lostBytes, bytes, crc32c } = value;
  return (
    typeof file === 'string' &&
    /^[^/\\\0]+$/.test(file) &&
    !/^\.\.?$/.test(file) &&
    (side === undefined || (typeof side === 'string' && isSide(side))) &&
    isInteger(records, 0) &&
    isInteger(skipped, 0) &&
    (lostBytes === undefined || isInteger(lostBytes, 0)) &&
    isInteger(bytes, 0) &&
    typeof crc32c === 'string'
  );
}

/** The manifest of a job now, with the outputs that it has finished. `begun`: a time of `performance.now()`. */
export function manifestOf(
  job: JobIdentity,
  outputs: readonly ManifestOutput[],
  { complete, bytesIn, begun }: { readonly complete: boolean; readonly bytesIn: number; readonly begun: number },
): Manifest {
  return {
    complete,
    ...job,
    outputs,
    ...totalsOf(outputs),
    bytesIn,
    seconds: (performance.now() - begun) / 1000,
    finished: new Date().toISOString(),
  };
}

/** The text of a manifest. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...manifest }, null, 1)}\n`;
}

/** Writes `manifest` to `path`, replacing an older one. Returns the size. */
export async function writeManifest(path: string, manifest: Manifest): Promise<number> {
  const text = manifestText(manifest);
  await writeWhole(path, text).catch((error: unknown) => {
    throw fromNodeError(error, path, 'open');
  });
  return text.length;
}

/** The outputs of `manifest` that exist, by name. `folder`: the folder of the outputs. */
export async function finishedOutputs(folder: string, { outputs }: Manifest): Promise<Map<string, ManifestOutput>> {
  const finished = new Map<string, ManifestOutput>();
  for (const output of outputs) {
    const there = await stat(join(folder, output.file)).catch(() => undefined);
    if (there?.isFile() === true && there.size === output.bytes) finished.set(output.file, output);
  }
  return finished;
}

/** Number of files in `inputs`. */
export function filesIn(inputs: readonly ManifestInput[]): number {
  return inputs.reduce((sum, { pictures = 1 }) => sum + pictures, 0);
}

/** The sums of `outputs`. `lostBytes`: undefined if nothing was lost. */
export function totalsOf(
  outputs: readonly ManifestOutput[],
): Pick<Manifest, 'records' | 'skipped' | 'lostBytes' | 'bytesOut'> {
  const sum = (of: (output: ManifestOutput) => number): number => outputs.reduce((all, output) => all + of(output), 0);
  const lostBytes = sum((output) => output.lostBytes ?? 0);
  return {
    records: sum(({ records }) => records),
    skipped: sum(({ skipped }) => skipped),
    ...(lostBytes === 0 ? {} : { lostBytes }),
    bytesOut: sum(({ bytes }) => bytes),
  };
}

/**
 * Checks that the manifest at `path` belongs to the job with `options`, `inputs` and `part`.
 * @throws TFRecordError TFR_STATE_MISMATCH, naming the difference
 */
export function checkSameJob(path: string, manifest: JobIdentity, { options, inputs, part }: JobIdentity): void {
  const mismatch = (what: string, expected: string, found: string): TFRecordError =>
    asWrongUse(
      tfrecordError(
        'TFR_STATE_MISMATCH',
        worded`The outputs of ${path} were made with ${what}: ${expected} then, ${found} now.${advice` ${FORCE} begins anew.`}`,
        { file: path, expected, found },
      ),
    );
  const json = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
  for (const name of new Set([...Object.keys(manifest.options), ...Object.keys(options)])) {
    const [then, now] = [json(manifest.options[name]), json(options[name])];
    if (then !== now) throw mismatch(`another option "${shown(name)}"`, shown(then), shown(now));
  }
  const [partThen, partNow] = [json(manifest.part), json(part)];
  if (partThen !== partNow) throw mismatch('another part', shown(partThen), shown(partNow));
  const count = Math.max(manifest.inputs.length, inputs.length);
  for (let i = 0; i < count; i++) {
    const [then, now] = [describe(manifest.inputs[i]), describe(inputs[i])];
    if (then !== now) throw mismatch(`other inputs (number ${i} differs)`, shown(then), shown(now));
  }
}

/** Maximum length of a value from a manifest in a message. */
const MAX_SHOWN = 200;

/** `text`, shortened for a message. */
export function shown(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

function describe(input: ManifestInput | undefined): string {
  if (input === undefined) return 'no file';
  const { file, bytes, modified, pictures, list } = input;
  const which = pictures === undefined ? '' : `, ${pictures} pictures (list ${list ?? '?'})`;
  return bytes === null ? file : `${file} of ${counted(bytes, 'byte')}${which}, changed ${modified ?? '?'}`;
}
