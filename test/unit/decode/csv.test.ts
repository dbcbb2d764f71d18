/** decodeCsv: TensorFlow's rules one by one, and the errors with their messages. */
import fc from 'fast-check';

import { BytesArray, decodeCsv, TFRecordError, type CsvField, type CsvOptions } from '../../../lib';
import { thrown } from '../../support/thrown';

type Options = Partial<CsvOptions<readonly CsvField[]>>;
const dflt = { dtype: 'bytes', default: 'dflt' } as const;

/** The texts of the fields of one record, as columns of bytes. */
function fields(record: string | Uint8Array, count: number, options: Options = {}): string[] {
  const recordDefaults = Array.from({ length: count }, () => dflt);
  return decodeCsv([record], { ...options, recordDefaults }).map((column) => column.text(0)!);
}

function refusal(record: string, count: number, options: Options = {}): unknown {
  return thrown(() => fields(record, count, options));
}

describe('columns', () => {
  it('one a field, typed by the defaults, one value a record', () => {
    const records = ['1,2,3,4,x', Buffer.from('-1,.5,-7,9223372036854775807,"y"')];
    const recordDefaults = ['float32', 'float64', 'int32', 'int64', 'bytes'] as const;
    const [a, b, c, d, e] = decodeCsv(records, { recordDefaults });
    expect([a, b, c, d]).toEqual([
      Float32Array.of(1, -1),
      Float64Array.of(2, 0.5),
      Int32Array.of(3, -7),
      BigInt64Array.of(4n, 9223372036854775807n),
    ]);
    expect([e.text(0), e.text(1), e.length]).toEqual(['x', 'y', 2]);
  });

  it('are empty for no records', () => {
    const [numbers, names] = decodeCsv([], { recordDefaults: ['int64', 'bytes'] });
    expect(numbers).toEqual(new BigInt64Array(0));
    expect(names.length).toBe(0);
  });

  it('come from any list of bytes', () => {
    const records = BytesArray.from(['1', '2']);
    expect(decodeCsv(records, { recordDefaults: ['int32'] })[0]).toEqual(Int32Array.of(1, 2));
  });
});

