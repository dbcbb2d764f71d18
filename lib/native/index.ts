export { FillOutcome } from './binding';
export type { Binding, Fault, FaultName, FillResult, ReaderHandle, WriterHandle, WriteResult } from './binding';
export { native } from './load';
