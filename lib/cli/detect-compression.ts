import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import { crc32c, maskCrc32c } from '../record';

export type Compression = 'none' | 'gzip' | 'zlib';

/** Bytes of a record's length and of its checksum. */
const HEADER_BYTES = 12;
/** Milliseconds between looks at a slow pipe. */
const POLL = 5;

/** How the content of `file` is compressed; `-` is `stdin`, from which nothing is taken. */
export async function detectCompression(file: string, stdin: Readable): Promise<Compression> {
  return compressionOf(file === '-' ? await peek(stdin, HEADER_BYTES) : await firstBytes(file, HEADER_BYTES));
}

/** By content, as the reader does it: the checksum of a length first, because lengths can look like any magic. */
export function compressionOf(start: Uint8Array): Compression {
  if (start.length >= HEADER_BYTES) {
    const stored = new DataView(start.buffer, start.byteOffset, HEADER_BYTES).getUint32(8, true);
    if (maskCrc32c(crc32c(start.subarray(0, 8))) === stored) return 'none';
  }
  const [first = 0, second = 0] = start;
  if (first === 0x1f && second === 0x8b) return 'gzip';
  // RFC 1950: method 8, a window of at most 32 KiB, no preset dictionary, and a check of these two bytes.
  const zlib = (first & 0x0f) === 8 && first >> 4 <= 7 && (second & 0x20) === 0 && (first * 256 + second) % 31 === 0;
  return zlib ? 'zlib' : 'none';
}

async function firstBytes(file: string, count: number): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The next bytes of a stream, which stay in it. Fewer than `count` at its end. */
async function peek(stream: Readable, count: number): Promise<Uint8Array> {
  // An error stays with the stream; whoever reads on is told.
  const ignore = (): void => undefined;
  stream.on('error', ignore);
  try {
    for (;;) {
      // Null while fewer bytes are there; at the end of the stream what is left, however little.
      const start = stream.read(count) as Buffer | null;
      if (start !== null) {
        stream.unshift(start);
        return start;
      }
      if (stream.readableEnded || stream.destroyed) return new Uint8Array(0);
      // Not the event 'readable': it fires at once while some bytes are there, and starves the source of more.
      await setTimeout(POLL);
    }
  } finally {
    stream.off('error', ignore);
  }
}
