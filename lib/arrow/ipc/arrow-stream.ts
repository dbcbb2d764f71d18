/** Reads streams of Arrow IPC: consecutive messages. */
import type { RecordBatch as ArrowBatch, RecordBatchReader } from 'apache-arrow';

import { counted } from '../../base';
import type { ChunkPull } from '../../io';
import type { Table, TableBatch } from '../../table';
import { arrow } from '../peer';
import {
  checkBody,
  checkedBatch,
  checkSchema,
  cut,
  damaged,
  inFile,
  MAGIC,
  namedError,
  SlicedReading,
  type ArrowReadOptions,
  type ArrowRows,
} from './arrow-source';
import { MARK, messageOf, type StoredMessage, type StoredSchema } from './metadata';

/** A stream of Arrow IPC. Memory holds one batch at a time, and the dictionaries. */
export class ArrowStream implements ArrowRows {
  readonly #messages: Messages;
  readonly #reader: RecordBatchReader;
  readonly #reading: SlicedReading;

  private constructor(messages: Messages, reader: RecordBatchReader, options: ArrowReadOptions) {
    this.#messages = messages;
    this.#reader = reader;
    this.#reading = new SlicedReading(reader, messages.schema, options);
  }

  /**
   * Opens the stream `pull`. @throws TFRecordError if it is damaged, or has columns that no feature can hold;
   * ERR_MODULE_NOT_FOUND without `apache-arrow`
   */
  static async open(pull: ChunkPull, options: ArrowReadOptions): Promise<ArrowStream> {
    const messages = new Messages(pull, options.file);
    try {
      const reader = await messages.guarded(async () => {
        const opened = await arrow().RecordBatchReader.from(messages.chunks());
        return opened.open();
      });
      return new ArrowStream(messages, reader as RecordBatchReader, options);
    } catch (error) {
      await pull.close();
      throw error;
    }
  }

  get table(): Table {
    return this.#reading.table;
  }

  get bytes(): number {
    return this.#messages.bytes;
  }

  get counted(): number {
    return this.#messages.rows;
  }

  async countRows(): Promise<number> {
    while (!(await this.#next()).done);
    return this.counted;
  }

  async *batches(): AsyncGenerator<TableBatch, void, undefined> {
    for (;;) {
      const step = await this.#next();
      if (step.done === true) return;
      yield* this.#reading.slices(step.value, this.#messages.bodyBytes);
    }
  }

  close(): Promise<void> {
    return this.#messages.close();
  }

  #next(): Promise<IteratorResult<ArrowBatch>> {
    return this.#messages.guarded(async () => this.#reader.next() as Promise<IteratorResult<ArrowBatch>>);
  }
}

/** Splits a stream into messages, checks them, and passes them to apache-arrow. */
class Messages {
  readonly #feed: ByteFeed;
  readonly #file: string;
  #schema: StoredSchema | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Size of the body of the last batch. */
  bodyBytes = 0;
  /** Number of rows in the batches so far. */
  rows = 0;

  constructor(pull: ChunkPull, file: string) {
    this.#feed = new ByteFeed(pull);
    this.#file = file;
  }

  get bytes(): number {
    return this.#feed.bytes;
  }

  /** The schema. Read it after the first message. */
  get schema(): StoredSchema {
    return this.#schema!;
  }

  close(): Promise<void> {
    return this.#feed.close();
  }