describe('defaults', () => {
  it('null gives an array of values and nulls', () => {
    const records = ['1,2,3,4,x', ',"",NA,"NA",', Buffer.from('NaN,0,-7,9223372036854775807,"null"')];
    const [a, b, c, d, e] = decodeCsv(records, {
      recordDefaults: [
        { dtype: 'float32', default: null },
        { dtype: 'float64', default: null },
        { dtype: 'int32', default: null },
        { dtype: 'int64', default: null },
        { dtype: 'bytes', default: null },
      ],
      naValue: 'NA',
    });
    expect([a, b, c, d]).toEqual([
      [1, null, NaN],
      [2, null, 0],
      [3, null, -7],
      [4n, null, 9223372036854775807n],
    ]);
    expect(e).toEqual([Uint8Array.of(0x78), null, new TextEncoder().encode('null')]);
    expect(e[2]?.buffer.byteLength).toBe(4);
    expect(decodeCsv([], { recordDefaults: [{ dtype: 'int64', default: null }] })).toEqual([[]]);
  });

  it('null stands for an empty field only, not for a wrong or a missing one', () => {
    const recordDefaults = ['int32', { dtype: 'int32', default: null }] as const;
    expect(thrown(() => decodeCsv(['1,x'], { recordDefaults }))).toMatchObject({
      code: 'TFR_DECODE',
      message: expect.stringContaining('Record 0, field 1: expected an int32, found "x"') as string,
    });
    expect(thrown(() => decodeCsv(['1'], { recordDefaults }))).toMatchObject({
      expected: '2 fields',
      found: '1 field',
    });
  });

  it('stand in for empty fields, and for fields that are naValue, also in quotes', () => {
    const recordDefaults = [
      { dtype: 'float32', default: 0.1 },
      { dtype: 'float64', default: NaN },
      { dtype: 'int32', default: -5 },
      { dtype: 'int64', default: 5n },
      { dtype: 'int64', default: 6 },
      dflt,
    ] as const;
    for (const record of [',,,,,', '"",,"",,"",""', 'NA,NA,"NA","NA",NA,"NA"']) {
      const columns = decodeCsv([record], { recordDefaults, naValue: 'NA' });
      expect(columns.slice(0, 5)).toEqual([
        Float32Array.of(0.1),
        Float64Array.of(NaN),
        Int32Array.of(-5),
        BigInt64Array.of(5n),
        BigInt64Array.of(6n),
      ]);
      expect(columns[5].text(0)).toBe('dflt');
    }
  });

  it('without one, an empty field is an error that names record and field', () => {
    const recordDefaults = [dflt, 'int32'] as const;
    const error = thrown(() => decodeCsv(['a,1', 'b,'], { recordDefaults }));
    expect(error).toBeInstanceOf(TFRecordError);
    expect(error).toMatchObject({ code: 'TFR_DECODE', record: 1, found: 'none' });
    expect(String(error)).toContain('Record 1, field 1: expected a value of the required field, found none.');
    const na = thrown(() => decodeCsv(['b,"?"'], { recordDefaults, naValue: '?' }));
    expect(na).toMatchObject({ code: 'TFR_DECODE', record: 0, found: 'none' });
  });

  it('blanks are not empty', () => {
    expect(fields(' , \t', 2)).toEqual([' ', ' \t']);
    const error = thrown(() => decodeCsv([' '], { recordDefaults: [{ dtype: 'int32', default: 1 }] }));
    expect(error).toMatchObject({ code: 'TFR_DECODE', found: '" "' });
  });
});

describe('fields', () => {
  it.each<[string, string[]]>([
    ['a,b', ['a', 'b']],
    ['a,', ['a', 'dflt']],
    [',a', ['dflt', 'a']],
    [',', ['dflt', 'dflt']],
    ['"a","b"', ['a', 'b']],
    ['"a,b",c', ['a,b', 'c']],
    ['"a\r\nb","\n"', ['a\r\nb', '\n']],
    ['"a""b",""""', ['a"b', '"']],
    ['"""a""","a"""""', ['"a"', 'a""']],
    ['"",a', ['dflt', 'a']],
    ['\n\ra,\r\nb', ['a', 'b']],
    ['\n"a",\n"b"', ['a', 'b']],
    ['\ufeffa, b ', ['\ufeffa', ' b ']],
  ])('%j', (record, expected) => {
    expect(fields(record, 2)).toEqual(expected);
  });

  it('are bytes, untouched', () => {
    const record = Uint8Array.of(0xef, 0xbb, 0xbf, 0xff, 0x00, 0x20);
    expect([...decodeCsv([record], { recordDefaults: ['bytes'] })[0]]).toEqual([record]);
  });

  it('the empty record has none; a line end adds none', () => {
    expect(refusal('', 1)).toMatchObject({ code: 'TFR_DECODE', expected: '1 field', found: '0 fields' });
    expect(refusal('\r\n', 1)).toMatchObject({ found: '0 fields' });
    expect(fields('"a"\n,b', 2, { fieldDelim: '\n' })).toEqual(['a', ',b']);
    expect(refusal('a,\n', 2)).toMatchObject({ expected: '2 fields', found: '1 field' });
  });

  it.each([
    ['a', 2, '1 field'],
    ['a,b,c', 2, '3 fields'],
    ['a,b,', 2, '3 fields'],
  ])('a wrong number: %j', (record, count, found) => {
    const error = thrown(() =>
      decodeCsv(['x,y', record], { recordDefaults: Array.from({ length: count }, () => dflt) }),
    );
    expect(error).toMatchObject({ code: 'TFR_DECODE', record: 1, expected: '2 fields', found });
    expect(String(error)).toBe(`TFRecordError: Record 1: expected 2 fields, found ${found}.`);
  });

  const lineEnd = 'no line end in a field without quotes';
  const quotes = 'quotes around the whole field only';
  const closing = 'a quote at the end of a quoted field, right before a delimiter or the end';
  it.each<[string, number, string]>([
    ['a"', 0, quotes],
    ['x,a"b"', 1, quotes],
    ['x, "a"', 1, quotes],
    ['a\nb', 0, lineEnd],
    ['a\rb', 0, lineEnd],
    ['a,b\n', 1, lineEnd],
    ['"a', 0, closing],
    ['"', 0, closing],
    ['x,"a""', 1, closing],
    ['"a"\n', 0, 'a quote inside a quoted field to be written twice'],
    ['"a"b",c', 0, 'a quote inside a quoted field to be written twice'],
    ['"a" ,c', 0, 'a quote inside a quoted field to be written twice'],
  ])('bad: %j', (record, field, expected) => {
    const error = refusal(record, 2);
    expect(error).toMatchObject({ code: 'TFR_DECODE', record: 0, expected });
    expect(String(error)).toContain(`Record 0, field ${field}: `);
  });

  it('the first record that is wrong is reported, its first fault', () => {
    const run = (): unknown => decodeCsv(['1,1', '1,x', '"', 'x,1'], { recordDefaults: ['int32', 'int32'] });
    expect(thrown(run)).toMatchObject({ record: 1, found: '"x"' });
  });
});

