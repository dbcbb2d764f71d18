/** The common parts of Arrow's files and streams: their errors, and the conversion of their batches. */
import type { RecordBatch as ArrowBatch, RecordBatchReader, Schema } from 'apache-arrow';

import { TFRecordError, type TFRecordErrorDetails, tfrecordError, advice, messageOf, worded } from '../../base';
import { COLUMN_ADVICE, SpecFault, type ColumnReading, type Table, type TableBatch } from '../../table';
import { batchReading, type BatchReading } from '../batch-reading';
import { arrow } from '../peer';
import { typeId, TYPES } from '../read-place';
import { checkBatch, CODECS, type BatchFacts } from './check-batch';
import { FlatbufferFault } from './flatbuffer';
import { STORED_TYPES, V4, V5, type StoredField, type StoredMessage, type StoredSchema } from './metadata';

/** Options of reading a file or stream. */
export interface ArrowReadOptions extends ColumnReading {
  /** Its name in errors. */
  readonly file: string;
  /** True if numbers may be rounded to float32. */
  readonly rounding: boolean;
}

/** A file or stream of Arrow. */
export interface ArrowRows {
  readonly table: Table;
  /** Number of bytes that were read so far. */
  readonly bytes: number;
  /** Number of rows that {@link ArrowRows.countRows} counted; if it rejected, of those before the damage. */
  readonly counted: number;
  /** Counts the rows, instead of reading them. @throws TFRecordError at damage */
  countRows(): Promise<number>;
  /** The rows in order. The iteration throws at damage. Call it once. */
  batches(): AsyncGenerator<TableBatch, void, undefined>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** The first bytes of a file. */
export const MAGIC = 'ARROW1';

/** Maximum size of the body of a batch, and of its metadata. */
export const MAX_BYTES = 2 ** 31 - 1;

/** The error about a file that is not Arrow data, or that contradicts itself. */
export function damaged(file: string, found: string, details: TFRecordErrorDetails = {}): TFRecordError {
  const message = `${file} is not valid Arrow data: found ${found}.`;
  return new TFRecordError('TFR_DECODE', message, { file, expected: 'Arrow data', found, ...details });
}

/** The error about a file that ends too early. */
export function cut(file: string, expected: string, found: string, advice = ''): TFRecordError {
  const message = `${file} ends too early: expected ${expected}, found ${found}.${advice}`;
  return new TFRecordError('TFR_TRUNCATED', message, { file, expected, found });
}

/** The error about data that neither apache-arrow nor this package can read. */
function unread(file: string, expected: string, found: string, advice: string): TFRecordError {
  return new TFRecordError('TFR_DECODE', `${file}: expected ${expected}, found ${found}. ${advice}.`, {
    ...{ file, expected, found },
  });
}

/** Calls `work`, and adds the name `file` to its errors. */
export function inFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw namedError(error, file);
  }
}

/** The error to throw for `error`, which was thrown while reading `file`. */
export function namedError(error: unknown, file: string): unknown {
  if (error instanceof FlatbufferFault) return damaged(file, error.message, { cause: error });
  if (!(error instanceof TFRecordError)) {
    // Apache-arrow throws errors of all kinds for unexpected data.
    return damaged(file, error instanceof Error ? error.message : String(error), { cause: error });
  }
  if (error.file !== undefined) return error;
  const { code, record, feature, expected, found } = error;
  const cure = code === 'TFR_FEATURE' && !(error instanceof SpecFault) ? advice` ${COLUMN_ADVICE}.` : undefined;
  const details = { file, record, feature, expected, found, cause: error };
  return tfrecordError(code, worded`${file}: ${messageOf(error)}${cure}`, details);
}

const UNREAD = new Map<number, string>([
  [STORED_TYPES.RunEndEncoded, 'RunEndEncoded'],
  [STORED_TYPES.ListView, 'ListView'],
  [STORED_TYPES.LargeListView, 'LargeListView'],
]);

/** @throws TFRecordError for a schema that apache-arrow would misread */
export function checkSchema(file: string, { version, isBigEndian, fields }: StoredSchema): void {
  if (version < V4 || version > V5) {
    throw unread(file, 'version 4 or 5 of the metadata', String(version + 1), 'Write it with a newer version of Arrow');
  }
  if (isBigEndian) throw unread(file, 'little-endian numbers', 'big-endian ones', 'Write it on another machine');
  for (const column of fields) {
    const check = ({ type, children }: StoredField): void => {
      const name = UNREAD.get(type);
      if (name !== undefined) {
        const message = `${file}: column ${JSON.stringify(column.name)} has the type ${name}, which apache-arrow cannot read. Cast it first.`;
        throw new TFRecordError('TFR_FEATURE', message, { file, feature: column.name, found: name });
      }
      children.forEach(check);
    };
    check(column);
  }
}

