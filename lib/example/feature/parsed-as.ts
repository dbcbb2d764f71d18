import { checkChoice, checkOptions, isObject, prototypeOf } from '../../base';
import type { BytesAs, Int64As } from '../../tensor';

// Local constants, because reading a name of a room's index for each record takes a tenth of the time of parsing it.
const [isObjectValue, prototype] = [isObject, prototypeOf];

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

/** Every result, so that none is allocated for each record. */
const RESULTS: Readonly<Record<Int64As, Readonly<Record<BytesAs, ParsedAs>>>> = {
  bigint: { bytes: { int64: 'bigint', bytes: 'bytes' }, text: { int64: 'bigint', bytes: 'text' } },
  number: { bytes: { int64: 'number', bytes: 'bytes' }, text: { int64: 'number', bytes: 'text' } },
};

/** The types that `options` ask for; members of other names are the caller's. @throws TypeError with Node's codes. */
export function parsedAs({ int64, bytes }: ParsedAsOptions): ParsedAs {
  return resultOf(int64, bytes);
}

function resultOf(int64: Int64As | undefined, bytes: BytesAs | undefined): ParsedAs {
  const isQuick =
    (int64 === undefined || int64 === 'bigint' || int64 === 'number') &&
    (bytes === undefined || bytes === 'bytes' || bytes === 'text');
  if (isQuick) return RESULTS[int64 ?? 'bigint'][bytes ?? 'bytes'];
  const as = RESULTS[checkChoice('options.int64', int64, ['bigint', 'number'], 'bigint')];
  return as[checkChoice('options.bytes', bytes, ['bytes', 'text'], 'bytes')];
}

/**
 * The types that `options`, which have no other members, ask for. @throws TypeError with Node's codes.
 *
 * Callers may change their options, so these are checked for each record; a plain object is checked without a copy.
 */
export function parsedAsOf(options: ParsedAsOptions | undefined): ParsedAs {
  if (options === undefined) return RESULTS.bigint.bytes;
  if (!isPlain(options)) return parsedAs(checkOptions(options, ['int64', 'bytes']));
  const { int64, bytes } = options;
  return resultOf(int64, bytes);
}

/**
 * True for an object without enumerable members of other names, which inherits none of the options. (`checkOptions`
 * takes inherited ones, except those of Object.prototype.)
 */
function isPlain(options: ParsedAsOptions): boolean {
  if (!isObjectValue(options) || Array.isArray(options)) return false;
  const inherited = prototype(options);
  if (inherited !== Object.prototype && inherited !== null) return false;
  for (const name in options) if (name !== 'int64' && name !== 'bytes') return false;
  return !('int64' in Object.prototype || 'bytes' in Object.prototype);
}
