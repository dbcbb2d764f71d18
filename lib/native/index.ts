export { EncodeFaultCode, FillOutcome, ParseFaultCode } from './binding';
export type {
  Binding,
  ColumnArrays,
  ColumnsHandle,
  EncodeFault,
  EncoderColumn,
  ExamplesHandle,
  Fault,
  FaultName,
  FillResult,
  ParseFault,
  ParserHandle,
  PieceResult,
  PlanColumn,
  ReaderHandle,
  RowFault,
  WriterHandle,
  WriteResult,
} from './binding';
export { native } from './load';
