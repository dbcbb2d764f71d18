/** Records of a pipeline to rows and to batches, up to the first at fault. */
import type { ContextSpec, SequenceSpec, Spec } from '../kinds';
import type { Int64As } from '../../tensor';
import { exampleAssembly, sequenceAssembly, type Assembly } from './assembly';
import { parseLater, type ListedRecords } from './parse-later';
import { composeRows, type Rows } from './compose-rows';
import { otherAt, parseBefore, parseUpToFault, placeOf, type ParsedBefore, type Records } from './parse-records';
import { planSequence, type SequenceFeatures } from './parse-sequence-example';
import { memoryOf } from './columns';
import { checkPadding } from './parser';
import { planExample, type Plan } from './plan';
import type { TransientMemory } from '../columns';

/** How records of one spec are parsed. */
export interface RecordParsing {
  /** The same for the same features, however often a spec was written down. */
  readonly key: string;
  /** The rows. */
  rows(records: Records): ParsedBefore<Rows>;
  /** The columns, which `memory` holds, if there is one. @throws TFRecordError TFR_RECORD_TOO_LARGE where they are too many for one batch */
  batch(records: Records, memory?: TransientMemory): ParsedBefore<object>;
  /** The same, on a native thread. */
  batchLater(records: ListedRecords, memory?: TransientMemory): Promise<ParsedBefore<object>>;
}

/** Of Examples. @throws TFRecordError TFR_SPEC */
export function exampleParsing(spec: Spec, int64: Int64As): RecordParsing {
  return newParsing(exampleAssembly(planExample(spec)), int64);
}

/** Of SequenceExamples. @throws TFRecordError TFR_SPEC */
export function sequenceParsing(spec: SequenceFeatures<ContextSpec, SequenceSpec>, int64: Int64As): RecordParsing {
  return newParsing(sequenceAssembly(planSequence(spec)), int64);
}

function newParsing({ plan, compose, batch }: Assembly, int64: Int64As): RecordParsing {
  checkPadding(plan, int64);
  return {
    key: keyOf(plan, int64),
    rows: (records) =>
      composeRows(
        parseUpToFault(records, plan, int64),
        (row) => placeOf(records, row),
        compose,
        (row) => otherAt(records, row, plan),
      ),
    batch: (records, memory) => parseBefore(records, plan, int64, heldBatch(batch, memory), memory),
    batchLater: (records, memory) => parseLater(records, plan, int64, heldBatch(batch, memory), memory),
  };
}

function heldBatch(batch: Assembly['batch'], memory: TransientMemory | undefined): Assembly['batch'] {
  if (memory === undefined) return batch;
  return (piece) => {
    const made = batch(piece);
    memory.hold(made, memoryOf([piece], made));
    return made;
  };
}

function keyOf({ features, sequence, sequenceExample }: Plan, int64: Int64As): string {
  // Disk caches have keys in which definitions are called details.
  const told = (all: Plan['features']): object =>
    all.map(({ name, definition: details, section, columns }) => ({ name, details, section, columns }));
  return JSON.stringify([sequenceExample, int64, told(features), told(sequence)], (_, value: unknown) => {
    // JSON has one word for some numbers, and none for others.
    if (typeof value === 'number' && Object.is(value, -0)) return 'number -0';
    if (typeof value === 'number' || typeof value === 'bigint') return `${typeof value} ${value}`;
    return value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString('hex')}` : value;
  });
}
