/** Uses DuckDB: SQL over records, and files of Parquet. */
export { EVENT_COLUMNS, EventVectors } from './events/event-columns';
export { addEvents, registerEvents, type RegisterEventsOptions } from './events/register-events';
export { registerTable, registerTFRecord, type RegisterOptions } from './register-tfrecord';
export type { WrittenBatch } from './column-types';
export { Database, type ResultType } from './database';
export type { CopiedRecords } from './parquet-copy';
export { noParquetColumns, type ParquetOptions } from './parquet-query';
export { ParquetWriter } from './parquet-writer';
export { ArgumentError, causeOfFailure, queryFault } from './query-errors';
export { pathToWrite } from './duckdb-path';
export { boundConnection, duckdb, duckdbTables, type Bindings, type DuckDB } from './peers';
export { openParquet, type ParquetReadOptions } from './read-parquet';
export { RowFilter } from './row-filter';