describe('fieldDelim, useQuoteDelim', () => {
  it('cut at another byte', () => {
    expect(fields('a,b|"c|d"', 2, { fieldDelim: '|' })).toEqual(['a,b', 'c|d']);
    expect(fields('a\tb', 2, { fieldDelim: '\t' })).toEqual(['a', 'b']);
  });

  it('leave quotes alone; line ends stay errors', () => {
    expect(fields('"a,b"', 2, { useQuoteDelim: false })).toEqual(['"a', 'b"']);
    expect(fields('a""b,"', 2, { useQuoteDelim: false })).toEqual(['a""b', '"']);
    expect(refusal('a\n,b', 2, { useQuoteDelim: false })).toMatchObject({ found: 'a line feed' });
  });
});

describe('selectCols', () => {
  it('decodes these fields only', () => {
    const columns = decodeCsv(['1,x,3,y'], { recordDefaults: ['int32', 'int64'], selectCols: [0, 2] });
    expect(columns).toEqual([Int32Array.of(1), BigInt64Array.of(3n)]);
    expect(fields('a,b', 2, { selectCols: [] })).toEqual(['a', 'b']);
    expect(fields('a,b,', 1, { selectCols: [2] })).toEqual(['dflt']);
  });

  it('cuts the fields before, but looks at nothing behind the last', () => {
    expect(refusal('a"b,c', 1, { selectCols: [1] })).toMatchObject({
      code: 'TFR_DECODE',
      expected: expect.any(String),
    });
    expect(fields('a,b,c"d', 1, { selectCols: [1] })).toEqual(['b']);
  });

  it('names the fields of the record', () => {
    const options = { recordDefaults: ['int32', 'int32'], selectCols: [1, 3] } as const;
    expect(String(thrown(() => decodeCsv(['a,1,b,x'], options)))).toContain('Record 0, field 3: expected an int32');
    expect(thrown(() => decodeCsv(['a,1,b'], options))).toMatchObject({
      expected: 'the fields 1, 3 (options.selectCols)',
      found: 'no field 3',
    });
  });
});