/** Checks a message with values. @throws FlatbufferFault; TFRecordError */
export function checkedBatch(
  file: string,
  message: Exclude<StoredMessage, { readonly kind: 'schema' }>,
  schema: StoredSchema,
): BatchFacts {
  const entries = message.kind === 'dictionary' ? schema.dictionaries.get(message.id) : undefined;
  if (message.kind === 'dictionary' && entries === undefined) throw damaged(file, 'a dictionary without a column');
  const fields = entries === undefined ? schema.fields : [entries];
  return checkBatch(message.batch, fields, message.bodyBytes, schema.version);
}

/** @throws TFRecordError for a body that cannot be read */
export function checkBody(file: string, { codec }: BatchFacts, bodyBytes: number): void {
  if (bodyBytes > MAX_BYTES) {
    const message = `${file} has a batch of ${bodyBytes} bytes; at most ${MAX_BYTES} can be read: write it with fewer rows in a batch (pyarrow: max_chunksize)`;
    throw new TFRecordError('TFR_RECORD_TOO_LARGE', message, { file, found: String(bodyBytes) });
  }
  if (codec === undefined) return;
  const { compressionRegistry, CompressionType } = arrow();
  const type = [CompressionType.LZ4_FRAME, CompressionType.ZSTD][codec];
  // Programs can register a codec.
  if (type !== undefined && compressionRegistry.get(type)?.decode !== undefined) return;
  const found = `buffers compressed with ${CODECS[codec] ?? `codec ${codec}`}`;
  throw new TFRecordError(
    'TFR_COMPRESSION',
    `${file} has ${found}, for which apache-arrow has no codec in JavaScript. Write it uncompressed: with pyarrow.feather.write_feather(table, path, compression='uncompressed'), or with pyarrow.ipc as it is by default.`,
    { file, expected: 'buffers without compression', found },
  );
}

/** Approximate size of a slice of a batch: records are made of one slice at a time. */
const SLICE_BYTES = 4 * 1024 * 1024;
const SLICE_ROWS = 65_536;

/** Reads the batches of one file, slice by slice. */
export class SlicedReading {
  readonly #file: string;
  readonly #reading: BatchReading;
  #rows = 0;

  /** `stored`: the schema in the file. @throws TFRecordError for columns that no feature can hold */
  constructor({ schema }: RecordBatchReader, stored: StoredSchema, options: ArrowReadOptions) {
    const { file } = options;
    this.#file = file;
    this.#reading = inFile(file, () => batchReading(named(schema, stored), options));
  }

  get table(): Table {
    return this.#reading.table;
  }

  /** The rows of `batch`, in slices. `bytes`: the size of the batch in memory. */
  *slices(batch: ArrowBatch, bytes: number): Generator<TableBatch, void, undefined> {
    const { numRows } = batch;
    const each = (bytes + spreadBytes(batch)) / Math.max(numRows, 1);
    const step = Math.max(1, Math.min(SLICE_ROWS, Math.floor(SLICE_BYTES / Math.max(each, 1))));
    for (let begin = 0; begin < numRows; begin += step) {
      const end = Math.min(begin + step, numRows);
      const slice = begin === 0 && end === numRows ? batch : batch.slice(begin, end);
      yield inFile(this.#file, () => this.#reading.read(slice, this.#rows));
      this.#rows += end - begin;
    }
  }
}

/** Returns `schema` with the names from the file: apache-arrow removes U+FEFF at the start of a name. */
function named(schema: Schema, { fields }: StoredSchema): Schema {
  if (!fields.some(({ name }) => name.startsWith('\ufeff'))) return schema;
  const renamed = schema.fields.map((field, i) => field.clone({ name: fields[i]!.name }));
  return new (arrow().Schema)(renamed, schema.metadata);
}

/** Approximate additional size of the records because they repeat the entries of dictionaries. */
function spreadBytes({ data: { children } }: ArrowBatch): number {
  let bytes = 0;
  for (const { type, dictionary, length } of children) {
    if (typeId(type) !== TYPES.Dictionary || dictionary === undefined || dictionary.length === 0) continue;
    bytes += (dictionary.byteLength / dictionary.length) * length;
  }
  return bytes;
}
