import fc from 'fast-check';

import { decodeExample, decodeSequenceExample } from '../../../../lib/example';
import { tensorflow } from '../../../../lib/example/message/messages.generated';
import { thrown } from '../../../support/thrown';
import { fitsForeign, plainDecoded, plainMessage, unlessForeign, type Plain } from './plain-features';
import { anyExample, anySequenceExample, exampleOf, field, float32, tag, text, varint, type Wire } from './wire';

type FeatureMap = Record<string, tensorflow.Feature.$Properties>;

function sorted<T, U>(map: Record<string, T>, convert: (value: T) => U): [string, U][] {
  return Object.keys(map)
    .sort()
    .map((name) => [name, convert(map[name] as T)]);
}

function one(...feature: readonly Wire[]): Plain | undefined {
  return plainDecoded(decodeExample(exampleOf(...feature))['a']);
}

function ints(...values: readonly bigint[]): Plain | undefined {
  return { kind: 'int64', values };
}

/** A SequenceExample with an empty list and an unknown field, whose bytes also fit a PredictionLog. */
const FITS_A_LOG = '0a0d0a0b0a095f5f70726f746f5f5f120c0a0a0a0012060a0412002000';
const EXAMPLE = '0a0e0a0c0a016112071a050a03010203';

describe('decodeExample', () => {
  it('gives values of their kind', () => {
    const record = Buffer.from(EXAMPLE, 'hex');
    const features = decodeExample(record);
    expect(features).toEqual({ a: { kind: 'int64', values: BigInt64Array.of(1n, 2n, 3n) } });
    expect(Object.getPrototypeOf(features)).toBeNull();
    const floats = decodeExample(exampleOf(field(2, field(1, float32(0.5), float32(2)))))['a'];
    expect(floats).toEqual({ kind: 'float', values: Float32Array.of(0.5, 2) });
    const bytes = decodeExample(exampleOf(field(1, field(1, text('x')), field(1), field(1, text('yz')))))['a'];
    expect(bytes?.kind).toBe('bytes');
    expect([...(bytes!.values as Iterable<Uint8Array>)].map(String)).toEqual(['120', '', '121,122']);
  });

  it('gives copies', () => {
    const record = Buffer.from(EXAMPLE, 'hex');
    const { a } = decodeExample(record);
    record.fill(0);
    expect(a?.values).toEqual(BigInt64Array.of(1n, 2n, 3n));
  });

  it('says undefined for a feature without a kind, and has no other', () => {
    const features = decodeExample(exampleOf());
    expect('a' in features).toBe(true);
    expect(features['a']).toBeUndefined();
    expect(decodeExample(new Uint8Array(0))).toEqual({});
    expect(decodeExample(Uint8Array.of(0x0a, 0))).toEqual({});
  });

  it('tells an empty list from none', () => {
    expect(one(field(1))).toEqual({ kind: 'bytes', values: [] });
    expect(one(field(2))).toEqual({ kind: 'float', values: [] });
    expect(one(field(3, field(1)))).toEqual(ints());
  });

  it.each<[string, readonly Wire[], readonly bigint[]]>([
    ['unpacked', [field(3, tag(1, 0), [1], tag(1, 0), [2])], [1n, 2n]],
    ['packed, then unpacked', [field(3, field(1, [1, 2]), tag(1, 0), [3])], [1n, 2n, 3n]],
    ['unpacked, then packed', [field(3, tag(1, 0), [1], field(1, [2, 3]))], [1n, 2n, 3n]],
    ['two chunks', [field(3, field(1, [1]), field(1, [2]))], [1n, 2n]],
    ['an empty chunk', [field(3, field(1))], []],
    ['two lists', [field(3, field(1, [1])), field(3, field(1, [2]))], [1n, 2n]],
    ['two kinds: the last', [field(1, field(1, [1])), field(3, field(1, [2]))], [2n]],
    ['a kind that comes back: what came since', [field(3, field(1, [1])), field(2), field(3, field(1, [2]))], [2n]],
    ['needless bytes', [field(3, field(1, varint(1, 9)))], [1n]],
    ['a tenth byte with bits beyond 64', [field(3, field(1, [...Array<number>(9).fill(0xff), 0x7f]))], [-1n]],
    [
      'the extremes',
      [field(3, field(1, varint(2n ** 63n - 1n), varint(-(2n ** 63n))))],
      [2n ** 63n - 1n, -(2n ** 63n)],
    ],
    ['an unknown field first', [field(9, [1]), field(3, tag(2, 0), [7], field(1, [5]))], [5n]],
    [
      'a list of a wrong wire type is unknown',
      [[...tag(3, 0), 1], field(3, tag(1, 5), [0, 0, 0, 0], field(1, [5]))],
      [5n],
    ],
    ['a group', [[...tag(9, 3), ...tag(1, 0), 1, ...tag(9, 4)], field(3, field(1, [5]))], [5n]],
  ])('int64, %s', (_name, feature, values) => expect(one(...feature)).toEqual(ints(...values)));

  it('keeps every bit of a float', () => {
    const values = Uint8Array.of(1, 0, 0x80, 0x7f, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x80, 1, 0, 0, 0);
    const { a } = decodeExample(exampleOf(field(2, field(1, [...values]))));
    expect(new Uint8Array((a!.values as Float32Array).buffer)).toEqual(values);
  });

  const entry = (name: string, value: number): Wire =>
    field(1, field(1, text(name)), field(2, field(3, field(1, [value]))));
  const decoded = (...wire: readonly Wire[]): unknown =>
    Object.entries(decodeExample(Uint8Array.from(wire.flat()))).map(([name, feature]) => [
      name,
      plainDecoded(feature)?.values,
    ]);

  it('merges features and takes the last of two entries with a name', () => {
    expect(decoded(field(1, entry('a', 1)), field(1, entry('b', 2)))).toEqual([
      ['a', [1n]],
      ['b', [2n]],
    ]);
    expect(decoded(field(1, entry('a', 1), entry('a', 2)))).toEqual([['a', [2n]]]);
    expect(decoded(field(1, entry('a', 1), field(1, field(1, text('a')))))).toEqual([['a', undefined]]);
  });

  it('takes what an entry leaves out for empty, and parts in any order', () => {
    const value = field(2, field(3, field(1, [1])));
    expect(decoded(field(1, field(1)))).toEqual([['', undefined]]);
    expect(decoded(field(1, field(1, value)))).toEqual([['', [1n]]]);
    expect(decoded(field(1, field(1, value, field(1, text('a')))))).toEqual([['a', [1n]]]);
    expect(decoded(field(1, field(1, field(1, text('b')), field(1, text('a')), value)))).toEqual([['a', [1n]]]);
    expect(decoded(field(1, field(1, value, value)))).toEqual([['', [1n, 1n]]]);
    expect(decoded(field(1, field(1, value, [...tag(3, 0), 1])))).toEqual([['', [1n]]]);
  });

  it('keeps a feature that is called __proto__', () => {
    const features = decodeExample(Uint8Array.from(field(1, entry('__proto__', 1))));
    expect(Object.keys(features)).toEqual(['__proto__']);
  });

  const list = (...content: readonly Wire[]): Uint8Array => exampleOf(field(3, ...content));
  it.each<[string, Uint8Array, number, RegExp]>([
    ['text', Buffer.from('hello'), 3, /group ends/],
    ['a cut tag', Uint8Array.of(0x80), 0, /tag is cut/],
    ['a tag of six bytes', Uint8Array.of(0x8a, 0x80, 0x80, 0x80, 0x80, 0, 0), 0, /tag is longer than 5 bytes/],
    ['a tag beyond 32 bits', Uint8Array.of(0x8a, 0x80, 0x80, 0x80, 0x10, 0), 0, /larger than 32 bits/],
    ['field number 0', Uint8Array.of(2, 0), 0, /number 0/],
    ['a cut length', Uint8Array.of(0x0a, 0x80), 1, /length is cut/],
    ['a length of six bytes', Uint8Array.of(0x0a, 0x80, 0x80, 0x80, 0x80, 0x80, 0), 1, /length is longer/],
    [
      'a length that claims 4 GiB',
      Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f),
      1,
      /4294967295 is more than 2\^31 - 1/,
    ],
    ['a cut unknown fixed64', Uint8Array.of(0x21, 0, 0), 1, /cut/],
    ['a cut unknown fixed32', Uint8Array.of(0x25, 0, 0), 1, /cut/],
    ['a cut unknown integer', Uint8Array.of(0x20, 0x80), 1, /integer is cut/],
    ['wire type 6', Uint8Array.of(0x26), 1, /wire type 6/],
    ['the end of no group', Uint8Array.of(0x24), 1, /did not start/],
    ['the end of another group', Uint8Array.of(0x23, 0x2c), 2, /did not start/],
    ['a group without end', Uint8Array.of(0x23, 0x28, 1), 3, /no end/],
    [
      '101 groups in one another',
      Uint8Array.from([...Array<number>(101).fill(0x23), ...Array<number>(101).fill(0x24)]),
      101,
      /100 deep/,
    ],
    ['an integer of 11 bytes', list(field(1, [...Array<number>(10).fill(0xff), 0])), 13, /longer than 10/],
    ['an integer that is cut by its list', list(field(1, [0x80]), field(1, [0])), 13, /cut/],
    ['floats of 5 bytes', exampleOf(field(2, field(1, [0, 0, 0, 0, 0]))), 13, /multiple of 4/],
    ['an unpacked float that is cut', exampleOf(field(2, tag(1, 5), [0, 0])), 12, /cut/],
    [
      'a list past its feature',
      Uint8Array.from([...field(1, field(1, field(1, text('a')), field(2, [0x1a, 9])))]),
      10,
      /9 reaches past the 0/,
    ],
    ['a name that is no UTF-8', Uint8Array.from(field(1, field(1, field(1, [0xff])))), 6, /UTF-8/],
    [
      'a long name that is no UTF-8',
      Uint8Array.from(field(1, field(1, field(1, text('x'.repeat(40)), [0xc0])))),
      6,
      /UTF-8/,
    ],
    [
      'a name that is no UTF-8 and has another behind it',
      Uint8Array.from(field(1, field(1, field(1, [0xff]), field(1, [0x61])))),
      6,
      /UTF-8/,
    ],
    ['an overridden list that is broken', exampleOf(field(3, field(1, [0x80])), field(2)), 13, /cut/],
  ])('refuses %s', (_name, record, byte, message) => {
    const error = thrown(() => decodeExample(record));
    expect(error).toMatchObject({ name: 'TFRecordError', code: 'TFR_EXAMPLE', expected: 'an Example' });
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain(`at byte ${byte} of ${record.length}`);
  });

  it('passes over 100 groups in one another', () => {
    const groups = [...Array<number>(100).fill(0x23), ...Array<number>(100).fill(0x24)];
    const record = Uint8Array.from([...groups, ...exampleOf(field(3, field(1, [7])))]);
    expect(plainDecoded(decodeExample(record)['a'])).toEqual(ints(7n));
    // Groups alone are no Example.
    expect(thrown(() => decodeExample(Uint8Array.from(groups)))).toMatchObject({ found: 'a message of another type' });
  });

  it.each([[undefined], ['text'], [[1]], [new ArrayBuffer(3)], [new Uint8ClampedArray(3)]])('takes no %p', (record) => {
    const wrong = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
    expect(thrown(() => decodeExample(record as never))).toMatchObject(wrong);
    expect(thrown(() => decodeSequenceExample(record as never))).toMatchObject(wrong);
  });

  it('says what protobufjs says of any well-formed message', () => {
    fc.assert(
      fc.property(anyExample, (record) => {
        const { features } = tensorflow.Example.decode(record);
        const expected = sorted((features?.feature ?? {}) as FeatureMap, plainMessage);
        const decoded = unlessForeign(() => decodeExample(record));
        // Nothing that has a value is refused.
        if (decoded === undefined && fitsForeign(record)) return;
        if (decoded === undefined) expect(expected.filter(([, feature]) => feature !== undefined)).toEqual([]);
        else expect(sorted(decoded, plainDecoded)).toEqual(expected);
      }),
      { numRuns: 700 },
    );
  });

  it('refuses any cut and nothing but what is broken, as protobufjs does', () => {
    fc.assert(
      fc.property(anyExample, fc.nat(), (record, at) => {
        const cut = record.subarray(0, at % (record.length + 1));
        if (fitsForeign(cut)) return;
        expect(throws(() => unlessForeign(() => decodeExample(cut)))).toBe(
          throws(() => tensorflow.Example.decode(cut)),
        );
      }),
      { numRuns: 700 },
    );
  });
});

