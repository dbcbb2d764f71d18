/**
 * SQL over TFRecord files: the table function `read_tfrecord` for DuckDB. Requires `@duckdb/node-api`, which is loaded
 * at the first call.
 *
 * @packageDocumentation
 */
export { registerTFRecord, type RegisterOptions } from '../../sql';
