/** Records with features of all kinds, for queries. */
import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  ragged,
  sparse,
  varLen,
  type FeatureLike,
  type SequenceExampleSpec,
  type Spec,
} from '../../../lib';

/** Examples, of which each lacks some features. */
export function mixedRecords(count: number, random: () => number): Uint8Array[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  const text = (): string => [...'aé漢😀'.repeat(9)].slice(below(9), 9 + below(20)).join('');
  const list = <T>(limit: number, make: () => T): T[] => Array.from({ length: below(limit) }, make);
  const features: Readonly<Record<string, () => FeatureLike>> = {
    i: () => int64(BigInt(below(2 ** 30)) - 2n ** 62n),
    f: () => float(random() < 0.1 ? NaN : random() < 0.1 ? -0 : random()),
    t: () => text(),
    b: () => bytes([Uint8Array.from({ length: below(40) }, () => below(256))]),
    li: () => int64(list(5, () => below(9))),
    lf: () => float(list(70, random)),
    lt: () => bytes(list(4, text)),
    lb: () => bytes(list(3, () => Uint8Array.from({ length: below(20) }, () => 128 + below(128)))),
    box: () => float([1, 2, 3, 4].map((x) => x * random())),
    at: () => int64(list(3, () => below(9))),
    '\u{10000}': () => int64(1),
    '\u{fb01}': () => int64(2),
    10: () => int64(10),
    9: () => float([9, 9]),
  };
  return Array.from({ length: count }, () => {
    const present = Object.entries(features).filter(() => random() < 0.8);
    return encodeExample(Object.fromEntries(present.map(([name, make]) => [name, make()])));
  });
}

/** A spec of {@link mixedRecords}, with all kinds of features. */
export const MIXED_SPEC: Spec = {
  i: fixedLen([], 'int64', { default: -(2n ** 63n) }),
  10: varLen('int64'),
  box: fixedLen([2, 2], 'float32', { default: [9, -0, NaN, Infinity] }),
  f: fixedLen([], 'float32', { default: null }),
  t: fixedLen([], 'text', { default: 'none é' }),
  b: fixedLen([], 'bytes', { default: Uint8Array.of(1, 255) }),
  9: fixedLenSequence([2], 'float32', { allowMissing: true }),
  lt: ragged({ dtype: 'text' }),
  lf: ragged({
    dtype: 'float32',
    partitions: [
      { by: 'uniformRowLength', length: 1 },
      { by: 'rowSplits', key: 'r' },
    ],
  }),
  s: sparse({ indexKey: ['at', 'at2'], valueKey: 'li', dtype: 'int64', size: [10, 10] }),
};

/** A spec of {@link sequenceRecords}. */
export const SEQUENCE_SPEC: SequenceExampleSpec = {
  context: { id: fixedLen([], 'int64', { default: -1 }), same: varLen('text') },
  sequence: {
    words: varLen('text'),
    at: fixedLenSequence([2], 'float32', { allowMissing: true }),
    same: ragged({ dtype: 'int64' }),
  },
};

/** SequenceExamples, of which some lack features. */
export function sequenceRecords(count: number, random: () => number): Uint8Array[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, i) =>
    encodeSequenceExample({
      context: i % 5 === 0 ? {} : { id: int64(i), same: `tag ${i % 13} of some length` },
      featureLists: {
        words: Array.from({ length: below(4) }, () => bytes(Array.from({ length: below(3) }, () => `w${below(99)}`))),
        ...(i % 3 === 0 ? {} : { at: Array.from({ length: below(4) }, () => float([random(), random()])) }),
        ...(i % 7 === 0 ? {} : { same: Array.from({ length: below(5) }, () => int64(below(100))) }),
        ...(i % 11 === 0 ? { none: [] } : {}),
      },
    }),
  );
}
