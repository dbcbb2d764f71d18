export type { PrintOptions } from './print-context';
export { recognizeRecord, type RecordType } from './recognize';
export { RecordPrinter } from './record-printer';
export { RowPrinter } from './row-printer';
