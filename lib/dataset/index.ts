export type { ElementContext } from './engine/element-context';
export type { CsvColumn, CsvColumnDefaults, CsvTypedColumn, CsvValue, DatasetCsvOptions } from './csv-options';
export { Dataset, type DatasetReadOptions, type FilesOptions, type Zipped } from './dataset';
export { DatasetIteration, type ChunkOptions, type IterateOptions } from './dataset-iteration';
export {
  DatasetBatching,
  type DatasetBatchOptions,
  type FlatMapResult,
  type Unbatched,
  type WindowOptions,
} from './dataset-batching';
export {
  DatasetStages,
  type CallOptions,
  type DatasetParseOptions,
  type DatasetShardOptions,
  type InterleaveOptions,
  type MapOptions,
  type PrefetchOptions,
  type ResampleOptions,
  type ShuffleOptions,
} from './dataset-stages';
export type { ExamplesOptions, Labeled } from './examples';
export type { MapWorkerOptions } from './map-worker-options';
export type { WorkerContext, WorkerFunction } from './worker/worker-context';
export type { FileOptions, FixedLengthOptions, TextOptions } from './file-options';
export type { ChooseOptions, MixOptions, ZipOptions } from './mixing';
export type { WhenExhausted } from './stages/mix';
export type { PaddedArray } from './padding/pad-sequences';
export type { PadShape, PadValue } from './padding/pad-options';
export type { BucketOptions, PaddedBatch, PaddedColumn, PadOptions } from './padding/pad-options';
export type { DatasetIterator, DatasetSteps } from './iterate/steps';
export type { StageStats } from './iterate/iteration';
export type { DatasetState } from './iterate/state';
export type { DatasetWriteOptions, DatasetWriteReport } from './iterate/write-shards';
export type { Rng, Seed } from './random';
export type { FileNames } from './sources/define';
export { defineSource } from './define-source';
export type { SourceReader, SourceRecord } from './sources/define';
export type { Json } from './engine/operator';
