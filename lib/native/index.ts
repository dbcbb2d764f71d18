export { DecodeOutcome, EncodeFaultCode, FillOutcome, ParseFaultCode, PieceField } from './binding';
export type {
  Binding,
  ColumnArrays,
  EncodeFault,
  EncoderColumn,
  ExamplesHandle,
  Fault,
  FaultName,
  FillResult,
  ParseFault,
  ParserHandle,
  PieceFaults,
  PlanColumn,
  ReaderHandle,
  RowFault,
  WriterHandle,
  WriteResult,
} from './binding';
export { native } from './load';
