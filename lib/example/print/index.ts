export type { BatchLines, LineTaker } from './batch-lines';
export { csvLines, LineForm, recordLines, rowLines } from './native-lines';
export type { PrintOptions } from './print-context';
export { float32Json, float64Json, JsonText, textJson, valueJson } from './json';
export { RecordPrinter } from './record-printer';
export { RowPrinter } from './row-printer';
