/**
 * Converts batches to tensors of TensorFlow.js, and datasets to datasets for its models. Needs `@tensorflow/tfjs-core`
 * and, for datasets, `@tensorflow/tfjs-data`. Both are loaded at the first call.
 *
 * @packageDocumentation
 */
export { toTfjsDataset, type TfjsDataset } from './tfjs-dataset';
export { toTensors } from './to-tensors';
export type {
  ChosenTensors,
  RowTensors,
  TensorChoice,
  TensorColumn,
  TensorNames,
  TensorOptions,
  TensorsOf,
  TfjsDatasetOptions,
  TfjsDType,
  TrainingBatch,
} from './types';
