/** Encodes tables as Arrow IPC. */
import type { RecordBatchWriter, Schema } from 'apache-arrow';

import { counted, TFRecordError } from '../../base';
import { columnsText, COLUMNS_KEY, type Table, type TableBatch } from '../../table';
import { toArrowBatch } from '../arrow-batches';
import { arrow } from '../peer';
import { schemaOfTable } from '../schema';

/** A file ends with the positions of its batches; a stream is read from its start. */
export type ArrowForm = 'file' | 'stream';

/** The facts that a schema has about a table, besides its columns. */
export interface AboutTable {
  /** The spec of the table, as JSON. */
  readonly spec?: string | undefined;
  /** More metadata. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** See `schemaOfTable`. */
  readonly files?: ReadonlySet<string> | undefined;
}

/** Maximum size of the parts of a column, in bytes, that apache-arrow counts correctly. */
const MAX_PART = 2 ** 31 - 8;

/**
 * Passes the bytes of a file, or stream, to `take` as they are encoded. They are views of the memory of the batches.
 */
export class ArrowEncoder {
  readonly #writer: RecordBatchWriter;
  readonly #schema: Schema;

  /** @throws TFRecordError ERR_MODULE_NOT_FOUND */
  constructor(form: ArrowForm, table: Table, about: AboutTable, take: (bytes: Uint8Array) => void) {
    const { AsyncByteQueue, RecordBatchFileWriter, RecordBatchStreamWriter } = arrow();
    const { fields, metadata } = schemaOfTable(table, about.spec, about.files);
    const { Schema: ArrowSchema } = arrow();
    this.#schema = new ArrowSchema(
      fields,
      new Map([...metadata, [COLUMNS_KEY, columnsText(table)], ...Object.entries(about.metadata ?? {})]),
    );
    this.#writer = form === 'file' ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
    class Sink extends AsyncByteQueue {
      override write(bytes: Uint8Array): void {
        take(bytes);
      }
    }
    this.#writer.reset(new Sink(), this.#schema);
  }

  /** @throws TFRecordError TFR_RECORD_TOO_LARGE */
  write(batch: TableBatch): void {
    for (const { column, values } of batch.vectors) {
      if (values.byteLength <= MAX_PART) continue;
      throw new TFRecordError(
        'TFR_RECORD_TOO_LARGE',
        `Feature ${JSON.stringify(column.key)} has ${counted(values.byteLength, 'byte')} in ${counted(batch.rows, 'record')}: at most ${MAX_PART} bytes fit`,
        { feature: column.key, expected: `at most ${MAX_PART}`, found: String(values.byteLength) },
      );
    }
    this.#writer.write(toArrowBatch(this.#schema, batch));
  }

  /** Completes the file, or stream. */
  finish(): void {
    this.#writer.finish();
  }
}
