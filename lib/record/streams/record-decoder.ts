import { Duplex } from 'node:stream';

import { LoopTurns, onAbort, type Bytes } from '../../base';
import { StreamSource } from '../../io';
import type { RecordBatch } from '../batch/record-batch';
import { BatchSteps } from '../read/cursor-iterators';
import { resolveReadOptions, type ReadOptions } from '../read/read-options';
import { RecordCursor } from '../read/record-cursor';
import { ChunkChannel } from './chunk-channel';
import { finish } from './record-encoder';

/**
 * Maximum number of records that a web stream takes at a time: its reader gets no turn of the event loop before it has
 * all of them.
 */
const RECORDS_AT_A_TIME = 256;
const turns = new LoopTurns();

/** Reads the records of the bytes that are written to it. */
class Decoding {
  readonly channel = new ChunkChannel();
  readonly #steps: BatchSteps;
  #stopListening = (): void => undefined;

  /** @throws TypeError, RangeError for wrong options. */
  constructor(options: ReadOptions | undefined) {
    const source = { kind: 'bytes', source: new StreamSource(() => this.channel) } as const;
    this.#steps = new BatchSteps(RecordCursor.at(source, resolveReadOptions(options)), this);
  }

  /** Calls `fail` if the signal aborts before the end: the reader may never ask for more. */
  listen(signal: AbortSignal | undefined, fail: (reason: unknown) => void): void {
    if (signal === undefined) return;
    this.#stopListening = onAbort(signal, () => {
      this.#stopListening();
      fail(signal.reason);
    });
  }

  /** The next records, at least one; undefined at the end. */
  async next(): Promise<RecordBatch | undefined> {
    try {
      for (;;) {
        const step = await this.#steps.next();
        if (step.done === true) break;
        if (step.value.length > 0) return step.value;
      }
    } catch (error) {
      this.#stopListening();
      throw error;
    }
    this.#stopListening();
    return undefined;
  }

  /** Ends reading, with `error` for what is written later. */
  async close(error?: unknown): Promise<void> {
    this.#stopListening();
    if (error !== undefined) this.channel.fail(error);
    await this.#steps.return();
  }
}

/**
 * A web stream that turns the bytes of a TFRecord file, plain or compressed, into its records. It reads as
 * {@link readRecords} does, and takes the same options. Chunks are `Uint8Array`s or `ArrayBuffer`s of any size; they may be
 * reused once their write resolves. Records are views that are never overwritten.
 *
 * At damage, the readable side gives all whole records before it and then fails with a TFRecordError, as does the
 * writable side.
 *
 * @throws TypeError, RangeError with Node's codes for wrong options.
 *
 * @example
 * const { body } = await fetch('https://example.com/train.tfrecord.gz');
 * const records = body!.pipeThrough(new RecordDecoderStream());
 * for await (const record of records) console.log(record.length);
 */
export class RecordDecoderStream {
  /** The records. */
  readonly readable: ReadableStream<Bytes>;
  /** Takes the bytes of the file. */
  readonly writable: WritableStream<Uint8Array | ArrayBuffer>;

  constructor(options?: ReadOptions) {
    const decoding = new Decoding(options);
    const { channel } = decoding;
    let written: WritableStreamDefaultController | undefined;
    let finished: () => void;
    let fail: (error: unknown) => void;
    const done = new Promise<void>((resolve, reject) => {
      finished = resolve;
      fail = reject;
    });
    // Readers get the error, too.
    done.catch(() => undefined);
    /** The records in hand, and the next of them. */
    let batch: RecordBatch | undefined;
    let next = 0;
    this.readable = new ReadableStream<Bytes>(
      {
        start(controller) {
          decoding.listen(options?.signal, (reason) => {
            fail(reason);
            written!.error(reason);
            controller.error(reason);
            void decoding.close(reason).catch(() => undefined);
          });
        },
        async pull(controller) {
          try {
            if (batch === undefined || next === batch.length) {
              batch = await decoding.next();
              next = 0;
            } else await turns.breathe();
            if (batch === undefined) {
              controller.close();
              finished();
              return;
            }
            const end = Math.min(batch.length, next + RECORDS_AT_A_TIME);
            while (next < end) controller.enqueue(batch.at(next++)!);
          } catch (error) {
            fail(error);
            written!.error(error);
            throw error;
          }
        },
        async cancel(reason) {
          finished();
          written!.error(reason);
          await decoding.close();
        },
      },
      { highWaterMark: 0 },
    );
    this.writable = new WritableStream<Uint8Array | ArrayBuffer>({
      start(controller) {
        written = controller;
      },
      write: (chunk) => channel.write(chunk),
      close() {
        channel.end();
        return done;
      },
      abort(reason) {
        channel.fail(reason);
      },
    });
  }
}

/**
 * A Node stream that turns the bytes of a TFRecord file, plain or compressed, into its records: {@link RecordDecoderStream}
 * for `pipeline` of `node:stream`. The readable side is in object mode: each read gives a record.
 *
 * @throws TypeError, RangeError with Node's codes for wrong options.
 *
 * @example
 * await pipeline(createReadStream('train.tfrecord.gz'), createRecordDecoder(), async function (records) {
 *   for await (const record of records) console.log(record.length);
 * });
 */
export function createRecordDecoder(options?: ReadOptions): Duplex {
  const decoding = new Decoding(options);
  const { channel } = decoding;
  let reading = false;
  const read = async (): Promise<void> => {
    reading = true;
    try {
      let wants = true;
      while (wants) {
        const batch = await decoding.next();
        if (batch === undefined) {
          stream.push(null);
          return;
        }
        for (const record of batch) wants = stream.push(record);
      }
    } catch (error) {
      stream.destroy(error as Error);
    } finally {
      reading = false;
    }
  };
  const stream = new Duplex({
    readableObjectMode: true,
    decodeStrings: false,
    read() {
      if (!reading) void read();
    },
    construct(done) {
      decoding.listen(options?.signal, (reason) => stream.destroy(reason as Error));
      done();
    },
    write(chunk, _, done) {
      finish(() => channel.write(chunk), done);
    },
    final(done) {
      channel.end();
      done();
    },
    destroy(error, done) {
      const over = (): void => {
        done(error);
      };
      decoding.close(error ?? undefined).then(over, over);
    },
  });
  return stream;
}
