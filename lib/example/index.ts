export { recognizeRecord, RecordPrinter, type PrintedRecord, type PrintOptions, type RecordType } from './print';
export { BytesArray, checkShape, convertLiteral, hasLoneSurrogate, newBytesArray } from './tensor';
