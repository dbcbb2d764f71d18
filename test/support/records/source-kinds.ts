import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import type { RecordSource } from '../../../lib';
import { pieces } from './tfrecord';

/** A kind of source, made from bytes. */
export interface SourceKind {
  readonly name: string;
  /** True if `readRecordsSync` accepts it. */
  readonly sync: boolean;
  /** Returns its name in origins and errors, for the file at `path`. */
  file(path: string): string;
  /** Makes a fresh source, because most can be read only once. The file at `path` has the content `bytes`. */
  make(path: string, bytes: Buffer): RecordSource;
}

/** Most chunks of one input. Long inputs come in larger chunks; otherwise a test would take minutes. */
const MAX_CHUNKS = 5000;

/** Yields `bytes` in chunks of at least `atLeast` bytes. */
export function* chunks(bytes: Buffer, atLeast: number): Generator<Buffer> {
  yield* pieces(bytes, Math.max(atLeast, Math.ceil(bytes.length / MAX_CHUNKS)));
}

/** Yields chunks of 1, 2, 3 … bytes, with empty ones between them. */
function* oddChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0, size = 1; at < bytes.length; at += size++) {
    yield bytes.subarray(at, at + size);
    if (size % 3 === 0) yield Buffer.alloc(0);
  }
}

async function* slowChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (const chunk of chunks(bytes, size)) {
    await setImmediate();
    await setImmediate();
    yield chunk;
  }
}

/** Bytes that are read range by range. */
function sliceable(bytes: Uint8Array): { byteLength: number; slice(start: number, end: number): Uint8Array } {
  return { byteLength: bytes.length, slice: (start, end) => bytes.subarray(start, end) };
}

/** The same, whose answers are buffers that come later. */
function slowSlices(bytes: Buffer): { byteLength: number; slice(start: number, end: number): Promise<ArrayBuffer> } {
  return {
    byteLength: bytes.length,
    async slice(start, end) {
      await setImmediate();
      return new Uint8Array(bytes.subarray(start, end)).buffer;
    },
  };
}

const asPath = (path: string): string => path;
const asBytes = (): string => '<bytes>';
const asStream = (): string => '<stream>';

export const SOURCE_KINDS: readonly SourceKind[] = [
  { name: 'path', sync: true, file: asPath, make: (path) => path },
  { name: 'URL', sync: true, file: asPath, make: (path) => pathToFileURL(path) },
  { name: 'list', sync: true, file: asPath, make: (path) => [path] },
  { name: 'bytes', sync: true, file: asBytes, make: (_, bytes) => bytes },
  { name: 'Blob', sync: false, file: asStream, make: (_, bytes) => new Blob([new Uint8Array(bytes)]) },
  { name: 'slices', sync: false, file: asStream, make: (_, bytes) => sliceable(bytes) },
  { name: 'slices of promises', sync: false, file: asStream, make: (_, bytes) => slowSlices(bytes) },
  { name: 'iterable of single bytes', sync: false, file: asStream, make: (_, bytes) => chunks(bytes, 1) },
  { name: 'iterable of odd chunks', sync: false, file: asStream, make: (_, bytes) => oddChunks(bytes) },
  { name: 'array of chunks', sync: false, file: asStream, make: (_, bytes) => [...chunks(bytes, 11), Buffer.alloc(0)] },
  { name: 'slow async iterable', sync: false, file: asStream, make: (_, bytes) => slowChunks(bytes, 17) },
  {
    name: 'web stream',
    sync: false,
    file: asStream,
    make: (_, bytes) => Readable.toWeb(Readable.from(chunks(bytes, 13))) as ReadableStream<Uint8Array>,
  },
  {
    name: 'Node stream',
    sync: false,
    file: asStream,
    make: (_, bytes) => Readable.from(chunks(bytes, 19), { objectMode: false }),
  },
  { name: 'file stream', sync: false, file: asStream, make: (path) => createReadStream(path) },
];
