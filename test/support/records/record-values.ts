import { decodeSequenceExample, type DecodedFeature } from '../../../lib/example';

/** Values of a record, to compare. */
export interface ValuesOptions {
  /** True: a feature without a kind counts as missing, as in formats of columns; and a step without one as empty. */
  readonly columns?: boolean;
  /** True: a feature without values has no kind, as in JSON Lines whose rows all have an empty list. */
  readonly kindless?: boolean;
  /** True: NaN keep their signs and payloads; else every NaN is one. */
  readonly nans?: boolean;
}

/**
 * The values of `record` in plain data, by their names: of the context, which an Example is, and of feature lists. -0 differs from 0, and an empty feature from a missing one.
 */
export function recordValues(
  record: Uint8Array,
  { columns = false, kindless = false, nans = false }: ValuesOptions = {},
): unknown {
  const items = ({ values }: DecodedFeature): string[] =>
    Array.from<unknown, string>(values as Iterable<unknown>, (value) => {
      if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
      if (Object.is(value, -0)) return '-0';
      return String(value);
    });
  const of = (feature: DecodedFeature | undefined): unknown => {
    if (feature === undefined) return null;
    const { kind, values } = feature;
    const shown = kind === 'float' && nans ? bitsOf(values) : items(feature);
    if (kindless && values.length === 0) return null;
    // A step of columns has no kind of its own when it is empty.
    return columns && values.length === 0 ? { items: [] } : { kind, items: shown };
  };
  const step = (feature: DecodedFeature | undefined): unknown =>
    feature === undefined && columns ? { items: [] } : of(feature);
  const map = <T>(members: Readonly<Record<string, T>>, each: (member: T) => unknown): unknown =>
    Object.entries(members)
      .map(([name, member]) => [name, each(member)] as const)
      .filter(([, value]) => !columns || value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  const { context, featureLists } = decodeSequenceExample(record);
  return [map(context, of), map(featureLists, (steps) => steps.map(step))];
}

/** Not by numbers of JavaScript, which have no signalling NaN. */
function bitsOf({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}
