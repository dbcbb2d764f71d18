/** The manifest of a part of a description: which job it belongs to, and what was found. */
import { asWrongUse, fromNodeError, isInteger, isObject, TFRecordError } from '../../base';
import { writeWhole } from '../../io';
import { isJobIdentity, readManifestText, type JobIdentity } from '../job/manifest';

const FORMAT = 'tfrecord-native description';
const VERSION = 1;

/** The commands that describe records in parts. */
export const DESCRIBE_COMMANDS = ['count', 'index', 'schema', 'stats', 'validate'] as const;
export type DescribeCommand = (typeof DESCRIBE_COMMANDS)[number];

/** The numbers of records in a file, or in the part of one. */
export interface FileCount {
  readonly file: string;
  readonly records: number;
  /** Number of damaged records that were left out. */
  readonly skipped: number;
  readonly lostBytes: number;
}

/** The content of a manifest. `options` has what changes the result, and the form of the output. */
export interface DescriptionManifest extends JobIdentity {
  readonly complete: boolean;
  readonly command: DescribeCommand;
  readonly records: number;
  readonly skipped: number;
  readonly lostBytes: number;
  /** For `count`: the files of the part, in order. */
  readonly counts?: readonly FileCount[] | undefined;
  /** For `index`: the lines that one run prints about the files of the part. */
  readonly lines?: readonly string[] | undefined;
  /** For the others: the size of the file with what was found, in bytes. */
  readonly bytes?: number | undefined;
  readonly seconds: number;
  /** End of the run (ISO 8601). */
  readonly finished: string;
}

/** Writes a manifest to `path`, replacing an older one. */
export async function writeDescription(path: string, manifest: DescriptionManifest): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, version: VERSION, ...manifest }, null, 1)}\n`;
  await writeWhole(path, text).catch((error: unknown) => {
    throw fromNodeError(error, path, 'open');
  });
}

/**
 * Reads the manifest at `path`; undefined if it is missing. @throws TFRecordError TFR_STATE_MISMATCH if the file is not the
 * manifest of a description of this version
 */
export async function readDescription(path: string): Promise<DescriptionManifest | undefined> {
  const found = await readJson(path);
  if (found === undefined) return undefined;
  if (!isDescription(found)) throw strange(path, `it has no "format": "${FORMAT}"`);
  if (found['version'] !== VERSION) {
    throw strange(path, `its version is ${JSON.stringify(found['version']).slice(0, 100)}, not ${VERSION}`);
  }
  const { format: _format, version: _version, ...manifest } = found;
  if (!isManifest(manifest)) throw strange(path, 'a member is missing or has the wrong type');
  return manifest;
}

/** True if the manifest at `path` is one of a description; false for another file, undefined if it is missing. */
export async function isDescriptionAt(path: string): Promise<boolean | undefined> {
  try {
    const found = await readJson(path);
    return found && isDescription(found);
  } catch {
    return false;
  }
}

async function readJson(path: string): Promise<Record<string, unknown> | undefined> {
  const text = await readManifestText(path, strange);
  if (text === undefined) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    if (isObject(found)) return found;
  } catch {
    // The error below says it.
  }
  throw strange(path, 'it is not a JSON object');
}

function isDescription(found: Record<string, unknown>): boolean {
  return found['format'] === FORMAT;
}

function strange(path: string, why: string): TFRecordError {
  return asWrongUse(
    new TFRecordError('TFR_STATE_MISMATCH', `${path} is not the manifest of a part of a description: ${why}.`, {
      file: path,
    }),
  );
}

function isManifest(value: Record<string, unknown>): value is Record<string, unknown> & DescriptionManifest {
  const { complete, command, counts, lines, bytes, seconds, finished } = value;
  return (
    isJobIdentity(value) &&
    typeof complete === 'boolean' &&
    DESCRIBE_COMMANDS.some((name) => name === command) &&
    ['records', 'skipped', 'lostBytes'].every((name) => isInteger(value[name], 0)) &&
    (counts === undefined || (Array.isArray(counts) && counts.every(isFileCount))) &&
    (lines === undefined || (Array.isArray(lines) && lines.every((line) => typeof line === 'string'))) &&
    (bytes === undefined || isInteger(bytes, 0)) &&
    typeof seconds === 'number' &&
    typeof finished === 'string'
  );
}

function isFileCount(value: unknown): value is FileCount {
  if (!isObject(value)) return false;
  return (
    typeof value['file'] === 'string' && ['records', 'skipped', 'lostBytes'].every((name) => isInteger(value[name], 0))
  );
}
