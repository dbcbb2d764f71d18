import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { TFRecordError } from '../../errors';
import { fromNodeError } from '../../record';
import { sumOf } from '../engine/fingerprint';
import type { CacheKey } from './cache-key';
import { checkManifest } from './check-manifest';
import type { FormData } from './kept-form';

const NAME = 'cache.json';
const VERSION = 1;

/** A place to begin at: number of the element, of the record in its file, and its byte there. */
export type IndexPoint = readonly [element: number, record: number, offset: number];

/** One file of a cache. */
export interface Shard {
  readonly name: string;
  readonly bytes: number;
  /** Ascending; the first is the start. */
  readonly index: readonly IndexPoint[];
}

/** What is needed to read a cache back. */
export interface Manifest extends CacheKey {
  readonly version: number;
  /** Of Node: what reads it has to be as new. */
  readonly node: string;
  /** Known to each chunk of the cache. */
  readonly id: string;
  /** What the order was drawn with, where something was drawn. */
  readonly seed: string | null;
  readonly elements: number;
  readonly forms: readonly (FormData | null)[];
  readonly shards: readonly Shard[];
}

/** Writes `manifest` to the cache in `folder`, to the disk. */
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
 * What the cache in `folder` has; undefined where there is none. Rejects with a TFRecordError: TFR_STATE_MISMATCH where it
 * was made of something else than `key`, TFR_DECODE and TFR_TRUNCATED where it is damaged, EEXIST where the folder holds
 * something else, what the file system says.
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
    if (size !== bytes) throw damaged('TFR_TRUNCATED', file, `${bytes} bytes`, `${size} bytes`);
  }
  return manifest;
}

/** What is wrong with a file of a cache. */
export function damaged(
  code: 'TFR_DECODE' | 'TFR_TRUNCATED',
  file: string,
  expected: string,
  found: string,
  cause?: unknown,
): TFRecordError {
  return new TFRecordError(
    code,
    `${file}, a file of a cache, is damaged: expected ${expected}, found ${found}. Delete the cache; it is made again.`,
    { file, expected, found, cause },
  );
}

async function textOf(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, NAME), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fromNodeError(error, folder);
  }
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fromNodeError(error, folder);
  });
  if (names.length === 0) return undefined;
  throw new TFRecordError('EEXIST', `${folder} is no cache: there is something else. Give cache() a name of its own.`, {
    file: folder,
  });
}

function parse(text: string, file: string): Manifest {
  let parsed: (Partial<Manifest> & { readonly sum?: unknown }) | undefined;
  try {
    parsed = (JSON.parse(text) ?? undefined) as typeof parsed;
  } catch {
    // As below.
  }
  const { sum, ...manifest } = parsed ?? {};
  if (manifest.version !== VERSION)
    throw damaged('TFR_DECODE', file, `version ${VERSION} of a cache`, text.slice(0, 40));
  if (sum !== sumText(manifest)) throw damaged('TFR_DECODE', file, 'what was written', 'something else');
  return checkManifest(manifest, file);
}

/** Undefined if `manifest` is nested too deep. */
function sumText(manifest: object): string | undefined {
  try {
    return sumOf(manifest);
  } catch {
    return undefined;
  }
}

function compare(manifest: Manifest, key: CacheKey, folder: string): void {
  const differs = (expected: string, found: string): TFRecordError =>
    new TFRecordError(
      'TFR_STATE_MISMATCH',
      `The cache in ${folder} was made of something else: expected ${expected}, found ${found}. ` +
        'Delete it, or give this one another name.',
      { stage: 'cache', file: folder, expected, found },
    );
  if (manifest.graph !== key.graph) throw differs(key.graph, manifest.graph);
  if (manifest.code !== key.code) throw differs('the functions and specs of the stages', 'others');
  if (manifest.files !== key.files) throw differs('the files that are read, as they are', 'others, or older ones');
}
