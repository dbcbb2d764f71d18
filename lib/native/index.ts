export { FillOutcome, FramingKind } from './binding';
export type { CheckpointHandle, Framing, IndexHandle, ReaderHandle, ReaderSpec, ReadStart, SlabFill, WriterHandle, WriteResult } from './binding';
export { ABSENT_ROW, ColumnSize, DecodeOutcome, EncodeFaultCode, ParseFaultCode, RecordTypeCode, PieceField, SurveyFaultCode, SurveyField } from './binding-examples';
export type { ColumnArrays, EncodeFault, EncoderColumn, ExamplesHandle, NativeSurveyedFeature, ParseFault, ParserHandle, PieceFaults, PlanColumn, RowFault, SurveyFault, SurveyHandle } from './binding-examples';
export {
  DuckdbEventKind,
  DuckdbLevel,
  DuckdbPlace,
  DuckdbVerdict,
  type DuckdbArguments,
  type DuckdbColumn,
  type DuckdbEvent,
  type DuckdbFile,
  type DuckdbHost,
  type DuckdbQuery,
  type DuckdbReading,
  type DuckdbSampledColumn,
  type QueueHandle,
} from './binding-duckdb';
export {
  IndexStatus,
  KeyFaultCode,
  type IndexedFile,
  type IndexJump,
  type IndexKeys,
  type IndexStart,
  type IndexState,
  type InflatePoint,
  type LoadedIndex,
} from './binding-index';
export { LineForm, type LinesHandle, type PrintedLines, type RowMember } from './binding-lines';
export {
  CsvRowState,
  type CsvBinding,
  type CsvRowsHandle,
  type NativeCsvRecords,
  type NativeCsvSurvey,
} from './binding-csv';
export { JsonRowState, RowChoiceMode, type JsonRowsHandle, type NativeJsonRows, type RowBinding } from './binding-rows';
export { native, openAddon, type Binding } from './load';
