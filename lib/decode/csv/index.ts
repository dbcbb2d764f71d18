export type { CsvColumns, CsvDefault, CsvDefaults, CsvDType, CsvField, CsvOptions } from './csv-options';
export { decodeCsv } from './decode-csv';

// For the rooms above, which read records of their own.
export { checkCsvOptions, type CheckedCsvOptions } from './check-csv-options';
export { decodeRecords, type CsvWording } from './decode-csv';
export { Fields, splitRecord } from './split-record';
