export type { PrintOptions } from './print-context';
export { JsonText, valueJson } from './json';
export { RecordPrinter } from './record-printer';
export { RowPrinter } from './row-printer';
