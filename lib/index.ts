/**
 * Read and write TFRecord files natively: plain, GZIP and ZLIB, checksums verified.
 *
 * @packageDocumentation
 */
export * from './record';
export { TFRecordError, type TFRecordErrorCode, type TFRecordErrorDetails } from './errors';
