/** DuckDB over records, for SQL and for files of Parquet. */
export { registerTable, registerTFRecord, type RegisterOptions } from './register-tfrecord';
export { duckdbError, ParquetWriter, type ParquetCompression, type ParquetOptions } from './parquet-writer';
export { errorBehind } from './query-errors';
export { duckdbApi } from './peers';
export { openParquet, type ParquetFile, type ParquetReadOptions } from './read-parquet';
export { RowFilter, type SelectedRows } from './row-filter';
