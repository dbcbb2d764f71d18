export {
  COMPRESSION_OPTIONS,
  COMPRESSIONS,
  compressionNumber,
  type Compression,
  type CompressionOption,
} from './compression';
export { FillOutcome } from './binding';
export type { Fault, SlabFill, ReaderHandle, WriterHandle, WriteResult } from './binding';
export { DecodeOutcome, EncodeFaultCode, ParseFaultCode, PieceField } from './binding-examples';
export type {
  ColumnArrays,
  EncodeFault,
  EncoderColumn,
  ExamplesHandle,
  ParseFault,
  ParserHandle,
  PieceFaults,
  PlanColumn,
  RowFault,
} from './binding-examples';
export { native, type Binding } from './load';
