import { checkChoice, checkOptions } from '../../base';
import type { BytesAs, Int64As } from '../../tensor';

/** The JavaScript types that values are parsed and decoded to. */
export interface ParsedAs {
  readonly int64: Int64As;
  readonly bytes: BytesAs;
}

/** {@link ParsedAs} as callers give it. */
interface ParsedAsOptions {
  readonly int64?: Int64As | undefined;
  readonly bytes?: BytesAs | undefined;
}

const DEFAULTS: ParsedAs = { int64: 'bigint', bytes: 'bytes' };

/** The types that `options` ask for; members of other names are the caller's. @throws TypeError with Node's codes. */
export function parsedAs({ int64, bytes }: ParsedAsOptions): ParsedAs {
  return {
    int64: checkChoice('options.int64', int64, ['bigint', 'number'], 'bigint'),
    bytes: checkChoice('options.bytes', bytes, ['bytes', 'text'], 'bytes'),
  };
}

/** The types that `options`, which have no other members, ask for. @throws TypeError with Node's codes. */
export function parsedAsOf(options: ParsedAsOptions | undefined): ParsedAs {
  return options === undefined ? DEFAULTS : parsedAs(checkOptions(options, ['int64', 'bytes']));
}
