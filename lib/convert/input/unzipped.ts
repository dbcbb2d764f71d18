/** Decompresses inputs that are read as bytes. */
import { finished, Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';

import { codeOf, counted, TFRecordError, thrownText } from '../../base';
import { type ChunkPull } from '../../io';

const GZIP = [0x1f, 0x8b];

/**
 * Returns the bytes of `pull`, decompressed if they begin with the magic bytes of gzip. Closes `pull` if reading fails.
 */
export async function unzipped(pull: ChunkPull, file: string): Promise<ChunkPull> {
  const head = await headOf(pull);
  let first: Buffer | undefined = head;
  const whole: ChunkPull = {
    next() {
      const chunk = first;
      first = undefined;
      return chunk === undefined ? pull.next() : Promise.resolve(chunk);
    },
    close: () => pull.close(),
  };
  return GZIP.every((byte, i) => head[i] === byte) ? gunzipped(whole, file) : whole;
}

async function headOf(pull: ChunkPull): Promise<Buffer> {
  let head = Buffer.alloc(0);
  try {
    while (head.length < GZIP.length) {
      const chunk = await pull.next();
      if (chunk === undefined) break;
      head = Buffer.concat([head, chunk]);
    }
    return head;
  } catch (error) {
    await pull.close();
    throw error;
  }
}

function gunzipped(pull: ChunkPull, file: string): ChunkPull {
  const gunzip = createGunzip();
  let stored = 0;
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let chunk = await pull.next(); chunk !== undefined; chunk = await pull.next()) {
      stored += chunk.length;
      // The source may reuse its memory during `yield`.
      yield Uint8Array.from(chunk);
    }
  }
  const source = Readable.from(chunks());
  // Not `pipeline`, which would replace the errors of the source.
  let failure: { readonly error: unknown } | undefined;
  finished(source, (error) => {
    if (error === null || error === undefined || gunzip.destroyed) return;
    failure = { error };
    gunzip.destroy(error);
  });
  source.pipe(gunzip);
  const iterator: AsyncIterator<Uint8Array> = gunzip[Symbol.asyncIterator]();
  return {
    async next() {
      try {
        const step = await iterator.next();
        if (step.done !== true) return step.value;
        checkAllRead(gunzip, stored, file);
        return undefined;
      } catch (error) {
        throw failure === undefined ? zlibError(error, file) : failure.error;
      }
    },
    close() {
      gunzip.destroy();
      source.destroy();
      return pull.close();
    },
  };
}

/** zlib ignores zeros after the last member. @throws TFRecordError TFR_TRAILING_DATA */
function checkAllRead({ bytesWritten }: Gunzip, stored: number, file: string): void {
  if (bytesWritten < stored) throw trailing(file, counted(stored - bytesWritten, 'byte'));
}

function trailing(file: string, found: string, cause?: unknown): TFRecordError {
  const message = `${file} has ${found} after its last gzip member that do not begin another one.`;
  return new TFRecordError('TFR_TRAILING_DATA', message, { file, expected: 'the end', found, cause });
}

function zlibError(error: unknown, file: string): unknown {
  const code = String(codeOf(error));
  if (error instanceof TFRecordError || !code.startsWith('Z_')) return error;
  const message = thrownText(error);
  // The header of the first member was valid, so this is another one.
  if (message === 'incorrect header check') return trailing(file, 'bytes', error);
  if (code === 'Z_BUF_ERROR') {
    const details = { file, expected: 'the end of a gzip member', found: 'the end of the file', cause: error };
    return new TFRecordError('TFR_TRUNCATED', `${file} ends within a gzip member: it was cut.`, details);
  }
  return new TFRecordError('TFR_COMPRESSION', `${file} is damaged: ${message}`, { file, found: message, cause: error });
}
