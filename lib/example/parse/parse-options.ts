import { checkChoice, checkOptions } from '../../record';
import type { Int64As } from '../tensor';

/** How to parse. Unknown names throw. */
export interface ParseOptions<I extends Int64As = Int64As> {
  /**
   * `bigint`: int64 features are BigInt64Arrays and bigints. `number`: Float64Arrays and numbers; a value beyond
   * ±(2^53 − 1) is TFR_FEATURE, never rounded. Default `bigint`.
   */
  int64?: I | undefined;
}

export const INT64_AS = ['bigint', 'number'] as const;

/** @throws TypeError with Node's codes. */
export function int64Of(options: ParseOptions | undefined): Int64As {
  if (options === undefined) return 'bigint';
  return checkChoice('options.int64', checkOptions(options, ['int64']).int64, INT64_AS, 'bigint');
}
