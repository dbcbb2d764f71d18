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
export { readEvents, type EventOptions } from './read-events';

// For the command.
export { eventBlocks, type EventBlocks } from './read-events';
export type { ValueBlock } from './value-block';
