import { FaultSplitter } from './fault-splitter';
import { FedRecordStream } from './fed-stream';
import { FileRecordStream } from './file-stream';
import type { Filled } from './filled';
import type { Lane } from './lane';
import type { ReadPlan } from './read-options';
import type { RecordBatch } from './record-batch';
import type { ClassifiedSource } from './source';
import { SourceFlow, type FlowStart } from './source-flow';

/** The batches of records of a source. */
export type RecordFlow = SourceFlow<Filled, RecordBatch>;

/** `start`: the first input to read, and where to begin in it. */
export function recordFlow(source: ClassifiedSource, plan: ReadPlan, start?: FlowStart): RecordFlow {
  const lane: Lane<Filled, RecordBatch> = {
    splitter: new FaultSplitter(plan.policy),
    openFile: (path, bytes, place, at) => new FileRecordStream(path, bytes, plan, place, at),
    openFed: (file, open, bytes) => new FedRecordStream(file, open, bytes, plan),
  };
  return new SourceFlow(source, plan, lane, start);
}
