export { recognizeRecord, RecordPrinter, type PrintedRecord, type PrintOptions, type RecordType } from './print';
