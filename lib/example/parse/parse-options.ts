import { checkChoice, checkOptions, type ReadOptions } from '../../record';
import type { Int64As } from '../tensor';

/** How to parse. Unknown names throw. */
export interface ParseOptions<I extends Int64As = Int64As> {
  /**
   * `bigint`: int64 features are BigInt64Arrays and bigints. `number`: Float64Arrays and numbers; a value beyond
   * ±(2^53 − 1) is TFR_FEATURE, never rounded. Default `bigint`.
   */
  int64?: I | undefined;
}

/** How to read and to parse. Unknown names throw. */
export interface ParsedReadOptions<I extends Int64As = Int64As> extends ReadOptions, ParseOptions<I> {
  /**
   * A batch lasts until the next step is asked for, a row no shorter. Then its memory serves the next one (or, where that is
   * large, is freed at once), without waiting for the garbage collector, which lets 32 MiB lie: arrays over it are empty
   * (detached), and rows and tensors made of it must not be used any more. Copy what is kept: `column.slice()`. The arrays of
   * a batch, and those of some hundred rows, share their memory: who transfers one transfers all. It pays for batches of some dozen
   * records and more.
   *
   * Await whatever reads a batch in the background (`fs`, `zlib`, `crypto`) before the next step: Node goes on reading memory
   * that serves others by then, or is gone, which gives wrong bytes or ends the process. Ask for one step at a time: a batch
   * that is asked for ahead takes the memory of the one before. What was handed out last stays where a loop is left. Rows of
   * SequenceExamples have memory of their own, which stays.
   *
   * Default false.
   */
  transient?: boolean | undefined;
}

export const INT64_AS = ['bigint', 'number'] as const;

/** @throws TypeError with Node's codes. */
export function int64Of(options: ParseOptions | undefined): Int64As {
  if (options === undefined) return 'bigint';
  return checkChoice('options.int64', checkOptions(options, ['int64']).int64, INT64_AS, 'bigint');
}
