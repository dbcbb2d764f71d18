import { Duplex } from 'node:stream';

import type { RecordBatch } from '../batch/record-batch';
import type { Bytes } from '../origin';
import { BatchSteps } from '../read/cursor-iterators';
import type { ReadOptions } from '../read/read-options';
import { newCursor } from '../read/record-cursor';
import { STREAM } from '../source/record-source';
import { ChunkChannel } from './chunk-channel';

/** Reads the records of the bytes that are written to it. */
class Decoding {
  readonly channel = new ChunkChannel();
  readonly #steps: BatchSteps;

  /** @throws TypeError, RangeError for wrong options. */
  constructor(options: ReadOptions | undefined) {
    const source = {
      kind: 'chunks',
      file: STREAM,
      size: undefined,
      repeatable: false,
      open: () => this.channel,
    } as const;
    this.#steps = new BatchSteps(newCursor(source, options), this);
  }

  /** The next records, at least one; undefined at the end. */
  async next(): Promise<RecordBatch | undefined> {
    for (;;) {
      const step = await this.#steps.next();
      if (step.done === true) return undefined;
      if (step.value.length > 0) return step.value;
    }
  }

  /** Ends reading, with `error` for what is written later. */
  async close(error?: unknown): Promise<void> {
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
    let finish: () => void;
    let fail: (error: unknown) => void;
    const finished = new Promise<void>((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
    // Readers get the error, too.
    finished.catch(() => undefined);
    this.readable = new ReadableStream<Bytes>(
      {
        async pull(controller) {
          try {
            const batch = await decoding.next();
            if (batch !== undefined) {
              for (const record of batch) controller.enqueue(record);
              return;
            }
            controller.close();
            finish();
          } catch (error) {
            fail(error);
            written!.error(error);
            throw error;
          }
        },
        async cancel(reason) {
          finish();
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
        return finished;
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
    write(chunk, _, done) {
      channel.write(chunk).then(() => {
        done();
      }, done);
    },
    final(done) {
      channel.end();
      done();
    },
    destroy(error, done) {
      decoding.close(error ?? undefined).then(
        () => {
          done(error);
        },
        () => {
          done(error);
        },
      );
    },
  });
  return stream;
}
