export type { PrintOptions } from './print-context';
export { JsonText } from './json';
export { RecordPrinter } from './record-printer';
export { RowPrinter } from './row-printer';
