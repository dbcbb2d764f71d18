import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { codeOf, counted, fromNodeError, type TFRecordError, tfrecordError, advice, worded } from '../../base';
import { sumOf } from '../engine/fingerprint';
import { seedFromText } from '../random';
import type { CacheKey } from './cache-key';
import type { FormData } from './stored-form';

const NAME = 'cache.json';
const VERSION = 1;

/**
 * A place where reading can begin: the numbers of the element and of its record in the file, and the byte offset there.
 */
export type IndexPoint = readonly [element: number, record: number, offset: number];

/** One file of a cache. */
export interface Shard {
  readonly name: string;
  readonly bytes: number;
  /** Ascending; the first point is the start of the file. */
  readonly index: readonly IndexPoint[];
}

/** Everything that reading a cache needs. */
export interface Manifest extends CacheKey {
  readonly version: number;
  /** The version of Node that wrote it: the reader's must be as new. */
  readonly node: string;
  /** Identifies the cache; each of its chunks has it. */
  readonly id: string;
  /** The seed, if the order was drawn; else null. */
  readonly seed: string | null;
  readonly elements: number;
  readonly forms: readonly (FormData | null)[];
  readonly shards: readonly Shard[];
}

/** Writes `manifest` to `folder`, and flushes it to the disk. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'version' | 'node'>): Promise<void> {
  const file = join(folder, NAME);
  try {
    const handle = await open(file, 'wx');
    try {
      const whole: Manifest = { version: VERSION, node: process.version, ...manifest };
      await handle.writeFile(`${JSON.stringify({ ...whole, sum: sumOf(whole) })}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fromNodeError(error, file);
  }
}

/**
 * Reads the manifest of the cache in `folder`; undefined if there is no cache. Rejects with a TFRecordError:
 * TFR_STATE_MISMATCH if the cache has another key, TFR_DECODE or TFR_TRUNCATED if it is damaged, EEXIST if the folder
 * contains something else, or the code of the file system.
 */
export async function readManifest(folder: string, key: CacheKey): Promise<Manifest | undefined> {
  const text = await textOf(folder);
  if (text === undefined) return undefined;
  const manifest = parse(text, join(folder, NAME));
  compare(manifest, key, folder);
  for (const { name, bytes } of manifest.shards) {
    const file = join(folder, name);
    const { size } = await stat(file).catch((error: unknown) => {
      throw fromNodeError(error, file);
    });
    if (size !== bytes) throw damaged('TFR_TRUNCATED', file, counted(bytes, 'byte'), counted(size, 'byte'));
  }
  return manifest;
}

/** Returns the error for a damaged file of a cache. */
export function damaged(
  code: 'TFR_DECODE' | 'TFR_TRUNCATED',
  file: string,
  expected: string,
  found: string,
  cause?: unknown,
): TFRecordError {
  return tfrecordError(
    code,
    worded`${file}, a file of a cache, is damaged: expected ${expected}, found ${found}.${advice` Delete the cache; it is made again.`}`,
    { file, expected, found, cause },
  );
}

async function textOf(folder: string): Promise<string | undefined> {
  const text = await fileText(folder);
  if (text !== undefined) return text;
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (codeOf(error) === 'ENOENT') return [];
    throw fromNodeError(error, folder);
  });
  if (names.length === 0) return undefined;
  // Another process may have finished the cache after the first check.
  const late = names.includes(NAME) ? await fileText(folder) : undefined;
  if (late !== undefined) return late;
  throw tfrecordError(
    'EEXIST',
    worded`${folder} is no cache: there is something else.${advice` Give cache() a name of its own.`}`,
    { file: folder },
  );
}

/** Returns the text of the manifest; undefined if the file is missing. */
async function fileText(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, NAME), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fromNodeError(error, folder);
  }
}