describe('numbers', () => {
  const one = (dtype: 'int32' | 'int64' | 'float32' | 'float64', text: string): unknown =>
    decodeCsv([`"${text}"`], { recordDefaults: [dtype] })[0][0];

  it.each<[string, number]>([
    ['1', 1],
    ['+1', 1],
    ['-1', -1],
    [' \t\v\f\r\n1 ', 1],
    ['000000000000000000000000007', 7],
    ['-0', 0],
    ['2147483647', 2147483647],
    ['-2147483648', -2147483648],
  ])('int32, int64: %j', (text, value) => {
    expect(one('int32', text)).toBe(value);
    expect(one('int64', text)).toBe(BigInt(value));
  });

  it.each(['0x1', '1.0', '1e2', '1.', ' ', '+', '-', '--1', '+-1', '- 1', '1 2', '1_0', '1\0', '１', 'a'])(
    'neither int32 nor int64: %j',
    (text) => {
      expect(thrown(() => one('int32', text))).toMatchObject({ code: 'TFR_DECODE', expected: 'an int32' });
      expect(thrown(() => one('int64', text))).toMatchObject({ code: 'TFR_DECODE', expected: 'an int64' });
    },
  );

  it('integers beyond their range are errors', () => {
    expect(one('int64', '9223372036854775807')).toBe(2n ** 63n - 1n);
    expect(one('int64', '-9223372036854775808')).toBe(-(2n ** 63n));
    for (const text of ['9223372036854775808', '-9223372036854775809', '1'.repeat(1000)]) {
      expect(thrown(() => one('int64', text))).toMatchObject({ code: 'TFR_DECODE', expected: 'an int64' });
    }
    for (const text of ['2147483648', '-2147483649', '4294967297', '1'.repeat(1000)]) {
      expect(thrown(() => one('int32', text))).toMatchObject({ code: 'TFR_DECODE', expected: 'an int32' });
    }
  });

  it.each<[string, number]>([
    [' 1.5\t', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['-2.5E-1', -0.25],
    ['1e+2', 100],
    ['-0', -0],
    ['inf', Infinity],
    ['-INF', -Infinity],
    ['+Infinity', Infinity],
    ['nan', NaN],
    ['-NaN', NaN],
    ['0x1p3', 8],
    ['-0X1.8P+1', -3],
    ['0x.8', 0.5],
    ['0x00000000000000000000000000000000000000000000000000001', 1],
    ['1e400', Infinity],
    ['-1e400', -Infinity],
    ['0x1p99999999999999999999', Infinity],
    ['1e-400', 0],
    ['-1e-400', -0],
    ['0x1p-99999999999999999999', 0],
    ['0x0p99999999999999999999', 0],
  ])('float32, float64: %j', (text, value) => {
    expect(one('float32', text)).toBe(value);
    expect(one('float64', text)).toBe(value);
  });

  it('judges a long run of digits in linear time', () => {
    expect(thrown(() => one('float64', `${'1'.repeat(2_000_000)}x`))).toMatchObject({ code: 'TFR_DECODE' });
  });

  it('reads every short decimal as Number does', () => {
    const decimal = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        fc.stringMatching(/^\d{0,17}$/),
        fc.constantFrom('', '.'),
        fc.stringMatching(/^\d{0,23}$/),
      )
      .map((parts) => parts.join(''))
      .filter((text) => /\d/.test(text));
    fc.assert(
      fc.property(decimal, (text) => Object.is(one('float64', text), Number(text))),
      { numRuns: 800 },
    );
  });

  it.each(['0x', '0x1p', '1e', '1e+', '.', 'e5', '.e5', '1.5f', '1 2', 'infinit', 'nanx', '0b1', '0x 1', ' ', '1\0'])(
    'neither float32 nor float64: %j',
    (text) => {
      expect(thrown(() => one('float32', text))).toMatchObject({ code: 'TFR_DECODE', expected: 'a float32' });
      expect(thrown(() => one('float64', text))).toMatchObject({ code: 'TFR_DECODE', expected: 'a float64' });
    },
  );

  it('float32 is rounded to once', () => {
    expect(one('float32', '16777217')).toBe(16777216);
    expect(one('float32', '16777217.0000000001')).toBe(16777218);
    expect(one('float32', `16777217.${'0'.repeat(5000)}1`)).toBe(16777218);
    expect(one('float32', '16777218.9999999999')).toBe(16777218);
    expect(one('float32', '3.4028235677973366e38')).toBe((2 - 2 ** -23) * 2 ** 127);
    expect(one('float32', '3.4028236e38')).toBe(Infinity);
    expect(one('float32', '7.0064923216240853546186479164495806564013097093825788587853e-46')).toBe(0);
    expect(one('float32', '7.0064923216240853546186479164495806564013097093825788587854e-46')).toBe(2 ** -149);
    expect(one('float32', '0x1.0000010p0')).toBe(1);
    expect(one('float32', `0x1.000001${'0'.repeat(500)}1p0`)).toBe(1 + 2 ** -23);
  });

  it('hexadecimal numbers read back exactly', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, (value) => {
        const view = new DataView(new ArrayBuffer(8));
        view.setFloat64(0, Math.abs(value));
        const bits = view.getBigUint64(0);
        const exponent = Number(bits >> 52n);
        const mantissa = (bits & (2n ** 52n - 1n)) + (exponent === 0 ? 0n : 2n ** 52n);
        const sign = Object.is(Math.abs(value), value) ? '' : '-';
        const text = `${sign}0x${mantissa.toString(16)}p${Math.max(exponent, 1) - 1075}`;
        expect(one('float64', text)).toBe(value);
        expect(one('float32', text)).toBe(Math.fround(value));
      }),
    );
  });

  it('errors clip what they show', () => {
    const error = thrown(() => one('int32', `\u009b\u202e${'9'.repeat(10_000)}`)) as TFRecordError;
    expect(error.found).toContain('(10005 bytes)');
    expect(error.message.length).toBeLessThan(200);
    expect(error.message).toContain('"\\u009b\\u202e9');
  });
});

