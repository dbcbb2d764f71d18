import { Dataset, fixedLen } from '../../../../lib';

/** A pipeline as people train with, over the files `train-*` of `folder`. */
export function usualPipeline(folder: string, bufferSize = 20): Dataset<unknown> {
  return Dataset.files(`${folder}/train-*`)
    .shuffle('full')
    .interleave((file) => Dataset.tfrecord(file), { cycleLength: 3 })
    .shuffle(bufferSize)
    .parse({ id: fixedLen([], 'int64'), w: fixedLen([], 'float32') })
    .map(({ id, w }, { rng }) => ({ id: Number(id), w, noise: rng.int(1000) }))
    .repeat(2)
    .batch(7)
    .seed(42);
}
