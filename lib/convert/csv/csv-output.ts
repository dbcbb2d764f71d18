/** Writes CSV and TSV: a header, and a row for each record. */
import type { TFRecordError } from '../../base';
import { counted, LoopTurns, type Origin, tfrecordError, advice, setting, worded } from '../../base';
import { APPENDABLE } from '../../io';
import { csvLines, float32Json } from '../../example';
import { type Table, type TableBatch, COLUMN_ADVICE } from '../../table';
import { sizeOf } from '../../tensor';
import type { Faults, OutputFormat, WriteSettings } from '../format';
import { ByteOutput } from '../output/byte-output';
import { LineChunks } from '../output/line-chunks';
import { tableOutput, type PrintedRows, type TableWriter } from '../table/table-output';
import { FieldFault, fieldsOf, MAX_ROW, tooLong, type Field } from './fields-of-vector';
import type { Delimiter } from './row-splitter';

/** Number of rows that are formatted together. */
const ROWS = 128;
/** Maximum length of the rows that are formatted together, in characters, but for the last. */
const CHUNK = 512 * 1024;
/** Approximate length of a number, in characters. */
const NUMBER_CHARACTERS = 8;

/** The format whose fields `usual` separates, unless the caller sets another delimiter. */
export function csvOutput(usual: Delimiter): OutputFormat {
  return tableOutput({
    // The delimiter of TSV is always a tab.
    uses: usual === ',' ? ['delimiter'] : [],
    compressions: APPENDABLE,
    async open(target, table, settings) {
      checkTable(table);
      const { compression, level, signal } = settings;
      return new CsvWriter(
        new LineChunks(await ByteOutput.open(target, compression, level, signal)),
        table,
        settings,
        settings.delimiter ?? usual,
      );
    },
  });
}

const ADVICE = advice` ${COLUMN_ADVICE}, or convert to jsonl or parquet, which keep it.`;

/** Advice for values that Parquet cannot hold, either. */
const JSON_KEEPS = 'convert to jsonl, which keeps it';

/** @throws TFRecordError TFR_FEATURE for a column that CSV cannot hold */
function checkTable({ columns, sequenceExample }: Table): void {
  if (sequenceExample) {
    const expected = 'Examples';
    const message = worded`The records are SequenceExamples, and CSV has no feature lists${advice`: convert to jsonl or parquet.`}`;
    throw tfrecordError('TFR_FEATURE', message, { expected, found: 'SequenceExamples' });
  }
  for (const { key, shape } of columns) {
    const name = JSON.stringify(key);
    if (key.includes('\0')) {
      const message = worded`The name of feature ${name} has a NUL, and CSV is text.${advice` ${COLUMN_ADVICE}, or ${JSON_KEEPS}.`}`;
      throw tfrecordError('TFR_FEATURE', message, { feature: key });
    }
    if (shape === undefined || sizeOf(shape) === 1) continue;
    const count = counted(sizeOf(shape), 'value');
    const message = worded`Feature ${name} has ${count} in each record, and a field of CSV has one.${ADVICE}`;
    throw tfrecordError('TFR_FEATURE', message, { feature: key, expected: 'one value', found: count });
  }
}

/** The fault of a record without features. */
const NO_FEATURES = 'has no features';

class CsvWriter implements TableWriter {
  readonly printed: PrintedRows | undefined;
  readonly #chunks: LineChunks;
  readonly #faults: Faults;
  readonly #stringify: Stringify;
  readonly #turns = new LoopTurns();
  #rows = 0;

