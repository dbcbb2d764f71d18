/** DuckDB over records, for SQL and for files of Parquet. */
export { registerTable, registerTFRecord, type RegisterOptions } from './register-tfrecord';
export { noParquetColumns, ParquetWriter, type ParquetOptions } from './parquet-writer';
export { ArgumentError, errorBehind, queryFault } from './query-errors';
export { pathToWrite } from './duckdb-path';
export { boundConnection, duckdb, duckdbTables, type Bindings, type DuckDB } from './peers';
export { openParquet, type ParquetReadOptions } from './read-parquet';
export { RowFilter } from './row-filter';
