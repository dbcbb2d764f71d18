/** Arrow: records as batches, tables as records, and files. */
export { arrowBatches, type ArrowBatches, type ArrowBatchesOptions } from './arrow-batches';
export { arrowSchema } from './schema';
export { toArrow } from './to-arrow';
export { fromArrow, type FromArrowOptions } from './from-arrow';
export { ArrowEncoder, type AboutTable, type ArrowForm } from './ipc/arrow-encoder';
export { ArrowFile } from './ipc/arrow-file';
export { ArrowStream } from './ipc/arrow-stream';
export type { ArrowReadOptions, ArrowRows } from './ipc/arrow-source';
