/** Reads files of Arrow IPC, which end with the positions of their batches. */
import { open, type FileHandle } from 'node:fs/promises';

import type { FileHandle as ArrowHandle, RecordBatch as ArrowBatch, RecordBatchReader } from 'apache-arrow';

import { counted, fromNodeError } from '../../base';
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
  MAX_BYTES,
  namedError,
  SlicedReading,
  type ArrowReadOptions,
  type ArrowRows,
} from './arrow-source';
import type { BatchFacts } from './check-batch';
import { footerOf, MARK, messageOf, type Block, type StoredFooter } from './metadata';

/** Number of bytes before the first message. */
const BEGIN = 8;
/** Size of the footer's length, and of {@link MAGIC}, at the end of the file. */
const END = 4 + MAGIC.length;
/** Size of the mark, and of the length of the metadata after it. */
const PREFIX = 8;

/** A file of Arrow IPC. Batches are read one after the other; only the largest of them must fit into memory. */
export class ArrowFile implements ArrowRows {
  readonly #file: string;
  readonly #bytesOf: FileBytes;
  readonly #footer: StoredFooter;
  /** Position after the messages. */
  readonly #end: number;
  readonly #reader: RecordBatchReader;
  readonly #reading: SlicedReading;
  #bytes = 0;
  #counted = 0;

  private constructor(
    bytesOf: FileBytes,
    footer: StoredFooter,
    end: number,
    reader: RecordBatchReader,
    options: ArrowReadOptions,
  ) {
    this.#file = options.file;
    this.#bytesOf = bytesOf;
    this.#footer = footer;
    this.#end = end;
    this.#reader = reader;
    this.#reading = new SlicedReading(reader, footer.schema, options);
  }

  /**
   * Opens the file at `path`. @throws TFRecordError if it is damaged, or has columns that no feature can hold;
   * ERR_MODULE_NOT_FOUND without `apache-arrow`
   */
  static async open(path: string, options: ArrowReadOptions): Promise<ArrowFile> {
    const { file } = options;
    const { RecordBatchReader: Reader } = arrow();
    const bytesOf = await FileBytes.open(path, file);
    try {
      const { footer, end } = await readFooter(bytesOf, file);
      checkSchema(file, footer.schema);
      for (const block of footer.dictionaries) await checkedMessage(bytesOf, block, end, footer, file);
      const reader = await Reader.from(bytesOf as unknown as ArrowHandle);
      await reader.open();
      return new ArrowFile(bytesOf, footer, end, reader, options);
    } catch (error) {
      await bytesOf.dispose();
      throw namedError(error, file);
    }
  }

  /** True if a file begins like one of Arrow, whole or truncated. */
  static async isBegunBy(handle: FileHandle): Promise<boolean> {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return bytesRead > 0 && MAGIC.startsWith(buffer.toString('latin1', 0, bytesRead));
  }

  get table(): Table {
    return this.#reading.table;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get counted(): number {
    return this.#counted;
  }

