import type { FileHandle } from 'node:fs/promises';
import { types } from 'node:util';

import {
  invalidArgType,
  invalidArgValue,
  isIterable,
  isList,
  isObject,
  isUrl,
  objectScheme,
  pathOf,
  shownUrl,
} from '../../base';
import { REMOTE_HINT, type NamedPath } from '../files/named-path';
import { BlobSource } from './blob-source';
import { isByteSource, type ByteSource } from './byte-source';
import { isChunk, type Chunk } from './chunks';
import { HandleSource } from './handle-source';
import { MemorySource } from './memory-source';
import { pullIterable } from './pull-iterable';
import { pullNodeStream, pullWebStream } from './pull-stream';
import { isSliceable, SliceSource } from './slice-source';
import { responseSource, StreamSource } from './stream-source';

/**
 * A source of records.
 *
 * - A string is a path if a file of that name exists. Otherwise `name@N` means the N shards `name-00000-of-0000N` …, and
 *   `name-?????-of-NNNNN` means the set of that many. Any other string with `*`, `?`, `[ab]` or `**` is a pattern; its
 *   matches are read in byte order. Missing files, and folders of a pattern that cannot be listed, are errors before the
 *   first record. `-` is standard input.
 * - A file URL names a file, literally.
 * - The URL of an object in a store, as a string or as a URL, is read range by range: `https://…` and `http://…` by `fetch`, with
 *   the options of {@link remoteOptions}; `s3://…`, `gs://…` and `az://…` by your own client. A string may be a pattern if the
 *   store lists its objects; HTTP servers do not.
 * - A list of paths and URLs is read in its order. Readers refuse an empty list.
 * - Everything else is the bytes of one stream: a `Uint8Array`, a Blob, an (async) iterable of chunks (`Uint8Array`,
 *   `ArrayBuffer`), a web ReadableStream, a Node stream, the `Response` of a `fetch`. Reading consumes the stream, and
 *   closing the reader closes it. A Response that is not ok is refused (`TypeError`, ERR_INVALID_ARG_VALUE).
 * - A `FileHandle` is read from the first byte of its file to the size that the file had when reading began, as often as
 *   you like. It stays open: close it yourself. A pipe or a device gives what it still has.
 * - An object `{ byteLength, slice(start, end) }` whose `slice` returns the bytes of a range, or a promise of them, is read
 *   range by range, at most 1 MiB at a time. A range without all of its bytes is an error (`TypeError`,
 *   ERR_INVALID_ARG_VALUE), and so is a `byteLength` that changes while the object is read (TFR_CLOSED).
 *
 * Paths of regular files, a `Uint8Array`, a Blob, a `FileHandle` and an object with `slice` can be read from any place: a
 * dataset resumes there, if the content is not compressed.
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
  | Response
  | FileHandle
  | {
      /** Number of bytes, which must not change. */
      readonly byteLength: number;
      /** Returns the bytes from `start` to before `end`, all of them. It may use their memory again for its next answer. */
      slice(start: number, end: number): Uint8Array | ArrayBuffer | Promise<Uint8Array | ArrayBuffer>;
      /** Excludes array buffers and typed arrays but `Uint8Array`, which readers refuse. */
      readonly [Symbol.toStringTag]?: undefined;
    }
  | Iterable<Uint8Array | ArrayBuffer>
  | AsyncIterable<Uint8Array | ArrayBuffer>
  | ReadableStream<Uint8Array | ArrayBuffer>
  | NodeJS.ReadableStream;

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
  | { readonly kind: 'bytes'; readonly source: ByteSource };

const SOURCES =
  'a path, a URL, a list of these, a Uint8Array, a Blob, a Response, a FileHandle, an iterable of chunks (Uint8Array, ArrayBuffer), a stream of bytes or an object { byteLength, slice(start, end) }';

