/** One output of a job: written under a temporary name, then summed and given its own. */
import { open, rm } from 'node:fs/promises';

import { codeOf, fromNodeError, TFRecordError } from '../../base';
import { forgetTemporary, giveName, giveNewName, type WriteTarget } from '../../io';
import { crc32c, type RecordBatch } from '../../record';
import type { OutputFormat, OutputSink, WriteSettings } from '../format';
import { temporaryName } from './names';

/** A finished output. */
export interface FinishedOutput {
  readonly records: number;
  /** Size of the file. */
  readonly bytes: number;
  /** CRC-32C of the file, as eight hexadecimal digits; undefined unless it was asked for. */
  readonly crc32c: string | undefined;
}

/** Bytes that are read at once to be summed. */
const SUM_BYTES = 1024 * 1024;

/** An output that appears under its name when it is complete. */
export class OutputFile {
  readonly path: string;
  readonly #temporary: string;
  readonly #sink: OutputSink;

  private constructor(path: string, temporary: string, sink: OutputSink) {
    this.path = path;
    this.#temporary = temporary;
    this.#sink = sink;
  }

  static async create(path: string, format: OutputFormat, settings: WriteSettings): Promise<OutputFile> {
    const temporary = temporaryName(path);
    try {
      return new OutputFile(path, temporary, await format.open(temporary, settings));
    } catch (error) {
      await removeTemporary(temporary);
      throw aboutOutput(error, temporary, path);
    }
  }

  write(batch: RecordBatch): Promise<void> | undefined {
    try {
      return this.#sink.write(batch)?.catch(this.#fail);
    } catch (error) {
      return this.#fail(error);
    }
  }

  /**
   * Completes the file, and gives it its name. `summed`: its checksum is wanted. `replaces`: it may replace a file of that
   * name. @throws TFRecordError EEXIST if it may not
   */
  async finish(summed: boolean, replaces: boolean): Promise<FinishedOutput> {
    const { records, fileBytes, crc32c: known } = await this.#sink.close().catch(this.#fail);
    const sum = summed ? hex(known ?? (await sumOf(this.#temporary))) : undefined;
    await (replaces ? giveName : giveNewName)(this.#temporary, this.path).catch((error: unknown) => {
      throw codeOf(error) === 'EEXIST' ? existsError(this.path) : fromNodeError(error, this.path, 'rename');
    });
    forgetTemporary(this.#temporary);
    return { records, bytes: fileBytes, crc32c: sum };
  }

  readonly #fail = (error: unknown): never => {
    throw aboutOutput(error, this.#temporary, this.path);
  };

  /** Gives the output up, and removes what was written. Never rejects. */
  async abort(): Promise<void> {
    await this.#sink.abort();
    await removeTemporary(this.#temporary);
  }
}

/** An output that is a stream, a device or a pipe: it takes what is written at once. */
export class OutputStream {
  readonly #sink: OutputSink;

  private constructor(sink: OutputSink) {
    this.#sink = sink;
  }

  static async create(target: WriteTarget, format: OutputFormat, settings: WriteSettings): Promise<OutputStream> {
    return new OutputStream(await format.open(target, settings));
  }

  write(batch: RecordBatch): Promise<void> | undefined {
    return this.#sink.write(batch);
  }

  async finish(): Promise<FinishedOutput> {
    const { records, fileBytes } = await this.#sink.close();
    return { records, bytes: fileBytes, crc32c: undefined };
  }

  abort(): Promise<void> {
    return this.#sink.abort();
  }
}

/** Something called `path` is there, and may not be replaced. `how` says what may be done. */
export function existsError(path: string, how = 'force replaces it.'): TFRecordError {
  return new TFRecordError('EEXIST', `EEXIST: '${path}' exists. ${how}`, { file: path });
}

/** Returns `error`; one that is about the file `temporary` names `path`, which the user knows, instead. */
function aboutOutput(error: unknown, temporary: string, path: string): unknown {
  if (!(error instanceof TFRecordError) || error.file !== temporary) return error;
  const { code, message, record, errno, syscall, expected, found } = error;
  const details = { file: path, record, errno, syscall, expected, found, cause: error };
  return new TFRecordError(code, message.replaceAll(temporary, path), details);
}

/** Removes what `temporaryName` gave. Never rejects. */
export async function removeTemporary(path: string): Promise<void> {
  // Nothing can be done about a file that cannot be removed; the error that led here counts.
  await rm(path, { force: true }).catch(() => undefined);
  forgetTemporary(path);
}

function hex(sum: number): string {
  return sum.toString(16).padStart(8, '0');
}

/** CRC-32C of a file. */
async function sumOf(path: string): Promise<number> {
  const file = await open(path);
  try {
    const memory = Buffer.allocUnsafe(SUM_BYTES);
    let sum = 0;
    for (;;) {
      const { bytesRead } = await file.read(memory, 0, SUM_BYTES);
      if (bytesRead === 0) return sum;
      sum = crc32c(memory.subarray(0, bytesRead), sum);
    }
  } finally {
    await file.close();
  }
}
