import { Duplex } from 'node:stream';

import { checkChoice, checkOptions, type Bytes } from '../../base';
import { CODEC_NAMES } from '../../io';
import type { RecordBatch } from '../batch/record-batch';
import type { EncodeRecordsOptions } from '../write/encode-records';
import { SLAB_BYTES } from '../write/frame-slab';
import { openWriter, type RecordWriter } from '../write/record-writer';
import { resolveWriteOptions, type WriteOptions } from '../write/write-options';
import { writeTo } from '../write/write-records';
import { PulledOutput, type ReadableSide } from './pulled-output';

/** Options of {@link RecordEncoderStream} and {@link createRecordEncoder}. Unknown names throw. */
export interface RecordEncoderOptions extends EncodeRecordsOptions, Pick<WriteOptions, 'threads' | 'signal'> {}

/** Pieces of about a slab that may wait for the reader: with fewer, threads would wait for it, too. */
const AHEAD = 3;
/** Records that may wait for the writer. */
const RECORDS_AHEAD = 64;
const OPTION_NAMES = ['compression', 'level', 'maxRecordBytes', 'threads', 'signal'] as const;

/** Encodes the records that are written to it. */
class Encoding {
  readonly output: PulledOutput;
  readonly #options: WriteOptions;
  #writer: RecordWriter | undefined;

  /** @throws TypeError, RangeError for wrong options. */
  constructor(options: RecordEncoderOptions | undefined, readable: ReadableSide) {
    const given = checkOptions<RecordEncoderOptions>(options, OPTION_NAMES);
    const compression = checkChoice('options.compression', given.compression, CODEC_NAMES, 'none');
    this.#options = { ...given, compression };
    resolveWriteOptions(this.#options, '');
    this.output = new PulledOutput(readable);
  }

  async start(): Promise<void> {
    const open = (): PulledOutput => this.output;
    this.#writer = await openWriter({ file: '<stream>', path: undefined, open, ownsWriter: true }, this.#options);
  }

  /** Returns a promise if the caller should wait. @throws TypeError, TFRecordError for what is no record */
  write(record: Uint8Array | string | RecordBatch): Promise<void> | undefined {
    return writeTo(this.#writer!, record);
  }

  async close(): Promise<void> {
    await this.#writer!.close();
  }

  async abort(error: unknown): Promise<void> {
    this.output.cancel(error);
    await this.#writer?.abort();
  }
}

/**
 * A web stream that turns records into the bytes of a TFRecord file, which are those that {@link writeRecords} writes with
 * the same options. Each chunk is a record (bytes, or text as UTF-8) or a batch of records, for example from
 * `encodeExamples`; batches are several times faster than small records. The bytes come in pieces of about 1 MiB, and are
 * checksummed and compressed on native threads. Records are copied before their write resolves.
 *
 * @throws TypeError, RangeError with Node's codes for wrong options. Writing rejects with what `RecordWriter.write` throws,
 * and ends both sides.
 *
 * @example
 * // Plain to GZIP, without a file.
 * const records = source.pipeThrough(new RecordDecoderStream());
 * await records.pipeThrough(new RecordEncoderStream({ compression: 'gzip' })).pipeTo(target);
 */
export class RecordEncoderStream {
  /** The bytes of the file. */
  readonly readable: ReadableStream<Bytes>;
  /** Takes records. */
  readonly writable: WritableStream<Uint8Array | string | RecordBatch>;

  constructor(options?: RecordEncoderOptions) {
    let read: ReadableStreamDefaultController<Bytes> | undefined;
    let written: WritableStreamDefaultController | undefined;
    const encoding = new Encoding(options, {
      push: (chunk) => read!.enqueue(chunk as Bytes),
      end: () => read!.close(),
      fail: (error) => {
        read!.error(error);
        written?.error(error);
      },
    });
    /** Waits for `step`. If it fails, both sides do. */
    const orFail = async (step: () => Promise<void> | undefined): Promise<void> => {
      try {
        await step();
      } catch (error) {
        read!.error(error);
        await encoding.abort(error);
        throw error;
      }
    };
    this.readable = new ReadableStream<Bytes>(
      {
        start(controller) {
          read = controller;
        },
        pull() {
          encoding.output.wanted();
        },
        async cancel(reason) {
          written!.error(reason);
          await encoding.abort(reason);
        },
      },
      { highWaterMark: AHEAD },
    );
    this.writable = new WritableStream<Uint8Array | string | RecordBatch>(
      {
        start(controller) {
          written = controller;
          return orFail(() => encoding.start());
        },
        write: (record) => orFail(() => encoding.write(record)),
        close: () => orFail(() => encoding.close()),
        async abort(reason) {
          read!.error(reason);
          await encoding.abort(reason);
        },
      },
      { highWaterMark: RECORDS_AHEAD },
    );
  }
}

/**
 * A Node stream that turns records into the bytes of a TFRecord file: {@link RecordEncoderStream} for `pipeline` of
 * `node:stream`. The writable side is in object mode: each write takes a record, or a batch of records.
 *
 * @throws TypeError, RangeError with Node's codes for wrong options.
 *
 * @example
 * await pipeline(records, createRecordEncoder({ compression: 'gzip' }), createWriteStream('train.tfrecord.gz'));
 */
export function createRecordEncoder(options?: RecordEncoderOptions): Duplex {
  const encoding = new Encoding(options, {
    push: (chunk) => stream.push(chunk),
    end: () => stream.push(null),
    fail: (error) => stream.destroy(error as Error),
  });
  const stream = new Duplex({
    writableObjectMode: true,
    readableHighWaterMark: AHEAD * SLAB_BYTES,
    construct(done) {
      finish(() => encoding.start(), done);
    },
    read() {
      encoding.output.wanted();
    },
    write(record: Uint8Array | string | RecordBatch, _, done) {
      finish(() => encoding.write(record), done);
    },
    writev(chunks: readonly { readonly chunk: Uint8Array | string | RecordBatch }[], done) {
      finish(() => writeAll(encoding, chunks), done);
    },
    final(done) {
      finish(() => encoding.close(), done);
    },
    destroy(error, done) {
      const over = (): void => {
        done(error);
      };
      encoding.abort(error ?? undefined).then(over, over);
    },
  });
  return stream;
}

async function writeAll(
  encoding: Encoding,
  chunks: readonly { readonly chunk: Uint8Array | string | RecordBatch }[],
): Promise<void> {
  for (const { chunk } of chunks) {
    const full = encoding.write(chunk);
    if (full !== undefined) await full;
  }
}

/** Calls `done`, of a Node stream, when `write` has finished, with its error if it failed. */
export function finish(write: () => Promise<void> | undefined, done: (error?: Error | null) => void): void {
  let full: Promise<void> | undefined;
  try {
    full = write();
  } catch (error) {
    done(error as Error);
    return;
  }
  if (full === undefined) done();
  else
    full.then(() => {
      done();
    }, done);
}
