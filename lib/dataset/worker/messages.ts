/** The messages between the main thread and a worker of `mapWorker`: chunks and their results, never single elements. */
import type { MessagePort } from 'node:worker_threads';

import type { Words } from '../random';
import type { PackedOrigins } from '../engine/origins';
import type { Packed } from './packed-values';
import type { PackedThrown } from './packed-thrown';

/** The data that a worker is started with. */
export interface ThreadData {
  /** URL of the module. */
  readonly module: string;
  /** `options.data`. */
  readonly data: unknown;
  /** Number of the worker, from 0. */
  readonly worker: number;
  /** Calls under way at a time. */
  readonly parallel: number;
  /** For the messages below. */
  readonly port: MessagePort;
}

/** Neighbours, to be mapped. */
export interface ChunkMessage {
  readonly id: number;
  readonly elements: Packed;
  readonly origins: PackedOrigins;
  /** The number of the first element in its epoch. */
  readonly index: number;
  readonly epoch: number;
  /** The stage's key for random numbers. */
  readonly key: Words;
  /** Elements, by number, that could not be sent. The function is not called for them. */
  readonly without: readonly number[];
  /** True if results behind the first error are unwanted. */
  readonly untilError: boolean;
}

export type ToThread =
  | { readonly chunk: ChunkMessage }
  /** Nobody wants the results of these chunks. */
  | { readonly drop: readonly number[] }
  /** The iterator is closed. Answered with `ended` when no call is under way. */
  | { readonly end: true };

/** The outcome of a chunk. */
export interface ChunkReply {
  readonly id: number;
  /** By element; of those that failed, undefined. */
  readonly results: Packed;
  /** Elements that were looked at: the first so many. */
  readonly count: number;
  /** The errors of the function, by element, ascending. */
  readonly thrown: readonly (readonly [element: number, thrown: PackedThrown])[];
  /** The time that the calls took, in milliseconds. */
  readonly ms: number;
}

export type FromThread =
  | { readonly reply: ChunkReply }
  | { readonly dropped: number }
  /** The reason why the module cannot be used, and the error of loading it. */
  | { readonly unusable: string; readonly thrown: PackedThrown | undefined }
  | { readonly ended: true };