/** Classifies a source as `classifySource` does, but refuses an empty list. */
export function readableSource(source: unknown): ClassifiedSource {
  if (isList(source) && source.length === 0) {
    throw invalidArgValue('source', 'a list of at least one path, file URL or chunk of bytes', source);
  }
  return classifySource(source);
}

/** Recognises `source`. An empty list means no files. @throws TypeError with Node's codes if it is not a source. */
export function classifySource(source: unknown): ClassifiedSource {
  if (typeof source === 'string' || isUrl(source)) return { kind: 'paths', paths: [namedPath(source)] };
  if (types.isUint8Array(source)) return { kind: 'bytes', source: new MemorySource(source) };
  if (!isObject(source)) throw invalidArgType('source', SOURCES, source);
  if (ArrayBuffer.isView(source) || types.isAnyArrayBuffer(source)) {
    throw invalidArgType('source', `${SOURCES} (new Uint8Array(buffer) views a buffer's bytes)`, source);
  }
  if (Array.isArray(source) && (source.length === 0 || !source.every(isChunk))) {
    return { kind: 'paths', paths: source.map(listedPath) };
  }
  const bytes = bytesOf(source);
  if (bytes === undefined) throw invalidArgType('source', SOURCES, source);
  return { kind: 'bytes', source: bytes };
}

function bytesOf(source: object): ByteSource | undefined {
  if (isByteSource(source)) return source;
  if (isBlob(source)) return new BlobSource(source);
  if (isResponse(source)) return responseSource(source);
  if (isFileHandle(source)) return new HandleSource(source);
  if (isWebStream(source)) return new StreamSource(() => pullWebStream(source));
  if (isNodeStream(source)) return new StreamSource(() => pullNodeStream(source));
  if (isIterable(source)) return new StreamSource(() => pullIterable(source as Iterable<Chunk> | AsyncIterable<Chunk>));
  return isSliceable(source) ? new SliceSource(source) : undefined;
}

/** Returns the name or names that the user gave, or `<bytes>` or `<stream>` for sources without a name. */
export function sourceName(source: ClassifiedSource): string | readonly string[] {
  if (source.kind === 'bytes') return source.source.name;
  const paths = source.paths.map(({ path }) => path);
  return paths.length === 1 ? paths[0]! : paths;
}

function listedPath(item: unknown, index: number, list: readonly unknown[]): NamedPath {
  if (item === '-' && list.indexOf('-') < index) {
    throw invalidArgValue(`source[${index}]`, 'another name: standard input can be read only once', item);
  }
  if (typeof item === 'string' || isUrl(item)) return namedPath(item, `source[${index}]`);
  throw invalidArgType(`source[${index}]`, 'a path or a file URL, as the other elements are', item);
}

function namedPath(name: string | URL, argument = 'source'): NamedPath {
  const url = typeof name === 'string' ? name : name.href;
  const scheme = objectScheme(url);
  if (scheme !== undefined) {
    const isWeb = scheme === 'http' || scheme === 'https';
    if (isWeb && !URL.canParse(url)) throw invalidArgValue(argument, 'a valid URL', shownUrl(url));
    return { path: url, expands: typeof name === 'string' };
  }
  if (typeof name !== 'string' && name.protocol !== 'file:') {
    throw invalidArgValue(argument, `a file URL (file:///…) or one of a store; ${REMOTE_HINT}`, shownUrl(name.href));
  }
  return { path: pathOf(name, argument), expands: typeof name === 'string' };
}

// All checks below use duck typing, so that objects of other realms and of polyfills count.

function isBlob(source: object): source is Blob {
  return 'arrayBuffer' in source && 'slice' in source && 'size' in source && typeof source.size === 'number';
}

function isResponse(source: object): source is Response {
  return 'bodyUsed' in source && 'ok' in source && 'status' in source && 'body' in source;
}

function isFileHandle(source: object): source is FileHandle {
  return 'fd' in source && typeof source.fd === 'number' && 'readFile' in source && 'stat' in source;
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
