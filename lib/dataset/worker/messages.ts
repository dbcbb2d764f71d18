/** The messages between the main thread and a worker of `mapWorker`: chunks of elements, and their results. */
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
  /** Maximum number of calls under way at a time. */
  readonly parallel: number;
  /** The port for the messages below. */
  readonly port: MessagePort;
}

/** A chunk of neighbouring elements to map. */
export interface ChunkMessage {
  readonly id: number;
  readonly elements: Packed;
  readonly origins: PackedOrigins;
  /** Number of the first element in its epoch. */
  readonly index: number;
  readonly epoch: number;
  /** The stage's key for random numbers. */
  readonly key: Words;
  /** Numbers of elements that could not be sent. The function is not called for them. */
  readonly without: readonly number[];
  /** True if results after the first error are not needed. */
  readonly untilError: boolean;
}

export type ToThread =
  | { readonly chunk: ChunkMessage }
  /** The results of these chunks are not needed. */
  | { readonly drop: readonly number[] }
  /** The iterator is closed. The worker replies `ended` when no call is under way. */
  | { readonly end: true };

/** The outcome of a chunk. */
export interface ChunkReply {
  readonly id: number;
  /** The results by element; undefined for elements that failed. */
  readonly results: Packed;
  /** Number of elements that were processed, from the first on. */
  readonly count: number;
  /** The errors of the function, in the order of the elements. */
  readonly thrown: readonly (readonly [element: number, thrown: PackedThrown])[];
  /** Duration of the calls, in milliseconds. */
  readonly ms: number;
}

export type FromThread =
  | { readonly reply: ChunkReply }
  | { readonly dropped: number }
  /** The module cannot be used: the reason, and the error of loading it. */
  | { readonly unusable: string; readonly thrown: PackedThrown | undefined }
  | { readonly ended: true };
