import { FaultSplitter } from './fault-splitter';
import { FedRecordStream } from './fed-stream';
import { FileRecordStream } from './file-stream';
import type { Filled } from './filled';
import type { ReadPlan } from './read-options';
import type { RecordBatch } from './record-batch';
import type { ClassifiedSource } from './source';
import { SourceFlow } from './source-flow';

/** The batches of records of a source. */
export type RecordFlow = SourceFlow<Filled, RecordBatch>;

export function recordFlow(source: ClassifiedSource, plan: ReadPlan): RecordFlow {
  return new SourceFlow(source, plan, {
    splitter: new FaultSplitter(plan.policy),
    openFile: (path, bytes) => new FileRecordStream(path, bytes, plan),
    openFed: (file, open, bytes) => new FedRecordStream(file, open, bytes, plan),
  });
}
