/**
 * A stream that takes a writer's bytes. Calls come one at a time, but for `abort`. The first failure rejects whatever
 * is pending and all that follows, each time with the same error.
 */
export interface Output {
  /** Passes `chunk` on, which the stream may keep; settles when the stream wants more. */
  write(chunk: Uint8Array): Promise<void>;
  /** Settles when all that was written before has been taken. */
  flush(): Promise<void>;
  /** Ends the stream; settles when it has finished. */
  end(): Promise<void>;
  /** Gives the stream up: pending calls reject. Never fails. */
  abort(reason: unknown): void;
}
