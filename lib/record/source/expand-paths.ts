import { lstatSync } from 'node:fs';
import { lstat } from 'node:fs/promises';

import { glob, globSync, type GlobOptions } from 'tinyglobby';

import type { TFRecordError } from '../../errors';
import { systemErrorOf } from '../faults';
import type { NamedPath } from './record-source';
import { shardNames, shardPattern } from './shards';

/** A file to read, or the error that stands in its place. */
export interface ExpandedPath {
  readonly path: string;
  readonly error?: TFRecordError;
}

/**
 * The files that `name` means, in reading order: the file of that name if there is one, else its shards, else the
 * matches of the pattern in byte order, relative or absolute as the pattern is. Files whose names start with a dot
 * match, as in TensorFlow; folders do not count. What is missing becomes an ENOENT in its place.
 */
export async function expandPath({ path, expands }: NamedPath): Promise<ExpandedPath[]> {
  const shards = expands ? shardNames(path) : undefined;
  if (!expands || path === '-' || (shards === undefined && !isPattern(path)) || (await exists(path))) return [{ path }];
  if (shards === undefined) {
    const { prefix, pattern, options } = globOf(path);
    return fromMatches(path, prefix, await glob(pattern, options));
  }
  const present = new Set<string>();
  for (const shard of shards) if (await exists(shard)) present.add(shard);
  return fromShards(path, shards, present);
}

/** The same on the calling thread. */
export function expandPathSync({ path, expands }: NamedPath): ExpandedPath[] {
  const shards = expands ? shardNames(path) : undefined;
  if (!expands || path === '-' || (shards === undefined && !isPattern(path)) || existsSync(path)) return [{ path }];
  if (shards === undefined) {
    const { prefix, pattern, options } = globOf(path);
    return fromMatches(path, prefix, globSync(pattern, options));
  }
  return fromShards(path, shards, new Set(shards.filter(existsSync)));
}

function fromMatches(path: string, prefix: string, matches: readonly string[]): ExpandedPath[] {
  if (matches.length === 0) return [{ path, error: systemErrorOf('ENOENT', 'glob', path, 'No file matches.') }];
  const files = matches.map((match) => prefix + match);
  files.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const set = shardPattern(path);
  return set === undefined ? files.map((file) => ({ path: file })) : fromShards(path, set, new Set(files));
}

const NAMED_SHARDS = 5;

function fromShards(path: string, shards: readonly string[], present: ReadonlySet<string>): ExpandedPath[] {
  const found = shards.filter((shard) => present.has(shard)).map((shard) => ({ path: shard }));
  const missing = shards.filter((shard) => !present.has(shard));
  if (missing.length === 0) return found;
  const named = missing.slice(0, NAMED_SHARDS).map((shard) => `'${shard}'`);
  const more = missing.length > NAMED_SHARDS ? ` and ${missing.length - NAMED_SHARDS} more` : '';
  const hint = `Of ${shards.length} shards ${missing.length} are missing: ${named.join(', ')}${more}.`;
  return [{ path, error: systemErrorOf('ENOENT', 'open', path, hint) }, ...found];
}

function isPattern(path: string): boolean {
  return /[*?[]/.test(path);
}

/** The fixed folders before the first wildcard are no part of the pattern, whatever characters they hold. */
function globOf(path: string): { prefix: string; pattern: string; options: GlobOptions } {
  const slashed = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const prefix = slashed.slice(0, slashed.lastIndexOf('/', slashed.search(/[*?[]/)) + 1);
  const pattern = slashed
    .slice(prefix.length)
    .replace(/[(){}]/g, '\\$&')
    .replace(/^!/, '\\!');
  const options = {
    cwd: prefix === '' ? '.' : prefix,
    dot: true,
    braceExpansion: false,
    extglob: false,
    expandDirectories: false,
  };
  return { prefix, pattern, options };
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function existsSync(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
