import { invalidArgType, isIterable, onAbort } from '../../base';
import type { WriteTarget } from '../../io';
import { RecordBatch, splitBatch } from '../batch/record-batch';
import { batchesOf } from '../read/record-reader';
import { RecordWriter, type WriteReport } from './record-writer';
import type { WriteOptions } from './write-options';

/**
 * Writes all `records`, in order, to `target`: a path or file URL, or a stream, which it ends. Each element is a record
 * (bytes, or text as UTF-8) or a batch of records, for example from `encodeExamples`. The records of a reader are copied
 * batch by batch. If `records` throws, or `signal` aborts, it gives the target up: an atomic file does not appear, and a
 * stream is destroyed.
 *
 * @throws the errors of {@link RecordWriter}, and those that `records` throws.
 *
 * @example
 * const { fileBytes } = await writeRecords('train.tfrecord.gz', rows.map((row) => encodeExample(row)));
 */
export async function writeRecords(
  target: WriteTarget,
  records: Iterable<Uint8Array | string | RecordBatch> | AsyncIterable<Uint8Array | string | RecordBatch>,
  options?: WriteOptions,
): Promise<WriteReport> {
  if (!holdsRecords(records)) throw invalidArgType('records', 'an iterable of records (Uint8Array or string)', records);
  const writer = await RecordWriter.open(target, options);
  const signal = options?.signal;
  const copying = copy(records, writer);
  await (signal === undefined ? copying : untilAborted(copying, writer, signal));
  // The writer also listens to the signal. If it aborts now, `close` decides whether it came in time.
  return writer.close();
}

/** Waits for `work` or for `signal`. The signal must also work while a source never gives its next record. */
async function untilAborted(work: Promise<void>, writer: RecordWriter, signal: AbortSignal): Promise<void> {
  let giveUp = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => {
      void writer.abort().finally(() => {
        reject(signal.reason as Error);
      });
    };
  });
  const stopListening = onAbort(signal, giveUp);
  if (signal.aborted) giveUp();
  try {
    await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}

async function copy(given: Parameters<typeof writeRecords>[1], writer: RecordWriter): Promise<void> {
  try {
    const records = given instanceof RecordBatch ? [given] : (batchesOf(given) ?? given);
    if (Symbol.asyncIterator in records) {
      for await (const record of records) await writeTo(writer, record);
    } else {
      for (const record of records) {
        const full = writeTo(writer, record);
        if (full !== undefined) await full;
      }
    }
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Writes a record or a batch, which it copies in parts. Returns a promise if the caller should wait. */
export function writeTo(writer: RecordWriter, record: Uint8Array | string | RecordBatch): Promise<void> | undefined {
  return record instanceof RecordBatch ? writeParts(record, writer) : writer.write(record);
}

async function writeParts(batch: RecordBatch, writer: RecordWriter): Promise<void> {
  for (const part of splitBatch(batch)) await writer.writeBatch(part);
}

/** True for iterables of records. Bytes and strings are iterable, too, but their elements are not records. */
function holdsRecords(records: unknown): boolean {
  return typeof records === 'object' && records !== null && !ArrayBuffer.isView(records) && isIterable(records);
}
