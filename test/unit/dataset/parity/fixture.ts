/** Small files for the tests of this folder, which show how to do what TensorFlow's pipelines can do. */
import { encodeExample, float, int64 } from '../../../../lib';
import { Folder } from '../../../support/records/record-files';

export { drain, sorted, upTo } from '../../../support/datasets/elements';

export const folder = new Folder();
afterAll(() => folder.remove());

/** Examples `{ id, share }`, numbered from `first` on. */
export const examples = (first: number, count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => encodeExample({ id: int64(first + i), share: float((first + i) / 100) }));

/** Four shards of five Examples each, `set-0` to `set-3`. */
export const shards = [0, 1, 2, 3].map((shard) => folder.write(`set-${shard}`, examples(5 * shard, 5)));
export const pattern = folder.at('set-*');