describe('decodeSequenceExample', () => {
  it('gives context and steps', () => {
    const step = (value: number): Wire => field(1, field(3, field(1, [value])));
    const record = Uint8Array.from([
      ...field(1, field(1, field(1, text('c')), field(2, field(1, field(1, text('x')))))),
      ...field(2, field(1, field(1, text('l')), field(2, step(1), field(1), step(2)), field(2, step(3)))),
    ]);
    const { context, featureLists } = decodeSequenceExample(record);
    expect(plainDecoded(context['c'])).toEqual({ kind: 'bytes', values: [[0x78]] });
    expect(featureLists['l']!.map(plainDecoded)).toEqual([ints(1n), undefined, ints(2n), ints(3n)]);
    expect(Object.getPrototypeOf(context)).toBeNull();
    expect(Object.getPrototypeOf(featureLists)).toBeNull();
  });

  it('reads an Example as one with a context only', () => {
    const { context, featureLists } = decodeSequenceExample(Buffer.from(EXAMPLE, 'hex'));
    expect(plainDecoded(context['a'])).toEqual(ints(1n, 2n, 3n));
    expect(featureLists).toEqual({});
  });

  it('says what it is not', () => {
    const error = thrown(() => decodeSequenceExample(Uint8Array.of(0x12, 9)));
    expect(error).toMatchObject({ code: 'TFR_EXAMPLE', expected: 'a SequenceExample' });
  });

  it('says what protobufjs says of any well-formed message', () => {
    fc.assert(
      fc.property(anySequenceExample, (record) => {
        const theirMessage = tensorflow.SequenceExample.decode(record);
        const theirContext = sorted((theirMessage.context?.feature ?? {}) as FeatureMap, plainMessage);
        const theirLists = sorted(theirMessage.featureLists?.featureList ?? {}, (steps) =>
          (steps.feature ?? []).map(plainMessage),
        );
        const decoded = unlessForeign(() => decodeSequenceExample(record));
        if (decoded === undefined) {
          if (fitsForeign(record)) return;
          const all = [...theirContext.map(([, feature]) => feature), ...theirLists.flatMap(([, steps]) => steps)];
          expect(all.filter((feature) => feature !== undefined)).toEqual([]);
          return;
        }
        expect(sorted(decoded.context, plainDecoded)).toEqual(theirContext);
        expect(sorted(decoded.featureLists, (steps) => steps.map(plainDecoded))).toEqual(theirLists);
      }),
      { numRuns: 700, examples: [[Uint8Array.from(Buffer.from(FITS_A_LOG, 'hex'))]] },
    );
  });
});

function throws(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch {
    return true;
  }
}