test('what is quoted comes back, whatever it is', () => {
  const table = fc
    .integer({ min: 1, max: 5 })
    .chain((columns) =>
      fc.array(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: columns, maxLength: columns })),
    );
  fc.assert(
    fc.property(table, fc.constantFrom(',', ';', '\t', 'a'), (rows, fieldDelim) => {
      const records = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(fieldDelim));
      const recordDefaults = (rows[0] ?? ['']).map(() => 'bytes' as const);
      const columns = decodeCsv(records, { recordDefaults, fieldDelim });
      expect(rows.map((_, r) => columns.map((column) => column.text(r)))).toEqual(rows);
    }),
  );
});

test('any bytes are columns or TFR_DECODE', () => {
  const record = fc.oneof(
    fc.uint8Array(),
    fc.stringMatching(/^[",\na1.\- ]*$/).map((text) => Buffer.from(text)),
  );
  const field = fc.constantFrom<CsvField[]>('int32', 'float32', 'bytes', { dtype: 'int64', default: 1n }, 'float64');
  fc.assert(
    fc.property(fc.array(record), fc.array(field, { minLength: 1, maxLength: 4 }), (records, recordDefaults) => {
      try {
        const columns = decodeCsv(records, { recordDefaults });
        expect(columns.map(({ length }) => length)).toEqual(recordDefaults.map(() => records.length));
      } catch (error) {
        expect(error).toMatchObject({ code: 'TFR_DECODE', record: expect.any(Number) });
      }
    }),
    { numRuns: 500 },
  );
});

describe('wrong arguments', () => {
  const good = { recordDefaults: ['bytes'] } as const;
  it.each<[string, () => unknown, string]>([
    ['one record', () => decodeCsv('a' as never, good), 'ERR_INVALID_ARG_TYPE'],
    ['records of numbers', () => decodeCsv([1] as never, good), 'ERR_INVALID_ARG_TYPE'],
    ['no options', () => decodeCsv([], undefined as never), 'ERR_INVALID_ARG_TYPE'],
    ['an unknown option', () => decodeCsv([], { ...good, delimiter: ';' } as never), 'ERR_INVALID_ARG_VALUE'],
    ['no recordDefaults', () => decodeCsv([], {} as never), 'ERR_INVALID_ARG_TYPE'],
    ['no columns', () => decodeCsv([], { recordDefaults: [] }), 'ERR_INVALID_ARG_VALUE'],
    ['an unknown dtype', () => decodeCsv([], { recordDefaults: ['uint8' as never] }), 'ERR_INVALID_ARG_VALUE'],
    ['a bare default', () => decodeCsv([], { recordDefaults: [1 as never] }), 'ERR_INVALID_ARG_TYPE'],
    ['no dtype', () => decodeCsv([], { recordDefaults: [{ default: 1 } as never] }), 'ERR_INVALID_ARG_TYPE'],
    [
      'a typo',
      () => decodeCsv([], { recordDefaults: [{ dtype: 'int32', dflt: 1 } as never] }),
      'ERR_INVALID_ARG_VALUE',
    ],
    ['a long delimiter', () => decodeCsv([], { ...good, fieldDelim: '::' }), 'ERR_INVALID_ARG_VALUE'],
    ['no delimiter', () => decodeCsv([], { ...good, fieldDelim: '' }), 'ERR_INVALID_ARG_VALUE'],
    ['a delimiter of two bytes', () => decodeCsv([], { ...good, fieldDelim: 'é' }), 'ERR_INVALID_ARG_VALUE'],
    ['a number as delimiter', () => decodeCsv([], { ...good, fieldDelim: 1 as never }), 'ERR_INVALID_ARG_TYPE'],
    ['useQuoteDelim', () => decodeCsv([], { ...good, useQuoteDelim: 0 as never }), 'ERR_INVALID_ARG_TYPE'],
    ['naValue', () => decodeCsv([], { ...good, naValue: 0 as never }), 'ERR_INVALID_ARG_TYPE'],
    ['selectCols of another length', () => decodeCsv([], { ...good, selectCols: [0, 1] }), 'ERR_INVALID_ARG_VALUE'],
    ['negative selectCols', () => decodeCsv([], { ...good, selectCols: [-1] }), 'ERR_INVALID_ARG_VALUE'],
    [
      'selectCols that do not ascend',
      () => decodeCsv([], { recordDefaults: ['bytes', 'bytes'], selectCols: [1, 1] }),
      'ERR_INVALID_ARG_VALUE',
    ],
    ...(
      [
        ['float32', '1', 'ERR_INVALID_ARG_VALUE'],
        ['float32', 1e40, 'ERR_INVALID_ARG_VALUE'],
        ['float32', [1], 'ERR_INVALID_ARG_VALUE'],
        ['float32', [], 'ERR_INVALID_ARG_VALUE'],
        ['float64', [[1]], 'ERR_INVALID_ARG_TYPE'],
        ['int32', 1.5, 'ERR_INVALID_ARG_VALUE'],
        ['int32', 2 ** 31, 'ERR_INVALID_ARG_VALUE'],
        ['int32', 1n, 'ERR_INVALID_ARG_TYPE'],
        ['int64', 2 ** 53, 'ERR_INVALID_ARG_VALUE'],
        ['int64', 2n ** 63n, 'ERR_INVALID_ARG_VALUE'],
        ['bytes', 1, 'ERR_INVALID_ARG_TYPE'],
      ] as const
    ).map(
      ([dtype, value, code]) =>
        [
          `the default ${String(value)} of ${dtype}`,
          () => decodeCsv([], { recordDefaults: [{ dtype, default: value } as never] }),
          code,
        ] as [string, () => unknown, string],
    ),
  ])('%s', (_, run, code) => {
    const error = thrown(run);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ code });
  });
});
