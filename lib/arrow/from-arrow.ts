import type { RecordBatch as ArrowBatch, Table as ArrowTable } from 'apache-arrow';

import { checkBoolean, checkOptions, invalidArgType, isObject } from '../base';
import { planSpec, type SequenceExampleSpec, type Spec } from '../example';
import { batchOf, ENCODED, type RecordBatch } from '../record';
import { encodeTable } from '../table';
import { batchReading } from './batch-reading';

/** Options of {@link fromArrow}. Unknown names throw. */
export interface FromArrowOptions {
  /** True: rounds `Float64` to float32. Default: false; values that float32 cannot hold exactly are errors. */
  readonly rounding?: boolean | undefined;
}

/**
 * Encodes the rows of a Table or RecordBatch of Arrow as records, for `writer.writeBatch`: Examples, or SequenceExamples
 * for a spec `{ context, sequence }`. A null is a missing feature, `[]` an empty one.
 *
 * The columns are those of `spec`; others are ignored. Without `spec`, all columns are encoded: the metadata of what
 * {@link arrowBatches} and {@link toArrow} made describes their features; for other columns, the types decide:
 *
 * - Integers and `Bool` are int64; `Uint64` if the value fits.
 * - `Float32` is float32, `Float64` if the value is exactly one, or with the option `rounding`.
 * - Text and bytes of any form, also as a `Dictionary`, are bytes.
 * - A `List` or `FixedSizeList` of these is a feature of as many values.
 * - A `Struct` is a feature for each field, `name/field`. Dates and times become int64 (microseconds) or text (ISO
 *   8601), by `spec`.
 * - A list of `List`s is a feature list, whose steps are these lists; the records are SequenceExamples then.
 *
 * A Table becomes one batch of at most 4 GiB: convert its `batches` one by one if it is larger.
 *
 * @throws TFRecordError TFR_FEATURE, naming column and row, for what no feature holds: nulls inside of lists, lists of
 *   lists of lists, dates without a spec, decimals, maps, inexact numbers. TFR_SPEC for a spec that is wrong, TFR_DECODE
 *   for malformed data, TFR_RECORD_TOO_LARGE. TypeError for other arguments.
 *
 * @example
 * const table = tableFromIPC(await readFile('rows.arrow'));
 * for (const batch of table.batches) await writer.writeBatch(fromArrow(batch));
 */
export function fromArrow(
  data: ArrowTable | ArrowBatch,
  spec?: Spec | SequenceExampleSpec,
  options?: FromArrowOptions,
): RecordBatch {
  const given = checkOptions<FromArrowOptions>(options, ['rounding']);
  const rounding = checkBoolean('options.rounding', given.rounding, false);
  // Batches without rows may lack memory.
  const batches = batchesOf(data).filter(({ numRows }) => numRows > 0);
  const plan = spec === undefined ? undefined : planSpec(spec);
  const { table, read } = batchReading(data.schema, { plan, rounding });
  let firstRow = 0;
  const encoded = batches.map((batch) => {
    const { vectors, rows } = read(batch, firstRow);
    firstRow += rows;
    return encodeTable(table, vectors, rows);
  });
  return encoded.length === 1
    ? encoded[0]!
    : batchOf(
        encoded.flatMap((batch) => [...batch]),
        ENCODED,
      );
}

/** The batches of any copy of Arrow's package. @throws TypeError */
function batchesOf(data: unknown): readonly ArrowBatch[] {
  const { schema, batches, data: own } = isObject(data) ? data : {};
  if (isObject(schema) && Array.isArray(schema['fields'])) {
    if (Array.isArray(batches)) return batches as ArrowBatch[];
    if (isObject(own) && Array.isArray(own['children'])) return [data as ArrowBatch];
  }
  throw invalidArgType('data', 'a Table or a RecordBatch of apache-arrow', data);
}
