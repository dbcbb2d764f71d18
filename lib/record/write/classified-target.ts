/** A target that was recognised and checked, but not opened. */
export interface ClassifiedTarget {
  /** The name in messages: the path as it was given, or `<stream>`. */
  readonly file: string;
  /**
   * The absolute path, because the working directory may change before the file gets its name. Undefined for a stream.
   */
  readonly path: string | undefined;
  /** Returns the output of a stream, which it locks; undefined for a file. */
  readonly open: () => Output | undefined;
  /** Bytes of the file that were there before, if records are appended. */
  readonly bytesBefore?: number;
  /** A sentence that says what happens to the target if nobody closes it. Default: that of a file, or of a stream. */
  readonly fate?: string;
  /** The target is a stream of ours that owns the writer: they are collected together, and there is nothing to give up. */
  readonly ownsWriter?: true;
}

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
