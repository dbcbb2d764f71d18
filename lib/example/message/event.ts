/** TensorBoard's events as plain objects; int64 is bigint. Enums are their numbers, by name in the JSON and text forms. */
import type { MessageType } from './message-form';
import { messageType } from './message-type';
import type { SummaryMessage } from './summary';

/** tf.Event: one record of a TensorBoard log. It has at most one of `fileVersion` to `metaGraphDef`. */
export interface EventMessage {
  /** Seconds since 1970. */
  wallTime: number;
  /** Of the training run. */
  step: bigint;
  /** The first record of a file has it: `brain.Event:2`. */
  fileVersion?: string | undefined;
  /** A GraphDef. */
  graphDef?: Uint8Array | undefined;
  /** What the step had to say. */
  summary?: SummaryMessage | undefined;
  /** A line of a log. */
  logMessage?: LogMessageMessage | undefined;
  /** The start, the end or a checkpoint of a session. */
  sessionLog?: SessionLogMessage | undefined;
  /** How a step ran. */
  taggedRunMetadata?: TaggedRunMetadataMessage | undefined;
  /** A MetaGraphDef. */
  metaGraphDef?: Uint8Array | undefined;
  /** Who wrote the file. */
  sourceMetadata?: SourceMetadataMessage | undefined;
}

/** tf.LogMessage */
export interface LogMessageMessage {
  /** 10 debugging, 20 info, 30 warning, 40 error, 50 fatal. */
  level: number;
  /** The line. */
  message: string;
}

/** tf.SessionLog */
export interface SessionLogMessage {
  /** 1 start, 2 stop, 3 checkpoint. */
  status: number;
  /** Of a checkpoint. */
  checkpointPath: string;
  /** Anything to add. */
  msg: string;
}

/** tf.TaggedRunMetadata */
export interface TaggedRunMetadataMessage {
  /** Which run. */
  tag: string;
  /** A RunMetadata. */
  runMetadata: Uint8Array;
}

/** tf.SourceMetadata */
export interface SourceMetadataMessage {
  /** Name of the program or library. */
  writer: string;
}

/** The message tf.Event: a record of a TensorBoard log. */
export const Event: MessageType<EventMessage> = messageType('Event');
