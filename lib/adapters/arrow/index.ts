/**
 * Converts records to RecordBatches of Apache Arrow, and these to records. Requires `apache-arrow`, which is loaded at
 * the first call.
 *
 * @packageDocumentation
 */
export { arrowBatches, type ArrowBatches, type ArrowBatchesOptions } from '../../arrow';
export { arrowSchema } from '../../arrow';
export { toArrow } from '../../arrow';
export { fromArrow, type FromArrowOptions } from '../../arrow';
