export type { BatchLines, LineTaker } from './batch-lines';
export { csvLines, LineForm, recordLines, rowLines } from './native-lines';
export { PrintContext, type PrintOptions } from './print-context';
export {
  float32Json,
  float64Json,
  int64Json,
  JsonText,
  textJson,
  uint64Json,
  valueJson,
  type Int64Parts,
} from './json';
export { RecordPrinter } from './record-printer';
export { RowPrinter } from './row-printer';
