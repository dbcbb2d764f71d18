import { open } from 'node:fs/promises';

import {
  advice,
  codeOf,
  fromNodeError,
  fullPath,
  invalidArgType,
  invalidArgValue,
  isUrl,
  lengthOf,
  objectScheme,
  pathOf,
  systemErrorOf,
  tfrecordError,
  type TFRecordError,
  worded,
  workingFolder,
} from '../../base';
import {
  classifySource,
  countedName,
  Identity,
  isPattern,
  isRanged,
  RemoteSource,
  sourceName,
  type ClassifiedSource,
  type RangedSource,
  type RecordSource,
  useRange,
} from '../../io';

/** A source of an index. A string is the path of a regular file, never a pattern. */
export type IndexedSource = Exclude<RecordSource, readonly (string | URL)[]>;

/** A source whose identity is known, and of which any range can be read. */
export interface SeenSource {
  readonly source: ClassifiedSource;
  /** Undefined if it is not a file. */
  readonly identity: Identity | undefined;
  /** The full path, if it is the path of a file. */
  readonly at?: string;
  /** Calls `use` with the source, of which any range can be read meanwhile. @throws TFRecordError, or the source's own error */
  readonly withRanges: <T>(use: (source: RangedSource) => Promise<T>) => Promise<T>;
}

/** A source that was recognised, but not opened. */
export interface FoundSource {
  /** The name in errors. */
  readonly name: string;
  /** @throws TFRecordError if that fails; TypeError for a source that cannot be read range by range */
  readonly look: () => Promise<SeenSource>;
}

const RANGED =
  'a source that can be read by ranges: the path of a regular file, the URL of an object, a FileHandle of one, a Uint8Array, a Blob or ' +
  'an object { byteLength, slice(start, end) }';

const SEVERAL = 'openIndexedFiles() opens patterns, sets of shards and lists';

/** Returns the path, or the URL of an object, of an index, the argument `name`. @throws TypeError with Node's codes if it is none */
export function pathOfIndex(file: string | URL, name: string): string {
  if (typeof file !== 'string' && !isUrl(file)) throw invalidArgType(name, 'a path or a URL', file);
  return isUrl(file) && objectScheme(file.href) !== undefined ? file.href : pathOf(file, name);
}

/** Recognises `source`. @throws TypeError with Node's codes if it is not a source of an index */
export function findIndexed(source: IndexedSource): FoundSource {
  const name = isUrl(source) ? source.href : source;
  if (typeof name === 'string' && objectScheme(name) !== undefined) return objectAt(name);
  if (typeof source === 'string' || isUrl(source)) return fileAt(pathOf(source, 'source'));
  const classified = classifySource(source);
  if (classified.kind === 'paths') throw invalidArgValue('source', `${RANGED}. ${SEVERAL}`, source);
  return {
    name: sourceName(classified) as string,
    look: async () => {
      const known = (await classified.source.known?.()) ?? classified.source;
      const identity = await known.identity();
      if (!isRanged(known)) throw invalidArgValue('source', RANGED, source);
      return { source: { kind: 'bytes', source: known }, identity, withRanges: (use) => use(known) };
    },
  };
}

function objectAt(url: string): FoundSource {
  const source = new RemoteSource(url);
  return {
    name: source.name,
    look: async () => {
      const known = await source.known();
      if (!isRanged(known)) {
        // Its answer has begun.
        await known.pull(0).close();
        throw rangesMissing(source.name);
      }
      const identity = await known.identity();
      return { source: { kind: 'bytes', source: known }, identity, withRanges: (use) => use(known) };
    },
  };
}

function rangesMissing(name: string): TFRecordError {
  const [expected, found] = [
    'a server that answers with a range (HTTP 206)',
    'one that sends the whole object (HTTP 200)',
  ];
  return tfrecordError(
    'TFR_REMOTE',
    worded`${name} cannot be read by ranges: expected ${expected}, found ${found}.${advice` Read it in order, or download it first.`}`,
    { file: name, expected, found },
  );
}

function fileAt(path: string): FoundSource {
  const folder = workingFolder();
  const at = fullPath(path, folder);
  // A file can have the name of standard input.
  const source: ClassifiedSource = {
    kind: 'paths',
    paths: [{ path: path === '-' ? at : path, expands: false }],
    folder,
  };
  return {
    name: path,
    look: async () => {
      const identity = await Identity.ofRegular(path, at).catch((error: unknown) => {
        const isSeveral = isPattern(path) || countedName(path) !== undefined;
        throw isSeveral && codeOf(error) === 'ENOENT' ? systemErrorOf('ENOENT', 'open', path, `${SEVERAL}.`) : error;
      });
      return { source, identity, at, withRanges: (use) => withFile(path, at, use) };
    },
  };
}

async function withFile<T>(name: string, at: string, use: (source: RangedSource) => Promise<T>): Promise<T> {
  const handle = await open(at).catch((cause: unknown) => {
    throw fromNodeError(cause, name, 'open');
  });
  try {
    const read = async (from: number, length: number): Promise<Uint8Array> => {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    };
    return await use({ name, read });
  } catch (cause) {
    throw fromNodeError(cause, name, 'read');
  } finally {
    await handle.close();
  }
}

/** Reads `length` bytes of `source` from byte `from` on, or those that there are. */
export async function readRange(source: RangedSource, from: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  for (let read = 0; read < length;) {
    const before = read;
    await useRange(source, from + read, length - read, (chunk) => {
      bytes.set(chunk, read);
      read += lengthOf(chunk);
    });
    if (read === before) return bytes.subarray(0, read);
  }
  return bytes;
}