  async countRows(): Promise<number> {
    this.#counted = 0;
    for (const block of this.#footer.batches) this.#counted += (await this.#check(block)).rows;
    return this.#counted;
  }

  async *batches(): AsyncGenerator<TableBatch, void, undefined> {
    for (const block of this.#footer.batches) {
      const facts = await this.#check(block);
      let batch: ArrowBatch;
      try {
        checkBody(this.#file, facts, block.bodyBytes);
        const step = (await this.#reader.next()) as IteratorResult<ArrowBatch, undefined>;
        if (step.done === true) throw damaged(this.#file, 'no batch');
        batch = step.value;
      } catch (error) {
        throw namedError(error, this.#file);
      }
      yield* this.#reading.slices(batch, block.bodyBytes);
      this.#bytes += block.metadataBytes + block.bodyBytes;
    }
  }

  close(): Promise<void> {
    return this.#bytesOf.dispose();
  }

  #check(block: Block): Promise<BatchFacts> {
    return checkedMessage(this.#bytesOf, block, this.#end, this.#footer, this.#file);
  }
}

/** The file handle through which apache-arrow reads a file. */
class FileBytes {
  /** Any number: apache-arrow recognises handles by it. */
  readonly fd = -1;
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #size: number;
  #closed: Promise<void> | undefined;

  private constructor(file: string, handle: FileHandle, size: number) {
    this.#file = file;
    this.#handle = handle;
    this.#size = size;
  }

  static async open(path: string, file: string): Promise<FileBytes> {
    try {
      const handle = await open(path);
      return new FileBytes(file, handle, (await handle.stat()).size);
    } catch (error) {
      throw fromNodeError(error, file, 'open');
    }
  }

  get size(): number {
    return this.#size;
  }

  stat(): Promise<{ readonly size: number }> {
    return Promise.resolve({ size: this.#size });
  }

  /** Reads `length` bytes at `position` into `buffer`. */
  async read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number; readonly buffer: Uint8Array }> {
    for (let done = 0; done < length;) {
      const { bytesRead } = await this.#handle
        .read(buffer, offset + done, length - done, position + done)
        .catch((error: unknown) => {
          throw fromNodeError(error, this.#file, 'read');
        });
      if (bytesRead === 0)
        throw cut(this.#file, `${counted(length, 'byte')} at ${position}`, `${done}`, ' It became shorter.');
      done += bytesRead;
    }
    return { bytesRead: length, buffer };
  }

  async take(position: number, length: number): Promise<Uint8Array> {
    return (await this.read(new Uint8Array(length), 0, length, position)).buffer;
  }

  /** Apache-arrow closes files at their end. Here the owner of the handle closes it. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return (this.#closed ??= this.#handle.close());
  }
}

async function readFooter(bytesOf: FileBytes, file: string): Promise<{ footer: StoredFooter; end: number }> {
  const { size } = bytesOf;
  const tail = size < BEGIN + END ? new Uint8Array(END) : await bytesOf.take(size - END, END);
  if (Buffer.from(tail.subarray(4)).toString('latin1') !== MAGIC) {
    const advice = ' It was cut, or the program that wrote it did not close it.';
    throw cut(file, `a footer and "${MAGIC}" at its end`, 'other bytes', advice);
  }
  const length = Buffer.from(tail.buffer).readInt32LE(0);
  const end = size - END - length;
  if (length <= 0 || length > MAX_BYTES || end < BEGIN) throw damaged(file, `a footer of ${counted(length, 'byte')}`);
  const footer = footerOf(await bytesOf.take(end, length));
  const blocks = [...footer.dictionaries, ...footer.batches];
  const used = blocks.reduce((bytes, { metadataBytes, bodyBytes }) => bytes + metadataBytes + bodyBytes, BEGIN);
  if (used > end) throw damaged(file, `messages of ${counted(used, 'byte')} in ${end}`);
  return { footer, end };
}

/** Checks the message at `block`, of a dictionary or a batch, before apache-arrow reads it. */
async function checkedMessage(
  bytesOf: FileBytes,
  block: Block,
  end: number,
  { schema, dictionaries }: StoredFooter,
  file: string,
): Promise<BatchFacts> {
  const { offset, metadataBytes, bodyBytes } = block;
  if (metadataBytes < PREFIX || offset + metadataBytes + bodyBytes > end) {
    throw damaged(
      file,
      `a message of ${metadataBytes} and ${counted(bodyBytes, 'byte')} at ${offset}, where ${end} bytes are`,
    );
  }
  const bytes = await bytesOf.take(offset, metadataBytes);
  return inFile(file, () => {
    const head = Buffer.from(bytes.buffer);
    const first = head.readInt32LE(0);
    // Versions before 0.15 have no mark.
    const [begin, length] = first === MARK ? [PREFIX, head.readInt32LE(4)] : [4, first];
    if (length <= 0 || begin + length > metadataBytes) throw damaged(file, `metadata of ${counted(length, 'byte')}`);
    const message = messageOf(bytes.subarray(begin, begin + length));
    if (message.bodyBytes !== bodyBytes)
      throw damaged(file, `a body of ${message.bodyBytes} and ${counted(bodyBytes, 'byte')}`);
    const expected = dictionaries.includes(block) ? 'dictionary' : 'batch';
    if (message.kind === 'schema' || message.kind !== expected) throw damaged(file, `a ${message.kind}`);
    const facts = checkedBatch(file, message, schema);
    if (message.kind === 'dictionary') checkBody(file, facts, bodyBytes);
    return facts;
  });
}