function parse(text: string, file: string): Manifest {
  let parsed: (Partial<Manifest> & { readonly sum?: unknown }) | undefined;
  try {
    parsed = (JSON.parse(text) ?? undefined) as typeof parsed;
  } catch {
    // Text that is not JSON gets the error below.
  }
  const { sum, ...manifest } = parsed ?? {};
  if (manifest.version !== VERSION)
    throw damaged('TFR_DECODE', file, `version ${VERSION} of a cache`, text.slice(0, 40));
  if (sum !== sumText(manifest)) throw damaged('TFR_DECODE', file, 'what was written', 'something else');
  return checkManifest(manifest, file);
}

/** Returns the checksum of `manifest`; undefined if it is nested too deep. */
function sumText(manifest: object): string | undefined {
  try {
    return sumOf(manifest);
  } catch {
    return undefined;
  }
}

function compare(manifest: Manifest, key: CacheKey, folder: string): void {
  const differs = (expected: string, found: string): TFRecordError =>
    tfrecordError(
      'TFR_STATE_MISMATCH',
      worded`The cache in ${folder} was made of something else: expected ${expected}, found ${found}.${advice` Delete it, or give this one another name.`}`,
      { stage: 'cache', file: folder, expected, found },
    );
  if (manifest.graph !== key.graph) throw differs(key.graph, manifest.graph);
  if (manifest.code !== key.code) throw differs('the functions and specs of the stages', 'others');
  if (manifest.files !== key.files) throw differs('the files that are read, as they are', 'others, or older ones');
}

/** Returns the name of file `number` in the folder of a cache. */
export function shardName(number: number): string {
  return `cache-${String(number).padStart(5, '0')}.tfrecord`;
}

/**
 * Checks `manifest`, which is not trusted, member by member. Files must have the names of {@link shardName}, so that no
 * file outside the folder is read. `file` is the path of the manifest. @throws TFRecordError TFR_DECODE
 */
function checkManifest(manifest: Readonly<Record<string, unknown>>, file: string): Manifest {
  const { graph, code, files, version, node, id, seed, elements, forms, shards } = manifest;
  const wrong = (expected: string, found: unknown): Error =>
    damaged('TFR_DECODE', file, expected, inspect(found, { breakLength: Infinity }).slice(0, 100));
  const text = (name: string, value: unknown): string => {
    if (typeof value !== 'string') throw wrong(`a text as ${name}`, value);
    return value;
  };
  const count = (name: string, value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): number => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw wrong(`${name} from ${least} to ${most}`, value);
  };
  const list = (name: string, value: unknown): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    throw wrong(`a list as ${name}`, value);
  };
  const member = (name: string, value: unknown): Readonly<Record<string, unknown>> => {
    if (typeof value === 'object' && value !== null) return { ...value };
    throw wrong(`an object in ${name}`, value);
  };

  if (seed !== null && seedFromText(seed) === undefined) throw wrong('a seed, or null', seed);
  const all = count('elements', elements);
  let last: IndexPoint = [0, 0, 0];
  const pointsOf = (given: unknown, bytes: number): IndexPoint[] => {
    const points = list('index', given);
    if (points.length === 0) throw wrong('a place to begin at in each file', given);
    last = [last[0], 0, 0];
    return points.map((point, i): IndexPoint => {
      const [element, record, offset] = list('index', point);
      // The first position is the start of the file; positions ascend.
      const most = i === 0 ? 0 : bytes;
      last = [
        count('elements before a place', element, last[0], all),
        count('records before a place', record, last[1], most),
        count('bytes before a place', offset, last[2], most),
      ];
      return last;
    });
  };
  const shardOf = (given: unknown, number: number): Shard => {
    const { name, bytes, index } = member('shards', given);
    const expected = shardName(number);
    if (name !== expected) throw wrong(`a file ${expected}`, name);
    const size = count('bytes of a file', bytes);
    return { name: expected, bytes: size, index: pointsOf(index, size) };
  };
  return {
    graph: text('graph', graph),
    code: text('code', code),
    files: text('files', files),
    version: count('version', version),
    node: text('node', node),
    id: text('id', id),
    seed: seed as string | null,
    elements: all,
    forms: list('forms', forms).map((form) =>
      form === null ? null : member('forms', form),
    ) as unknown as Manifest['forms'],
    shards: list('shards', shards).map(shardOf),
  };
}
