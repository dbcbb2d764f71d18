import { newBatch, partsOf, type RecordBatch } from '../../record';
import type { ElementValue } from '../kinds';
import { assembleElement, assembleSequenceElement } from './assemble';
import { parseRecords } from './parse-records';
import type { Plan } from './plan';
import { parseRow } from './row-parser';

/** One parsed record. */
export interface ParsedRecord {
  /** Of the Example, or of the context. */
  readonly features: Record<string, ElementValue>;
  /** Feature lists, of a SequenceExample. */
  readonly sequence: Record<string, ElementValue> | undefined;
}

/**
 * Record `index` of `batch`, which has so many, by `plan`; int64 as bigint.
 * @throws TFRecordError TFR_EXAMPLE, TFR_FEATURE naming its file, number and place.
 */
export function parseRecordOf(batch: RecordBatch, index: number, plan: Plan): ParsedRecord {
  const row = plan.sequenceExample ? undefined : parseRow(batch.at(index) as Uint8Array, plan, 'bigint');
  if (row !== undefined) return { features: row, sequence: undefined };
  const { source, begin } = partsOf(batch);
  const record = newBatch(source, begin + index, begin + index + 1);
  return parseRecords(record, plan, 'bigint', (piece) => {
    if (!plan.sequenceExample) return { features: assembleElement(piece), sequence: undefined };
    const { context, sequence } = assembleSequenceElement(piece);
    return { features: context, sequence };
  });
}
