export type { ElementContext } from './engine/element-context';
export type { Json } from './engine/operator';
export {
  Dataset,
  defineSource,
  type ChunkOptions,
  type ExamplesOptions,
  type FlatMapResult,
  type IterateOptions,
  type Zipped,
} from './dataset';
export type { Labeled } from './examples';
export type { StageStats } from './iterate/iteration';
export type { DatasetState } from './iterate/state';
export type { DatasetIterator, DatasetSteps } from './iterate/steps';
export type { DatasetWriteOptions, DatasetWriteReport } from './iterate/write-shards';
export type {
  BucketOptions,
  PaddedArray,
  PaddedBatch,
  PaddedColumn,
  PadOptions,
  PadShape,
  PadValue,
} from './padding/pad-options';
export type { Rng, Seed } from './random';
export type {
  CsvColumn,
  CsvColumnDefaults,
  CsvTypedColumn,
  CsvTypedValue,
  CsvValue,
  DatasetCsvOptions,
} from './sources/csv';
export type { FileOptions } from './sources/cut-files';
export type { FileNames } from './sources/define';
export type { SourceReader, SourceRecord } from './sources/defined-file';
export type { FilesOptions } from './sources/files';
export type { FixedLengthOptions } from './sources/fixed-length';
export type { TextOptions } from './sources/text';
export type { DatasetReadOptions } from './sources/tfrecord';
export type { DatasetBatchOptions } from './stages/batch';
export type { InterleaveOptions } from './stages/interleave/interleave';
export type { CallOptions, MapOptions } from './stages/map/map';
export type { MapWorkerOptions } from './stages/map-worker';
export type { ChooseOptions, MixOptions, WhenExhausted } from './stages/mix/mix';
export type { DatasetParseOptions } from './stages/parse';
export type { PrefetchOptions } from './stages/prefetch';
export type { ResampleOptions } from './stages/rejection-resample';
export type { DatasetShardOptions } from './stages/shard';
export type { ShuffleBlocks, ShuffleOptions } from './stages/shuffle/shuffle';
export type { Unbatched } from './stages/unbatch';
export type { WindowOptions } from './stages/window';
export type { ZipOptions } from './stages/zip';
export type { WorkerContext, WorkerFunction } from './worker/worker-context';

// For the rooms above; not public.
export { Draws, nestedSeed, permutation, seedText, seedWords, systemSeed, type Words } from './random';
