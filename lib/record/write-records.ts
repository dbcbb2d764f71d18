import { invalidArgType } from '../errors';
import { onAbort } from './on-abort';
import { RecordWriter, type WriteReport } from './record-writer';
import type { WriteOptions } from './write-options';

/**
 * Writes `records`, in order, to the file `target`. When they end with an error, or `signal` aborts, the file is given
 * up: an atomic one does not appear.
 *
 * @throws as {@link RecordWriter.open}, and what `records` throws.
 */
export async function writeRecords(
  target: string | URL,
  records: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options?: WriteOptions,
): Promise<WriteReport> {
  if (!isIterable(records)) throw invalidArgType('records', 'an iterable of Uint8Array records', records);
  const writer = await RecordWriter.open(target, options);
  const signal = options?.signal;
  return signal === undefined ? copy(records, writer) : untilAborted(copy(records, writer), writer, signal);
}

/** `work`, unless `signal` aborts first: a source that never comes to its next record must not hold that up. */
async function untilAborted<T>(work: Promise<T>, writer: RecordWriter, signal: AbortSignal): Promise<T> {
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
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}

async function copy(
  records: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  writer: RecordWriter,
): Promise<WriteReport> {
  try {
    if (Symbol.asyncIterator in records) {
      for await (const record of records) await writer.write(record);
    } else {
      for (const record of records) {
        const full = writer.write(record);
        if (full !== undefined) await full;
      }
    }
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return writer.close();
}

/** Bytes and strings are iterable too, but not of records. */
function isIterable(records: unknown): boolean {
  return (
    typeof records === 'object' &&
    records !== null &&
    !ArrayBuffer.isView(records) &&
    (Symbol.asyncIterator in records || Symbol.iterator in records)
  );
}
