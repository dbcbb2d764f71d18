import type { DataType, RecordBatch as ArrowBatch, Schema } from 'apache-arrow';

import { checkInteger, checkOptions, invalidArgType, type Origin } from '../base';
import { planSpec, specText, type SequenceExampleSpec, type Spec } from '../example';
import { type RecordSource } from '../io';
import { READ_OPTION_NAMES, type ReadOptions, type ReadStats } from '../record';
import { readTable, tableOfPlan, type Table, type TableBatch, type TableReader, type Vector } from '../table';
import { batchOf, dataOf, type NestedColumn } from './nested';
import { arrow, useArrow } from './peer';
import { schemaOfTable } from './schema';

/** Options of {@link arrowBatches}. Unknown names throw. */
export interface ArrowBatchesOptions extends ReadOptions {
  /** Maximum number of records in a batch. Batches of large records have fewer. Default: 4096. */
  readonly rows?: number | undefined;
}

/**
 * The batches of a source: see {@link arrowBatches}. `for await` starts again with the first record, except for
 * streams.
 */
export interface ArrowBatches extends AsyncIterable<ArrowBatch>, AsyncDisposable {
  /** The schema of all batches, even if there are none. */
  readonly schema: Schema;
  /** The origin of the last record in the batch that was returned last; undefined before the first batch. */
  readonly origin: Origin | undefined;
  /** The progress of reading. */
  readonly stats: ReadStats;
  /** Stops reading. Resolves when all files are closed. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_ROWS = 4096;
const MAX_ROWS = 2 ** 31 - 1;

/**
 * Reads Examples, or SequenceExamples for a spec `{ context, sequence }`, as RecordBatches of Arrow, with the schema of
 * {@link arrowSchema}. Native threads read and parse; numbers and bytes are not copied after that. Batches are handed out
 * as they come: none waits for others to be filled up.
 *
 * @throws TypeError, RangeError, TFRecordError TFR_SPEC at once for wrong arguments; ERR_MODULE_NOT_FOUND without
 *   `apache-arrow`. Iterating throws as `readExamples`; text that is not UTF-8 is TFR_FEATURE.
 *
 * @example
 * const spec = { id: fixedLen([], 'int64'), tags: varLen('text') };
 * for await (const batch of arrowBatches('train-*.tfrecord.gz', spec)) console.log(batch.numRows, batch.getChild('id'));
 */
export function arrowBatches(
  source: RecordSource,
  spec: Spec | SequenceExampleSpec,
  options?: ArrowBatchesOptions,
): ArrowBatches {
  const { rows, ...readOptions } = checkOptions<ArrowBatchesOptions>(options, [...READ_OPTION_NAMES, 'rows']);
  const size = checkInteger('options.rows', rows, 1, MAX_ROWS, DEFAULT_ROWS);
  if (size === undefined) throw invalidArgType('options.rows', 'a number', rows);
  const table = tableOfPlan(planSpec(spec));
  arrow();
  return new TableBatches(source, table, specText(spec), size, readOptions);
}

// The ESM entry calls this function (scripts/build-esm.mjs). It is not exported under a name.
Object.defineProperty(arrowBatches, Symbol.for('tfrecord-native.useCopy'), { value: useArrow });

class TableBatches implements ArrowBatches {
  readonly schema: Schema;
  readonly #reader: TableReader;
  readonly #rows: number;

  constructor(source: RecordSource, table: Table, spec: string, rows: number, options: ReadOptions) {
    this.#reader = readTable(source, table, options);
    this.schema = schemaOfTable(table, spec);
    this.#rows = rows;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ArrowBatch, void, undefined> {
    for await (const batch of this.#reader.pieces(this.#rows)) yield toArrowBatch(this.schema, batch);
  }

  get origin(): Origin | undefined {
    return this.#reader.origin;
  }

  get stats(): ReadStats {
    return this.#reader.stats;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Converts `batch` to Arrow, over the same memory. `schema`: the schema of its table. */
export function toArrowBatch(schema: Schema, { rows, vectors }: TableBatch): ArrowBatch {
  const children = schema.fields.map((field, i) => dataOf(field.type as DataType, nestedColumn(vectors[i]!)));
  return batchOf(schema, rows, children);
}

function nestedColumn({ column, rows, validity, nulls, steps, splits, offsets, values }: Vector): NestedColumn {
  const levels = [...(steps === undefined ? [] : [steps]), ...(splits === undefined ? column.shape! : [splits])];
  return { rows, validity, nulls, levels, leaf: { values, offsets } };
}
