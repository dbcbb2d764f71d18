export type { CsvColumns, CsvDefault, CsvDefaults, CsvDType, CsvField, CsvOptions } from './csv-options';
export { decodeCsv } from './decode-csv';
