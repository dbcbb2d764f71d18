// The package's own exports.
export type {
  AudioEvent,
  EventKind,
  EventOf,
  EventValue,
  HistogramEvent,
  ImageEvent,
  ScalarEvent,
  TensorEvent,
  TextEvent,
} from './event-values';
export type { EventOptions } from './event-options';
export { readEvents } from './read-events';

// For the command, SQL and the viewer.
export { hasLogs, isEventFile } from './find-logs';
export { EVENT_KINDS } from './event-values';
export { eventBlocksSync, type SyncEventOptions } from './read-events-sync';
export { eventBlocks, type EventBlocks } from './read-events';
export { ScalarCsv } from './scalar-csv';
export type { ValueBlock } from './value-block';
