import { Dataset } from './dataset';
import type { Json } from './engine/operator';
import type { FileNames, SourceReader } from './sources/define';

/**
 * A source of your own, to be used for many files: `defineSource(reader)(files)` is `Dataset.define(files, reader)`. Also
 * says which types a reader has, where it is written down by itself.
 *
 * @example
 * const blocks = defineSource({ open, read, close });
 * const train = blocks('train-*.blk').shuffle(1000);
 *
 * @throws TypeError for what is no reader, when it is used
 */
export function defineSource<T, H, S extends Json = Json>(
  reader: SourceReader<T, H, S>,
): (files: FileNames) => Dataset<T> {
  return (files) => Dataset.define(files, reader);
}
