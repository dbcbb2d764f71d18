import { callNative } from '../../base';
import { native, type IndexHandle } from '../../native';
import type { CheckedIndexOptions } from './index-options';

/** Memory of all checkpoints; with more, the distances double. */
const MEMORY = 64 * 2 ** 20;
/** Memory of the offsets of all records. With more, a record is found by the place before it. */
const OFFSETS = 2 ** 31;

/** Returns an empty index of the source that is named `file`. @throws TFRecordError ENOMEM */
export function newIndex(file: string, { checkpointBytes }: Pick<CheckedIndexOptions, 'checkpointBytes'>): IndexHandle {
  return callNative(file, () => native().indexNew(checkpointBytes, MEMORY, false, OFFSETS));
}
