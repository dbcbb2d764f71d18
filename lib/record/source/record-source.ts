import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import { isUrl, pathOf, isIterable } from '../arguments';
import { givenLength } from '../bytes';
import { REMOTE_HINT } from '../files/expand-paths';
import { isChunk, type Chunk, type ChunkPull, pullBlob } from './pull-bytes';
import { pullIterable } from './pull-iterable';
import { pullNodeStream, pullWebStream } from './pull-stream';

/**
 * Where records come from.
 *
 * - A string that names an existing file is that file; else `name@N` is the N shards `name-00000-of-0000N` …,
 *   `name-?????-of-NNNNN` the set of that many; else a pattern (`*`, `?`, `[ab]`, `**`) whose matches are read in byte
 *   order. Files that are missing, and folders of a pattern that cannot be listed, are errors before the first record.
 *   `-` is standard input.
 * - A file URL names a file, literally.
 * - A list of these is read in its order. Readers refuse an empty one.
 * - Everything else is the bytes of one stream: a `Uint8Array`, a Blob, an (async) iterable of chunks (`Uint8Array`,
 *   `ArrayBuffer`), a web ReadableStream, a Node stream. Reading consumes the stream, and closing the reader closes it.
 *
 * What can be read only once is refused the second time (`TypeError`, ERR_INVALID_ARG_VALUE): standard input, a stream
 * that has ended, is destroyed, locked or being read, a generator that we have read before. Of a stream that others
 * have read a part of, the rest is read, as Node's `pipeline` does: it must begin with a record. A generator that other
 * code has finished is an empty one: nothing tells them apart.
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

/** A name that the file system has still to judge. */
export interface NamedPath {
  readonly path: string;
  /** True if it may be a pattern or a set of shards; never for URLs. */
  readonly expands: boolean;
}

/** A source, recognised and checked, not opened. */
export type ClassifiedSource =
  | {
      readonly kind: 'paths';
      readonly paths: readonly NamedPath[];
      /** The folder of relative paths. Default: the working directory when reading begins. */
      readonly folder?: string | undefined;
      /** Which of the files that they mean are read. Default: all. */
      readonly pick?: (<T>(files: readonly T[]) => readonly T[]) | undefined;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly length: number }
  | { readonly kind: 'chunks'; readonly size: number | undefined; readonly open: () => ChunkPull };

const SOURCES =
  'a path, a file URL, a list of these, a Uint8Array, a Blob, an iterable of chunks (Uint8Array, ArrayBuffer) or a stream of bytes';

/** Checks a source of records as `classifySource` does, and refuses a list that names nothing. */
export function readableSource(source: unknown): ClassifiedSource {
  if (Array.isArray(source) && source.length === 0) {
    throw invalidArgValue('source', 'a list of at least one path, file URL or chunk of bytes', source);
  }
  return classifySource(source);
}

/** An empty list is one of no files. @throws TypeError with Node's codes if `source` is no source. */
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

// Duck typing throughout: objects of other realms and of polyfills count.

function isBlob(source: object): source is Blob {
  return 'arrayBuffer' in source && 'slice' in source && 'size' in source && typeof source.size === 'number';
}

function isWebStream(source: object): source is ReadableStream<Chunk> {
  return 'getReader' in source && typeof source.getReader === 'function';
}

function isNodeStream(source: object): source is NodeJS.ReadableStream {
  return 'pipe' in source && typeof source.pipe === 'function' && 'on' in source && !isWriteOnly(source);
}

/** Node's Writable has a `pipe` too, which only throws. */
function isWriteOnly(source: object): boolean {
  return 'write' in source && !('readable' in source);
}
