/** Folders of TensorFlow Datasets, for the rooms above: the public names are those of `readTfds`. */
export {
  contradiction,
  INFO,
  missingShards,
  readTfdsInfo,
  TfdsSplit,
  type TfdsShard,
  wrongRecords,
} from './dataset-info';
export type { StepReadOptions, StepRow } from './read-steps';
export type { Rewrite, RewrittenRecords } from './rewrite';
export { readTfds, TfdsFolder } from './tfds-folder';
