/**
 * SQL over TFRecord files: the table functions `read_tfrecord`, of records, and `read_events`, of TensorBoard's logs,
 * for DuckDB. Requires `@duckdb/node-api`, which is loaded at the first call.
 *
 * @packageDocumentation
 */
export { registerEvents, registerTFRecord, type RegisterEventsOptions, type RegisterOptions } from '../../sql';
