import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import { isUrl, pathOf, isIterable } from '../arguments';
import { givenLength } from '../bytes';
import { REMOTE_HINT } from '../files/expand-paths';
import { isChunk, type Chunk, type ChunkPull, pullBlob } from './pull-bytes';
import { pullIterable } from './pull-iterable';
import { pullNodeStream, pullWebStream } from './pull-stream';

/**
 * A source of records.
 *
 * - A string is a path if a file of that name exists. Otherwise `name@N` means the N shards `name-00000-of-0000N` …, and
 *   `name-?????-of-NNNNN` means the set of that many. Any other string with `*`, `?`, `[ab]` or `**` is a pattern; its
 *   matches are read in byte order. Missing files, and folders of a pattern that cannot be listed, are errors before the
 *   first record. `-` is standard input.
 * - A file URL names a file, literally.
 * - A list of paths and URLs is read in its order. Readers refuse an empty list.
 * - Everything else is the bytes of one stream: a `Uint8Array`, a Blob, an (async) iterable of chunks (`Uint8Array`,
 *   `ArrayBuffer`), a web ReadableStream, a Node stream. Reading consumes the stream, and closing the reader closes it.
 *
 * A source that can be read only once is refused the second time (`TypeError`, ERR_INVALID_ARG_VALUE): standard input; a
 * stream that has ended, is destroyed, locked or being read; a generator that we have read before. If other code has read
 * part of a stream, the rest is read, as in Node's `pipeline`; it must begin with a record. A generator that other code
 * has finished looks like an empty one.
 */
export type RecordSource =
  | string
  | URL
  | readonly (string | URL)[]
  | Uint8Array
  | Blob
  | Iterable<Uint8Array | ArrayBuffer>
  | AsyncIterable<Uint8Array | ArrayBuffer>
  | ReadableStream<Uint8Array | ArrayBuffer>
  | NodeJS.ReadableStream;

/** A path, pattern or shard set that has not been looked up yet. */
export interface NamedPath {
  readonly path: string;
  /** True if it may be a pattern or a set of shards; never for URLs. */
  readonly expands: boolean;
}

/** A source that was recognised and checked, but not opened. */
export type ClassifiedSource =
  | {
      readonly kind: 'paths';
      readonly paths: readonly NamedPath[];
      /** The folder to which relative paths are relative. Default: the working directory when reading begins. */
      readonly folder?: string | undefined;
      /** Selects the files to read. Default: all. */
      readonly pick?: (<T>(files: readonly T[]) => readonly T[]) | undefined;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly length: number }
  | { readonly kind: 'chunks'; readonly size: number | undefined; readonly open: () => ChunkPull };

const SOURCES =
  'a path, a file URL, a list of these, a Uint8Array, a Blob, an iterable of chunks (Uint8Array, ArrayBuffer) or a stream of bytes';

/** Classifies a source as `classifySource` does, but refuses an empty list. */
export function readableSource(source: unknown): ClassifiedSource {
  if (Array.isArray(source) && source.length === 0) {
    throw invalidArgValue('source', 'a list of at least one path, file URL or chunk of bytes', source);
  }
  return classifySource(source);
}

/** Recognises `source`. An empty list means no files. @throws TypeError with Node's codes if it is not a source. */
export function classifySource(source: unknown): ClassifiedSource {
  if (typeof source === 'string' || isUrl(source)) return { kind: 'paths', paths: [namedPath(source)] };
  if (types.isUint8Array(source)) return { kind: 'bytes', bytes: source, length: givenLength('source', source) };
  if (typeof source !== 'object' || source === null) throw invalidArgType('source', SOURCES, source);
  if (ArrayBuffer.isView(source) || types.isAnyArrayBuffer(source)) {
    throw invalidArgType('source', `${SOURCES} (new Uint8Array(buffer) views a buffer's bytes)`, source);
  }
  if (Array.isArray(source) && (source.length === 0 || !source.every(isChunk))) {
    return { kind: 'paths', paths: source.map(listedPath) };
  }
  const open = opener(source);
  if (open === undefined) throw invalidArgType('source', SOURCES, source);
  return { kind: 'chunks', size: isBlob(source) ? source.size : undefined, open };
}

function opener(source: object): (() => ChunkPull) | undefined {
  if (isBlob(source)) return () => pullBlob(source);
  if (isWebStream(source)) return () => pullWebStream(source);
  if (isNodeStream(source)) return () => pullNodeStream(source);
  if (isIterable(source)) return () => pullIterable(source as Iterable<Chunk> | AsyncIterable<Chunk>);
  return undefined;
}

function listedPath(item: unknown, index: number, list: readonly unknown[]): NamedPath {
  if (item === '-' && list.indexOf('-') < index) {
    throw invalidArgValue(`source[${index}]`, 'another name: standard input can be read only once', item);
  }
  if (typeof item === 'string' || isUrl(item)) return namedPath(item, `source[${index}]`);
  throw invalidArgType(`source[${index}]`, 'a path or a file URL, as the other elements are', item);
}

function namedPath(name: string | URL, argument = 'source'): NamedPath {
  if (typeof name !== 'string' && name.protocol !== 'file:') {
    throw invalidArgValue(argument, `a file URL (file:///…); ${REMOTE_HINT}`, name.href);
  }
  return { path: pathOf(name, argument), expands: typeof name === 'string' };
}

// All checks below use duck typing, so that objects of other realms and of polyfills count.

function isBlob(source: object): source is Blob {
  return 'arrayBuffer' in source && 'slice' in source && 'size' in source && typeof source.size === 'number';
}

function isWebStream(source: object): source is ReadableStream<Chunk> {
  return 'getReader' in source && typeof source.getReader === 'function';
}

function isNodeStream(source: object): source is NodeJS.ReadableStream {
  return 'pipe' in source && typeof source.pipe === 'function' && 'on' in source && !isWriteOnly(source);
}

/** True for a Node Writable, which also has a `pipe`, but one that only throws. */
function isWriteOnly(source: object): boolean {
  return 'write' in source && !('readable' in source);
}
