/** One output of a job: written under a temporary name, then summed and renamed. */
import { open, rm } from 'node:fs/promises';

import { codeOf, fromNodeError, TFRecordError, tfrecordError, messageOf } from '../../base';
import { existsError, forgetTemporary, giveName, giveNewName, type WriteTarget, temporaryName } from '../../io';
import { crc32c, type RecordBatch } from '../../record';
import type { CopyProgress, NativeRecords, OutputFormat, OutputSink, WriteSettings } from '../format';

/** A finished output. */
export interface FinishedOutput {
  readonly records: number;
  /** Size of the file. */
  readonly bytes: number;
  /** CRC-32C of the file, as eight hexadecimal digits; undefined unless it was requested. */
  readonly crc32c: string | undefined;
}

/** Size of the reads for the checksum. */
const SUM_BYTES = 1024 * 1024;

/** An output that gets its name when it is complete. */
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

  /** See {@link OutputSink.copy}. */
  async copy(records: NativeRecords, progress: CopyProgress): Promise<boolean> {
    return (await this.#sink.copy?.(records, progress).catch(this.#fail)) === true;
  }

  /**
   * Completes the file, gives it its name, and then saves its index if there is to be one. `summed`: true if its checksum is wanted. `replaces`: true if it may
   * replace a file.
   * @throws TFRecordError EEXIST if it may not
   */
  async finish(summed: boolean, replaces: boolean): Promise<FinishedOutput> {
    const { records, fileBytes, crc32c: known } = await this.#sink.close().catch(this.#fail);
    const sum = summed ? hex(known ?? (await sumOf(this.#temporary))) : undefined;
    await (replaces ? giveName : giveNewName)(this.#temporary, this.path).catch((error: unknown) => {
      throw codeOf(error) === 'EEXIST' ? existsError(this.path) : fromNodeError(error, this.path, 'rename');
    });
    forgetTemporary(this.#temporary);
    await this.#sink.saveIndex?.(this.path).catch(this.#fail);
    return { records, bytes: fileBytes, crc32c: sum };
  }

  readonly #fail = (error: unknown): never => {
    throw aboutOutput(error, this.#temporary, this.path);
  };

  /** Discards the output. Never rejects. */
  async abort(): Promise<void> {
    await this.#sink.abort();
    await removeTemporary(this.#temporary);
  }
}

/** An output that is a stream, a device or a pipe, where data appears as it is written. */
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

  /** Completes the output. `summed`: true if its checksum is wanted, as far as it is known. */
  async finish(summed: boolean): Promise<FinishedOutput> {
    const { records, fileBytes, crc32c: known } = await this.#sink.close();
    return { records, bytes: fileBytes, crc32c: summed && known !== undefined ? hex(known) : undefined };
  }

  abort(): Promise<void> {
    return this.#sink.abort();
  }
}

/** Returns `error`; if it is about the file `temporary`, an error about `path` instead, which the user knows. */
function aboutOutput(error: unknown, temporary: string, path: string): unknown {
  if (!(error instanceof TFRecordError) || error.file !== temporary) return error;
  const { code, record, errno, syscall, expected, found } = error;
  const details = { file: path, record, errno, syscall, expected, found, cause: error };
  return tfrecordError(code, messageOf(error).withValue(temporary, path), details);
}

/** Removes the file of `temporaryName`. Never rejects. */
export async function removeTemporary(path: string): Promise<void> {
  // The error that led here is more important than a failure to remove the file.
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
