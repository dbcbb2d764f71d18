import { types } from 'node:util';

import { invalidArgType } from '../../errors';
import type { Batch, Element, Spec } from '../kinds';
import type { Int64As } from '../../tensor';
import { assembleBatch } from './assemble';
import { assembleElement } from './assemble';
import { int64Of, type ParseOptions } from './parse-options';
import { parseRecords, type Records } from './parse-records';
import { noteRecord } from './note-type';
import { planExample } from './plan';
import { parseRow } from './row-parser';

/**
 * Parses serialized `tf.train.Example`s into the columns of a batch, as TensorFlow's `parse_example` does, on the calling
 * thread.
 *
 * `records`: a batch of a reader's, or any list, also an empty one; B of them. Of each feature comes
 * - `fixedLen(shape)`: `[B] + shape`, for `[]` the column itself. A feature that is missing, or has no kind, is the
 *   default; without one it is an error. A list of another length is an error.
 * - `varLen`: a SparseTensor of `[B, longest list]`.
 * - `fixedLenSequence(shape)`: `[B, most steps] + shape`, shorter ones padded with the default, 0 or no bytes.
 * - `sparse`: a SparseTensor of `[B] + size`, in the order of its coordinates.
 * - `ragged`: a RaggedTensor of one row-splits vector more than it has partitions.
 *
 * @throws TFRecordError TFR_EXAMPLE for a record that is no Example, TFR_FEATURE for one that does not fit the spec; both
 *   name the first such record. TFR_SPEC for a spec that is wrong. TypeError for other arguments.
 *
 * @example
 * const { id, tags } = parseExample(batch, { id: fixedLen([], 'int64'), tags: varLen('bytes') });
 */
export function parseExample<S extends Spec, I extends Int64As = 'bigint'>(
  records: Records,
  spec: S,
  options?: ParseOptions<I>,
): Batch<S, I> {
  const int64 = int64Of(options);
  return parseRecords(records, planExample(spec), int64, assembleBatch) as Batch<S, I>;
}

/**
 * Parses one serialized `tf.train.Example`, as TensorFlow's `parse_single_example` does: `fixedLen([])` is a scalar,
 * `varLen` and `fixedLenSequence([])` are its values, nothing is padded. @throws as {@link parseExample}.
 *
 * @example
 * const { id } = parseSingleExample(record, { id: fixedLen([], 'int64') });
 */
export function parseSingleExample<S extends Spec, I extends Int64As = 'bigint'>(
  record: Uint8Array,
  spec: S,
  options?: ParseOptions<I>,
): Element<S, I> {
  const int64 = int64Of(options);
  const plan = planExample(spec);
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  const row = parseRow(record, plan, int64);
  if (row !== undefined) {
    noteRecord(plan, record);
    return row as Element<S, I>;
  }
  return parseRecords([record], plan, int64, assembleElement) as Element<S, I>;
}
