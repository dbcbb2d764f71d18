import { checkOptions } from '../../record';
import { columnsOf } from './batch-columns';
import { tensorsOf } from './make-tensors';
import { tfjsCore } from './peers';
import { tensorRules } from './rules';
import type { TensorOptions, TensorsOf } from './types';

/**
 * The columns of a batch as tensors of tfjs, under their names; of rows one tensor for each name. float32 columns are taken
 * without a copy: tensor and batch share the memory, and neither is to be written to. The caller disposes of the tensors;
 * when one cannot be made, none is left.
 *
 * @throws TFRecordError TFR_FEATURE, with the feature and the number of the row as `record`, for what a tensor cannot hold: an
 * int64 beyond int32, rows of different lengths, sparse columns without `defaults`. ERR_MODULE_NOT_FOUND without
 * `@tensorflow/tfjs-core`. TypeError for wrong arguments.
 */
export function toTensors<B>(batch: B, options?: TensorOptions): TensorsOf<B> {
  const rules = tensorRules(checkOptions(options, ['dtypes', 'defaults']));
  tfjsCore();
  return tensorsOf(columnsOf(batch, rules, undefined), rules) as TensorsOf<B>;
}
