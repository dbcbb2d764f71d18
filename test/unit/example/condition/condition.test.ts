import fc from 'fast-check';

import { decodeSequenceExample, encodeExample, encodeSequenceExample, float, int64 } from '../../../../lib';
import { Condition } from '../../../../lib/example';

const RECORD = decodeSequenceExample(
  encodeExample({
    label: int64([3, 2n ** 63n - 1n]),
    low: int64(-(2n ** 63n)),
    score: float([0.1, 16777216, NaN]),
    whole: float(-0),
    name: ['Ann', 'Zoë'],
    raw: new Uint8Array([255, 0x41]),
    date: ['2024-03-01'],
    empty: int64([]),
    none: undefined,
    'a=b': int64(1),
    'two words': int64(2),
  }),
);

describe('conditions', () => {
  it.each([
    // int64
    ['label=3', true],
    ['label==3', true],
    ['label = 3 ', true],
    ['label=3.0', true],
    ['label=30e-1', true],
    ['label=4', false],
    ['label=3.5', false],
    ['label!=3', false],
    ['label!=4', true],
    ['label=9223372036854775807', true],
    ['label=9223372036854775806.5', false],
    ['label>9223372036854775806.5', true],
    ['label>=9223372036854775807', true],
    ['label>9223372036854775807', false],
    ['label>1e1000000', false],
    ['label<1e1000000', true],
    ['label<2.9999999999999999999999', false],
    ['label<3.0000000000000000000001', true],
    ['label>1e-1000000', true],
    ['low<-1e-1000000', true],
    ['low=-9223372036854775808', true],
    ['low<-9223372036854775807.5', true],
    ['low>-9223372036854775808.5', true],
    ['label=three', false],
    ['label!=three', true],
    ['label~3', false],
    ['label=', false],
    ['label=.', false],
    // float
    ['score=0.1', true],
    ['score<0.1', false],
    ['score<=0.1', true],
    ['score<0.11', true],
    ['score=16777217', true],
    ['score>16777216', false],
    ['score=nan', true],
    ['score>1e300', false],
    ['score<1e300', true],
    ['score=-Infinity', false],
    ['score<inf', true],
    ['score>-inf', true],
    ['whole=0', true],
    ['whole=-0.0', true],
    ['whole=1e-60', false],
    ['whole<1e-60', true],
    // bytes
    ['name=Ann', true],
    ['name=ann', false],
    ['name= Zoë', true],
    ['name~^A', true],
    ['name~ë$', true],
    ['name~^.{3}$', true],
    ['name~^nn', false],
    ['name!~^A', false],
    ['name!~x', true],
    ['raw~A', false],
    ['date>2024', true],
    ['date<2024-03', false],
    ['date<2024-03-02', true],
    // presence
    ['label', true],
    ['empty', true],
    ['none', false],
    ['!none', true],
    ['!label', false],
    ['! other', true],
    ['other=1', false],
    ['other!=1', true],
    ['empty=1', false],
    ['empty!=1', true],
    // names
    ['"a=b"=1', true],
    ['"a=b"', true],
    ['!"a=b"', false],
    ['two words=2', true],
    ['two words', true],
    [' two words <3', true],
    ['"two\\u0020words">1', true],
  ])('%s: %s', (text, holds) => {
    expect(Condition.parse(text).holds(RECORD)).toBe(holds);
  });

  it.each(['', ' ', '=3', '>', '!', '!=3', '!label=3', 'a!b', 'name~(', 'name~\\k<a>', '"a', '"a" b', '"\\x"=1'])(
    'refuses %j',
    (text) => {
      if (text === '"a') expect(Condition.parse(text).name).toBe('"a');
      else expect(() => Condition.parse(text)).toThrow(SyntaxError);
    },
  );

  it('look into the context and into every step', () => {
    const record = decodeSequenceExample(
      encodeSequenceExample({
        context: { id: int64(1) },
        featureLists: { words: [['a'], [], ['b', 'c']], gone: [] },
      }),
    );
    for (const [text, holds] of [
      ['id=1', true],
      ['words=c', true],
      ['words=d', false],
      ['words!=d', true],
      ['words', true],
      ['gone', true],
      ['!gone', false],
      ['gone=1', false],
    ] as const)
      expect([text, Condition.parse(text).holds(record)]).toEqual([text, holds]);
  });

  it('compare int64 as integers, whatever digits are written', () => {
    const int = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(int, fc.oneof(int, fc.bigInt({ min: -5n, max: 5n })), fc.nat(20), (value, offset, zeros) => {
        const other = value + offset;
        const record = decodeSequenceExample(encodeExample({ a: int64(value) }));
        const shifted = `${other}${'0'.repeat(zeros)}e-${zeros}`;
        for (const digits of [String(other), shifted, `${other}.${'0'.repeat(zeros)}`]) {
          expect(Condition.parse(`a=${digits}`).holds(record)).toBe(value === other);
          expect(Condition.parse(`a<${digits}`).holds(record)).toBe(value < other);
          expect(Condition.parse(`a>=${digits}`).holds(record)).toBe(value >= other);
        }
      }),
    );
  });

  it('find a float by the digits that are printed of it', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (value) => {
        const record = decodeSequenceExample(encodeExample({ a: float(value) }));
        for (const text of [String(value), value.toPrecision(9)]) {
          expect(Condition.parse(`a=${text}`).holds(record)).toBe(true);
          expect(Condition.parse(`a>${text}`).holds(record)).toBe(false);
          expect(Condition.parse(`a<${text}`).holds(record)).toBe(false);
        }
      }),
    );
  });

  it.each([
    ['label=three', 'label=three: the values of "label" are int64'],
    ['score~1', 'score~1: the values of "score" are float'],
    ['lable=3', 'no record has a feature "lable"'],
    ['label!=three', 'label!=three: the values of "label" are int64'],
    ['label=4', undefined],
    ['!lable', undefined],
    ['empty=three', undefined],
  ])('%s is answered with %j', (text, remark) => {
    const condition = Condition.parse(text);
    condition.holds(RECORD);
    expect(condition.remark()).toBe(remark);
  });
});
