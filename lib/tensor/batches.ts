/** Operations on batches whose spec is unknown: columns of any class, arrays, records, and objects of these. */
import { counted, isObject, TFRecordError } from '../base';
import { RecordBatch } from '../record';
import { CLASSES, classOf } from './classes';
import { joinColumns, valueAt, type Column } from './column';
import { DENSE } from './dense-tensor';
import { newRow, setFeature, withMethods } from './rows';
import type { BatchPart } from './types';
import type { ClassName, Parts } from './value-class';

/**
 * Returns the number of rows of a batch; undefined for other values. @throws TFRecordError TFR_FEATURE if columns
 * differ in length
 */
export function countRows(batch: unknown): number | undefined {
  if (Array.isArray(batch) || batch instanceof RecordBatch) return batch.length;
  if (ArrayBuffer.isView(batch)) return (batch as Column).length;
  if (!isObject(batch)) return undefined;
  const known = classOf(batch);
  if (known !== undefined) return known.rows(batch);
  let rows: number | undefined;
  let first = '';
  for (const name in batch) {
    const count = countRows(batch[name]);
    if (count === undefined) return undefined;
    if (rows !== undefined && count !== rows) throw lengthsDiffer(first, rows, name, count);
    rows = count;
    first ||= name;
  }
  return rows;
}

/**
 * Returns row `row` of `batch`, over the same memory: an object for columns, a value for one column. Padding that
 * parsing added is removed.
 */
export function batchRow(batch: unknown, row: number): unknown {
  if (Array.isArray(batch) || batch instanceof RecordBatch) return batch.at(row);
  if (ArrayBuffer.isView(batch)) return valueAt(batch as Column, row);
  if (!isObject(batch)) return newRow();
  const known = classOf(batch);
  if (known !== undefined) return known.row(batch, row);
  const values = newRow();
  for (const name in batch) setFeature(values, name, batchRow(batch[name], row));
  return values;
}

/**
 * Concatenates the rows of one or more `parts`: columns to columns, arrays to an array. Not for RecordBatches. @throws
 * TFRecordError TFR_FEATURE if their kinds or shapes differ
 */
export function joinBatches(parts: readonly BatchPart[], name = ''): unknown {
  const first = parts[0]!.batch;
  const all = <T>(Class: abstract new (...given: never[]) => T): readonly BatchPart<T>[] => {
    if (parts.every(({ batch }) => batch instanceof Class)) return parts as readonly BatchPart<T>[];
    throw classesDiffer(name, Class.name, parts);
  };
  if (Array.isArray(first)) {
    return all(Array).flatMap(({ batch, begin, end }) => batch.slice(begin, end));
  }
  if (ArrayBuffer.isView(first)) return joinColumns(all(first.constructor as new () => Column));
  if (!isObject(first)) return withMethods({});
  const known = classOf(first);
  if (known !== undefined) {
    return known.join(all(known.class), (expected, differing) => classesDiffer(name, expected, differing));
  }
  const joined: Record<string, unknown> = {};
  for (const key in first) {
    const columns = parts.map(({ batch, begin, end }) => ({
      batch: isObject(batch) ? batch[key] : undefined,
      begin,
      end,
    }));
    const value = joinBatches(columns, name === '' ? key : `${name}.${key}`);
    setFeature(joined, key, value);
  }
  return withMethods(joined);
}

/**
 * A value of one of our classes, as the name of its class and its parts: cloning or serializing the value would lose
 * its class.
 */
export interface ClassParts {
  readonly class: ClassName;
  readonly parts: Parts;
}

/** Returns the parts of a tensor or a BytesArray; undefined for other values. */
export function classParts(value: object): ClassParts | undefined {
  const known = classOf(value);
  return known && { class: known.name, parts: known.parts(value) };
}

/** True for the names of our classes. */
export function isClassName(name: unknown): name is ClassName {
  return CLASSES.some((known) => known.name === name);
}

/** Restores the instance that {@link classParts} converted. */
export function ofClassParts({ class: name, parts }: ClassParts): object {
  return CLASSES.find((known) => known.name === name)!.make(parts);
}

function lengthsDiffer(first: string, rows: number, name: string, count: number): TFRecordError {
  return new TFRecordError(
    'TFR_FEATURE',
    `The columns of a batch differ in length: ${JSON.stringify(first)} has ${counted(rows, 'row')}, ${JSON.stringify(name)} ${count}`,
    { feature: name, expected: counted(rows, 'row'), found: counted(count, 'row') },
  );
}

function classesDiffer(name: string, expected: string, parts: readonly BatchPart[]): TFRecordError {
  const found = [...new Set(parts.map(({ batch }) => described(batch)))].join(' and ');
  const feature = name === '' ? 'The batches' : `Feature ${JSON.stringify(name)} of the batches`;
  return new TFRecordError(
    'TFR_FEATURE',
    `${feature} cannot be joined: expected ${expected}, found ${found}. Records can be batched anew before they are parsed.`,
    { feature: name === '' ? undefined : name, expected, found },
  );
}

function described(batch: unknown): string {
  if (batch instanceof DENSE.class) return `${batch.dtype} of shape [${batch.shape.join(', ')}]`;
  return typeof batch === 'object' && batch !== null ? batch.constructor.name : typeof batch;
}
