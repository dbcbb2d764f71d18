/**
 * A stream that takes a writer's bytes. Only one call is pending at a time, except `abort`. After the first failure,
 * pending and later calls reject with its error.
 */
export interface Output {
  /** Writes `chunk`, which the stream may keep. Resolves when the stream wants more. */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when the stream has taken all that was written before; `sync`: when a file has it on the disk. */
  flush(sync: boolean): Promise<void>;
  /** Ends the stream. Resolves when it has finished. */
  end(): Promise<void>;
  /** Gives the stream up: pending calls reject. Never fails. Resolves when it is given up. */
  abort(reason: unknown): Promise<void> | undefined;
}
