import type { ReadOptions } from '../../record';
import type { BytesAs, Int64As } from '../../tensor';

/** Options of `parseExample` and its siblings. Unknown names throw. */
export interface ParseOptions<I extends Int64As = Int64As, B extends BytesAs = BytesAs> {
  /**
   * `bigint`: int64 features are BigInt64Arrays and bigints. `number`: Float64Arrays and numbers; a value beyond
   * ±(2^53 − 1) is TFR_FEATURE, never rounded. Default `bigint`.
   */
  int64?: I | undefined;
  /**
   * `bytes`: bytes features are BytesArrays and Uint8Arrays. `text`: arrays of strings and strings, as with `dtype:
   * 'text'`; a value that is not UTF-8 is TFR_FEATURE, never replaced. Default `bytes`.
   */
  bytes?: B | undefined;
}

/** Options of `readExamples` and `readSequenceExamples`. Unknown names throw. */
export interface ParsedReadOptions<I extends Int64As = Int64As, B extends BytesAs = BytesAs>
  extends ReadOptions, ParseOptions<I, B> {
  /**
   * If true, a batch or a row is valid until the next step only: the next step overwrites its memory, without waiting
   * for the garbage collector (which would leave up to 32 MiB uncollected). Arrays over that memory, and rows and
   * tensors made of it, then show other values. Copy the values that you keep: `column.slice()`. The arrays of a batch,
   * and those of a few hundred rows, share their memory: transferring one transfers all. This is faster for batches of
   * a few dozen records or more.
   *
   * Wait for calls that read a batch in the background (`fs`, `zlib`, `crypto`) before the next step; otherwise they
   * read other values. (`writer.write` copies at once.) Request one step at a time: a second call of `next` overwrites
   * the batch of the first. When a loop ends, its last batch or row stays valid. Rows of SequenceExamples have memory
   * of their own, and stay valid.
   *
   * Default false.
   */
  transient?: boolean | undefined;
}
