import type { Data, Field, RecordBatch as ArrowBatch } from 'apache-arrow';

import { invalidArgType, isObject } from '../base';
import { RecordBatch } from '../record';
import { columnNames } from '../table';
import { classOf, countRows } from '../tensor';
import { batchOf } from './nested';
import { parsedColumn } from './parsed-column';
import { arrow } from './peer';
import { fieldOf, newSchema } from './schema';

/** A column of a parsed batch. */
interface BatchColumn {
  readonly key: string;
  readonly section: 0 | 1;
  /** Its name in errors. */
  readonly place: string;
  readonly value: unknown;
  /** Number of steps of each record, for padded feature lists. */
  readonly lengths: unknown;
}

/**
 * Converts a parsed batch to a RecordBatch of Arrow: the columns that `parseExample`, `readExamples().batches()` and
 * datasets return, or the two parts of a batch of SequenceExamples. Numbers and bytes are not copied, so do not write to
 * either; with `transient: true` the reader's next step overwrites both.
 *
 * - Columns of numbers and bytes become `Int64`, `Float32` and `Binary`, strings `Utf8`. int64 values that were parsed
 *   as numbers are copied.
 * - A DenseTensor is a `FixedSizeList` for each dimension; steps that parsing padded are a `List` without the padding.
 * - A SparseTensor of lists (`varLen`) is a `List`, one of coordinates (`sparse`) a `List` of `Struct`s of `index` and
 *   `value`.
 * - A RaggedTensor is a `List` for each level.
 * - A NullableColumn is a nullable column of such values.
 *
 * Other columns do not distinguish missing features from empty ones, and have defaults and no nulls: {@link
 * arrowBatches} keeps the records as they are.
 *
 * @throws TypeError for other values; TFRecordError TFR_FEATURE for columns of different lengths; ERR_MODULE_NOT_FOUND
 *   without `apache-arrow`
 *
 * @example
 * for await (const columns of readExamples('train-*', { tags: varLen('text') }).batches(1024)) {
 *   console.log(toArrow(columns).getChild('tags'));
 * }
 */
export function toArrow(batch: object): ArrowBatch {
  const wanted = 'a parsed batch: an object of columns';
  if (!isObject(batch) || Array.isArray(batch) || !isPlain(batch)) throw invalidArgType('batch', wanted, batch);
  const isSequence = isSequenceBatch(batch);
  const columns = isSequence ? sequenceColumns(batch) : columnsOf(batch, 0, 'batch', {});
  const rows = countRows(Object.fromEntries(columns.map(({ place, value }) => [place, value])));
  if (rows === undefined) {
    const other = columns.find(({ value }) => countRows(value) === undefined);
    throw other === undefined ? invalidArgType('batch', wanted, batch) : notColumn(other);
  }
  arrow();
  const names = columnNames(columns);
  const fields: Field[] = [];
  const children: Data[] = [];
  for (const [i, column] of columns.entries()) {
    const { place, key, section, value, lengths } = column;
    const made = parsedColumn({ place, feature: key, rows, lengths }, value);
    if (made === undefined) throw notColumn(column);
    fields.push(fieldOf(names[i]!, made.type, made.nullable ?? false, key, isSequence ? section : undefined));
    children.push(made.data);
  }
  return batchOf(newSchema(fields), rows, children);
}

function notColumn({ place, value }: BatchColumn): TypeError {
  return invalidArgType(place, 'a column as returned by parsing', value);
}

/** True for objects that are not values of columns. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value) || ArrayBuffer.isView(value)) return false;
  return classOf(value) === undefined && !(value instanceof RecordBatch);
}

/** True for results of `parseSequenceExample`. */
function isSequenceBatch(batch: Readonly<Record<string, unknown>>): boolean {
  const { context, sequence, lengths, ...others } = batch;
  return Object.keys(others).length === 0 && isPlain(context) && isPlain(sequence) && isPlain(lengths);
}

function sequenceColumns(batch: Readonly<Record<string, unknown>>): BatchColumn[] {
  const { context, sequence, lengths } = batch as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return [...columnsOf(context!, 0, 'batch.context', {}), ...columnsOf(sequence!, 1, 'batch.sequence', lengths!)];
}

function columnsOf(
  columns: Readonly<Record<string, unknown>>,
  section: 0 | 1,
  place: string,
  lengths: Readonly<Record<string, unknown>>,
): BatchColumn[] {
  return Object.entries(columns).map(([key, value]) => ({
    key,
    section,
    place: `${place}.${key}`,
    value,
    lengths: Object.hasOwn(lengths, key) ? lengths[key] : undefined,
  }));
}
