/** Arrow: batches of records, tables of Arrow as records, and files. */
export { arrowBatches, type ArrowBatches, type ArrowBatchesOptions } from './arrow-batches';
export { arrowSchema } from './schema';
export { toArrow } from './to-arrow';
export { fromArrow, type FromArrowOptions } from './from-arrow';
