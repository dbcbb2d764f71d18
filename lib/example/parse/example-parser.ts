/** Parsers whose spec and options are checked once, for many records. */
import { types } from 'node:util';

import { invalidArgType } from '../../base';
import type { BytesAs, Int64As, ToObject } from '../../tensor';
import { parsedAsOf } from '../feature';
import type { Batch, ContextSpec, Element, SequenceSpec, Spec } from '../kinds';
import { composeBatch, composeSequenceBatch, composeSequenceElement } from './compose';
import {
  planSequence,
  type NoFeatures,
  type SequenceBatch,
  type SequenceFeatures,
  type SequenceRow,
} from './parse-example';
import type { ParseOptions } from './parse-options';
import { parseRecords, type Records } from './parse-records';
import { checkPadding } from './parser';
import { planExample } from './plan';
import { parseElement, rowParser } from './row-parser';

/** Parses Examples by one spec; {@link exampleParser} returns it. Its functions need no `this`. */
export interface ExampleParser<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'> {
  /** Parses one record, like `parseSingleExample`. @throws TFRecordError TFR_EXAMPLE, TFR_FEATURE; TypeError */
  readonly parse: (record: Uint8Array) => Element<S, I, B> & ToObject;
  /** Parses records into the columns of a batch, like `parseExample`. @throws like `parse`, for the first such record */
  readonly parseBatch: (records: Records) => Batch<S, I, B> & ToObject;
}

/**
 * Returns a parser of serialized `tf.train.Example`s. It checks the spec and the options once; later changes of either
 * have no effect. For single records this is faster than {@link parseSingleExample}, which checks them for each record.
 * Results and errors are the same.
 *
 * @throws TFRecordError TFR_SPEC for an invalid spec. TypeError for invalid options.
 *
 * @example
 * const parser = exampleParser({ id: fixedLen([], 'int64'), tags: varLen('bytes') }, { int64: 'number' });
 * for await (const record of readRecords('train.tfrecord')) {
 *   const { id, tags } = parser.parse(record);
 * }
 */
export function exampleParser<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'>(
  spec: S,
  options?: ParseOptions<I, B>,
): ExampleParser<S, I, B>;
export function exampleParser(spec: Spec, options?: ParseOptions): unknown {
  const { int64, bytes } = parsedAsOf(options);
  const plan = planExample(spec, bytes);
  checkPadding(plan, int64);
  const rows = rowParser(plan, int64);
  return {
    parse: (record: Uint8Array) => parseElement(checkRecord(record), plan, int64, rows),
    parseBatch: (records: Records) => parseRecords(records, plan, int64, composeBatch),
  };
}

/** Parses SequenceExamples by one spec; {@link sequenceExampleParser} returns it. Its functions need no `this`. */
export interface SequenceExampleParser<
  C extends ContextSpec,
  Q extends SequenceSpec,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
> {
  /** Parses one record, like `parseSingleSequenceExample`. @throws TFRecordError TFR_EXAMPLE, TFR_FEATURE; TypeError */
  readonly parse: (record: Uint8Array) => SequenceRow<C, Q, I, B>;
  /** Parses records into a batch, like `parseSequenceExample`. @throws like `parse`, for the first such record */
  readonly parseBatch: (records: Records) => SequenceBatch<C, Q, I, B>;
}

/**
 * Returns a parser of serialized `tf.train.SequenceExample`s, which checks the spec and the options once; see {@link
 * exampleParser}. @throws TFRecordError TFR_SPEC for an invalid spec. TypeError for invalid options.
 *
 * @example
 * const parser = sequenceExampleParser({ sequence: { tokens: fixedLenSequence([], 'int64') } });
 * const { sequence } = parser.parse(record);
 */
export function sequenceExampleParser<
  C extends ContextSpec = NoFeatures,
  Q extends SequenceSpec = NoFeatures,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
>(spec: SequenceFeatures<C, Q>, options?: ParseOptions<I, B>): SequenceExampleParser<C, Q, I, B>;
export function sequenceExampleParser(
  spec: SequenceFeatures<ContextSpec, SequenceSpec>,
  options?: ParseOptions,
): unknown {
  const { int64, bytes } = parsedAsOf(options);
  const plan = planSequence(spec, bytes);
  checkPadding(plan, int64);
  return {
    parse: (record: Uint8Array) => parseRecords([checkRecord(record)], plan, int64, composeSequenceElement),
    parseBatch: (records: Records) => parseRecords(records, plan, int64, composeSequenceBatch),
  };
}

function checkRecord(record: Uint8Array): Uint8Array {
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  return record;
}