  /**
   * Calls `work`, which uses apache-arrow. Rejects with the first error of the messages, even if apache-arrow hides it.
   */
  async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      if (this.#failure !== undefined) throw this.#failure.error;
      return result;
    } catch (error) {
      if (this.#failure !== undefined) throw this.#failure.error;
      throw namedError(error, this.#file);
    }
  }

  /** The metadata, and then the body, of each message. */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const metadata = await this.#metadata();
        if (metadata === undefined) break;
        const message = inFile(this.#file, () => this.#checked(metadata));
        const body = await this.#take(message.bodyBytes, 'the body of a message');
        if (message.kind === 'batch') {
          this.bodyBytes = message.bodyBytes;
          this.rows += message.batch.long(0);
        }
        yield framed(metadata);
        if (body.length > 0) yield body;
      }
      if ((await this.#feed.take(1)).length > 0) throw damaged(this.#file, 'bytes after the end of the stream');
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** The metadata of the next message; undefined at the end. */
  async #metadata(): Promise<Uint8Array | undefined> {
    const first = await this.#feed.take(4);
    if (first.length === 0) {
      const expected = this.#schema === undefined ? 'a schema' : 'a mark at the end of the stream';
      throw cut(this.#file, expected, 'nothing', ' It was cut, or the program that wrote it did not close it.');
    }
    let length = intOf(first, this.#file);
    if (length === MARK) length = intOf(await this.#feed.take(4), this.#file);
    else if (this.#schema === undefined) checkBegin(first, this.#file);
    if (length === 0) {
      if (this.#schema === undefined) throw damaged(this.#file, 'no schema');
      return undefined;
    }
    if (length < 0) throw damaged(this.#file, `metadata of ${counted(length, 'byte')}`);
    return this.#take(length, 'the metadata of a message');
  }

  #checked(metadata: Uint8Array): StoredMessage {
    const message = messageOf(metadata);
    if (message.kind === 'schema') {
      if (this.#schema !== undefined) throw damaged(this.#file, 'two schemas');
      checkSchema(this.#file, message.schema);
      this.#schema = message.schema;
      if (message.bodyBytes > 0) throw damaged(this.#file, 'a schema with a body');
      return message;
    }
    const schema = this.#schema;
    if (schema === undefined) throw damaged(this.#file, `a ${message.kind} before the schema`);
    const facts = checkedBatch(this.#file, message, schema);
    checkBody(this.#file, facts, message.bodyBytes);
    return message;
  }

  async #take(length: number, what: string): Promise<Uint8Array> {
    const bytes = await this.#feed.take(length);
    if (bytes.length === length) return bytes;
    throw cut(this.#file, `${counted(length, 'byte')} for ${what}`, String(bytes.length));
  }
}

/** The metadata with the prefix of a message in a stream. */
function framed(metadata: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(8 + metadata.length);
  bytes.writeInt32LE(MARK, 0);
  bytes.writeInt32LE(metadata.length, 4);
  bytes.set(metadata, 8);
  return bytes;
}

function intOf(bytes: Uint8Array, file: string): number {
  if (bytes.length < 4) throw cut(file, '4 bytes of a message', String(bytes.length));
  return Buffer.from(bytes.buffer, bytes.byteOffset, 4).readInt32LE(0);
}

/** Refuses data of other formats. Versions before 0.15 begin with a length, which is small. */
function checkBegin(first: Uint8Array, file: string): void {
  const text = Buffer.from(first).toString('latin1');
  if (MAGIC.startsWith(text)) {
    throw damaged(file, 'an Arrow file, which is read from its end: give its path, not its bytes');
  }
  if (/^[ -~]{4}$/.test(text) || first[3]! > 0) throw damaged(file, `${JSON.stringify(text)} at its start`);
}

/** Reads exact numbers of bytes from a stream. */
class ByteFeed {
  readonly #pull: ChunkPull;
  #chunk: Uint8Array = new Uint8Array(0);
  /** Number of bytes that were read. */
  bytes = 0;

  constructor(pull: ChunkPull) {
    this.#pull = pull;
  }

  /** The next `length` bytes, in their own memory; fewer at the end. Allocates memory only for bytes that arrive. */
  async take(length: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let left = length;
    while (left > 0) {
      if (this.#chunk.length === 0) {
        const chunk = await this.#pull.next();
        if (chunk === undefined) break;
        // The source may reuse its memory.
        this.#chunk = Uint8Array.from(chunk);
        continue;
      }
      const part = this.#chunk.subarray(0, left);
      parts.push(part);
      left -= part.length;
      this.#chunk = this.#chunk.subarray(part.length);
    }
    this.bytes += length - left;
    const bytes = new Uint8Array(length - left);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  close(): Promise<void> {
    return this.#pull.close();
  }
}