  constructor(chunks: LineChunks, { columns, plan }: Table, { faults }: WriteSettings, delimiter: Delimiter) {
    this.#chunks = chunks;
    this.#faults = faults;
    this.#stringify = stringifier(delimiter);
    const lines = csvLines(plan, delimiter);
    this.printed = lines && {
      lines,
      take: (text, free, rows) => {
        this.#rows += rows;
        return chunks.add(text, free);
      },
    };
    if (columns.length > 0) chunks.text.text(this.#stringify([columns.map(({ key }) => nameField(key))]));
  }

  async write({ vectors, rows }: TableBatch, origin: (row: number) => Origin): Promise<void> {
    const fields = vectors.map(fieldsOf);
    let pending: Field[][] = [];
    let size = 0;
    for (let row = 0; row < rows && !this.#faults.stopped; row++) {
      const made = this.#row(vectors, fields, row, origin);
      if (made === undefined) continue;
      pending.push(made);
      this.#rows++;
      for (const field of made) size += typeof field === 'string' ? field.length : NUMBER_CHARACTERS;
      if (pending.length < ROWS && size < CHUNK) continue;
      await this.#add(pending);
      pending = [];
      size = 0;
    }
    await this.#add(pending);
  }

  async close(): Promise<{ fileBytes: number; rows: number }> {
    this.printed?.lines.close();
    return { fileBytes: await this.#chunks.close(), rows: this.#rows };
  }

  abort(): Promise<void> {
    this.printed?.lines.close();
    return this.#chunks.abort();
  }

  /**
   * The fields of a row; undefined if `onError` leaves the record out. @throws TFRecordError if the row cannot be
   * written
   */
  #row(
    vectors: TableBatch['vectors'],
    fields: readonly ((row: number) => Field)[],
    row: number,
    origin: (row: number) => Origin,
  ): Field[] | undefined {
    let i = 0;
    try {
      if (fields.length === 0) throw new FieldFault('a feature', NO_FEATURES);
      const made: Field[] = [];
      let size = 0;
      for (; i < fields.length; i++) {
        const field = fields[i]!(row);
        made.push(field);
        if (typeof field === 'string') size += field.length;
      }
      if (size > MAX_ROW) throw tooLong(size);
      return made;
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      this.#faults.leaveOut(faultAt(error, vectors[i]?.column.key, origin(row)));
      return undefined;
    }
  }

  async #add(rows: readonly (readonly Field[])[]): Promise<void> {
    if (rows.length > 0) await this.#chunks.add(Buffer.from(this.#stringify(rows)), () => undefined);
    await this.#turns.breathe();
  }
}

type Stringify = (rows: readonly (readonly Field[])[]) => string;

/** Returns the function that makes text of rows, with quotes where they are needed, and around empty text. */
function stringifier(delimiter: Delimiter): Stringify {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the first output is opened
  const { stringify } = require('csv-stringify/sync');
  const options = {
    delimiter,
    quoted_match: [/^$/],
    cast: {
      number: (value: number) => (Number.isFinite(value) ? float32Json(value) : String(value)),
      object: ({ quoted }: Record<string, unknown>) => ({ value: quoted as string, quoted: true }),
    },
  };
  return (rows) => stringify(rows as unknown[], options);
}

/** Readers take a byte order mark at the start of a file as no part of the first name, so quotes protect it. */
function nameField(name: string): Field {
  return name.startsWith('\uFEFF') ? { quoted: name } : name;
}

function faultAt(
  { code, message, expected, found }: FieldFault,
  feature: string | undefined,
  origin: Origin,
): TFRecordError {
  const { file, record, offset } = origin;
  const text = feature === undefined ? `it ${message}` : `feature ${JSON.stringify(feature)} ${message}`;
  // A Parquet file has at least one column, so Parquet cannot keep a record without features.
  const keeps =
    found === NO_FEATURES
      ? advice` ${setting('onError', 'skip')} leaves it out, or ${JSON_KEEPS}.`
      : advice` jsonl and parquet keep it.`;
  const cure = feature === undefined ? keeps : ADVICE;
  const details = { file, record, offset, feature, expected, found };
  return tfrecordError(code, worded`Record ${record} of ${file}: ${text}.${cure}`, details);
}
