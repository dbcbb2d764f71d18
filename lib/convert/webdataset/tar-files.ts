/** Reads the files in tars, in order. */
import { messageOf, thrownText, TFRecordError } from '../../base';
import type { ChunkPull } from '../../io';
import { tarStream } from './peer';

/** An entry of a tar that is not a folder. */
export interface TarFile {
  readonly path: string;
  /** Position of its header in the uncompressed tar. */
  readonly offset: number;
  readonly size: number;
  /** The reason why it is not a plain file, worded to follow "found". Undefined: it is one. */
  readonly refused: string | undefined;
  /** Reads its content. Default: the content is skipped. Call it before the next entry is requested. */
  content(): Promise<Buffer<ArrayBuffer>>;
}

/** Tars end with two blocks of zeros. */
const BLOCK = 512;
const END_BYTES = 2 * BLOCK;

type Header = import('tar-stream').Header & { readonly byteOffset?: number };

/**
 * Yields the files in the tar that `pull` delivers, but no folders. Closes `pull`. @throws TFRecordError with `file` and
 * the byte, if the tar is damaged
 */
export async function* tarFiles(pull: ChunkPull, file: string): AsyncGenerator<TarFile, void, undefined> {
  const extract = tarStream().extract();
  let total = 0;
  /** The end of the last byte that is not 0. */
  let written = 0;
  let failure: { readonly error: unknown } | undefined;
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    extract.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  extract.on('error', () => undefined);
  const entries = extract[Symbol.asyncIterator]();
  const pump = async (): Promise<void> => {
    try {
      for (let chunk = await pull.next(); chunk !== undefined && !isClosed; chunk = await pull.next()) {
        const last = lastNonZero(chunk);
        if (last >= 0) written = total + last + 1;
        total += chunk.length;
        // The source may reuse its memory.
        if (extract.write(Buffer.from(chunk))) continue;
        await Promise.race([
          new Promise((resolve) =>
            extract.once('drain', () => {
              resolve(undefined);
            }),
          ),
          closed,
        ]);
      }
      extract.end(undefined);
    } catch (error) {
      failure = { error };
      extract.destroy(error instanceof Error ? error : new Error(thrownText(error)));
    }
  };
  const pumped = pump();
  /** The end of the last entry. */
  let end = 0;
  try {
    for (;;) {
      let step: IteratorResult<import('streamx').Readable & { readonly header: Header }>;
      try {
        step = await entries.next();
      } catch (error) {
        if (failure !== undefined) throw failure.error;
        throw damaged(error, file, end);
      }
      if (step.done === true) break;
      const source = step.value;
      const { header } = source;
      const at = header.byteOffset!;
      const { name: path, size } = header;
      const type: string | null = header.type;
      if (type === 'directory' && size === 0) {
        end = at;
        continue;
      }
      const isFile = type === 'file' || type === 'contiguous-file';
      if (header.type === null || type === 'directory' || !Number.isSafeInteger(size)) {
        throw unreadable(
          file,
          at - BLOCK,
          header.type === null ? 'an entry that is sparse or of an unknown type' : `a ${type} of ${size} bytes`,
        );
      }
      let isTaken = false;
      yield {
        path,
        offset: at - BLOCK,
        size,
        refused: !isFile ? `a ${type}` : isSparse(header) ? 'a sparse file' : undefined,
        async content() {
          isTaken = true;
          const parts: Uint8Array[] = [];
          try {
            for await (const part of source) parts.push(part as Uint8Array);
          } catch (error) {
            if (failure !== undefined) throw failure.error;
            throw damaged(error, file, at - BLOCK);
          }
          return Buffer.concat(parts);
        },
      };
      if (!isTaken) source.resume();
      end = at + Math.ceil(size / BLOCK) * BLOCK;
    }
    if (failure !== undefined) throw failure.error;
    if (total - end < END_BYTES) throw truncated(file, end, `${total - end} bytes`);
    // The header of a long name, or other data, is no end.
    if (written > end) throw truncated(file, end, 'other bytes');
  } finally {
    extract.destroy();
    await pull.close();
    await pumped;
  }
}

/** The index of the last byte that is not 0, or -1. */
function lastNonZero(chunk: Uint8Array): number {
  let i = chunk.length - 1;
  while (i >= 0 && chunk[i] === 0) i--;
  return i;
}

function isSparse({ pax }: Header): boolean {
  return Object.keys(pax ?? {}).some((name) => name.startsWith('GNU.sparse'));
}

function damaged(error: unknown, file: string, offset: number): TFRecordError {
  if (error instanceof TFRecordError) return error;
  const text = String(error instanceof Error ? messageOf(error) : error);
  if (/Unexpected end|destroyed/i.test(text)) return truncated(file, offset, 'the end of the file');
  return unreadable(file, offset, text, error);
}

function truncated(file: string, offset: number, found: string): TFRecordError {
  const expected = 'a whole entry, and two blocks of zeros at the end';
  const message = `Truncated tar ${file}, after byte ${offset}: expected ${expected}, found ${found}.`;
  return new TFRecordError('TFR_TRUNCATED', message, { file, offset, expected, found });
}

function unreadable(file: string, offset: number, found: string, cause?: unknown): TFRecordError {
  const expected = 'the header of a file in a tar';
  const message = `${file} is not a tar that can be read, at byte ${offset}: expected ${expected}, found ${found}.`;
  return new TFRecordError('TFR_DECODE', message, { file, offset, expected, found, cause });
}
