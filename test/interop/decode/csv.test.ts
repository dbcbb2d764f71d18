/** Compares decodeCsv with tf.io.decode_csv on random records, rules and columns: equal values, or errors in both. */
import { decodeCsv, type CsvDType, type CsvField } from '../../../lib';
import { Choices, hex, PAIRS } from '../choices';
import { listOf, ours, theirs, valuesOf, type PeerTensor } from './outcomes';
import { Peer } from '../peer';

let peer: Peer;
beforeAll(() => (peer = new Peer('decode/peer.py')));
afterAll(() => peer.close());

interface CsvCase {
  readonly records: readonly Buffer[];
  readonly defaults: readonly { readonly dtype: CsvDType; readonly default?: number | bigint | string }[];
  readonly fieldDelim: string;
  readonly useQuoteDelim: boolean;
  readonly naValue: string;
  readonly selectCols: readonly number[] | undefined;
}

const DTYPES: readonly CsvDType[] = ['float32', 'float64', 'int32', 'int64', 'bytes'];
const DEFAULTS = { float32: 1.5, float64: -0.1, int32: -7, int64: 7n, bytes: 'dflt' };

const NUMBERS = [
  ...['0', '-0', '1', '+1', '-1', '007', ' 5', '5 ', '\t5', '5\v', '1.5', '.5', '5.', '-.5e-3', '1e5', '1E+5', '1e400'],
  ...['1e-400', '-1e400', '2147483647', '2147483648', '-2147483648', '-2147483649', '9223372036854775807'],
  ...['9223372036854775808', '-9223372036854775808', '-9223372036854775809', '00000000000000000000000000000000001'],
  ...[
    'inf',
    '-INF',
    '+Infinity',
    'infinit',
    'nan',
    '-NaN',
    'nan(1)',
    'nan(',
    '0x1p3',
    '0X.8P1',
    '0x',
    '0x1p',
    '-0x1.8',
  ],
  ...[
    '0x1.ffffffp0',
    '0x1.000001p0',
    '0x1.0000010000000000000000000000000000001p0',
    '0x1.fffffefffffffp127',
    '0x1p-149',
  ],
  ...[
    '0x1p-150',
    '0x1.0000000001p-150',
    '0x1p-1074',
    '0x1p-1075',
    '0x1.8p-1075',
    '0x1p1024',
    '0x1.fffffffffffff8p1023',
  ],
  ...['16777217', '16777217.0000000001', '16777216.9999999999', '16777219', '3.4028235677973366e38', '3.4028236e38'],
  ...['7.0064923216240853546186479164495806564013097093825788587853e-46', '1.40129846432481707e-45'],
  ...['7.0064923216240853546186479164495806564013097093825788587854e-46', '1e', 'e5', '.', '+', '- 1', '1_0', '1,5'],
  ...['', ' ', 'NA', 'a', 'é', '1 2', '--1', '0b1', '1f', '१'],
];
const BYTES = [...'",\n\r;|ab1- \t.é'];

function field(choices: Choices): string {
  const kind = choices.next();
  if (kind < 0.6) return choices.one(NUMBERS);
  if (kind < 0.7) return (choices.next() * 10 ** (choices.below(100) - 50)).toPrecision(1 + choices.below(20));
  if (kind < 0.75) return String(choices.below(2 ** 32) - 2 ** 31);
  const text = choices.list(choices.below(6), () => choices.one(BYTES)).join('');
  return kind < 0.9 ? text : text.replaceAll('"', '""');
}

function record(choices: Choices, fields: number, delimiter: string): Buffer {
  if (choices.chance(0.1)) return Buffer.from(choices.list(choices.below(12), () => choices.one(BYTES)).join(''));
  const texts = choices.list(fields, () => {
    const text = field(choices);
    return choices.chance(0.4) ? `"${choices.chance(0.8) ? text.replaceAll('"', '""') : text}"` : text;
  });
  return Buffer.from(texts.join(delimiter) + choices.one(['', '', '', '', '', '\n', delimiter]));
}

function csvCase(seed: number): CsvCase {
  const choices = new Choices(seed);
  const columns = 1 + choices.below(4);
  // Few records, because one wrong record ends a case.
  const fields = choices.chance(0.7) ? columns : columns + choices.below(3);
  const fieldDelim = choices.chance(0.7) ? ',' : choices.one([';', '|', '\t', ' ', '"', '\n', 'a', '1']);
  const indices = choices.list(columns + 3, (i) => i).filter(() => choices.chance(0.7));
  return {
    records: choices.list(choices.below(4), () =>
      record(choices, choices.chance(0.9) ? fields : choices.below(6), fieldDelim),
    ),
    defaults: choices.list(columns, () => {
      const dtype = choices.one([...DTYPES, 'float32', 'float64'] as const);
      return choices.chance(0.7) ? { dtype, default: DEFAULTS[dtype] } : { dtype };
    }),
    fieldDelim,
    useQuoteDelim: choices.chance(0.8),
    naValue: choices.one(['', '', 'NA', '1', 'é']),
    selectCols: choices.chance(0.3) && indices.length >= columns ? indices.slice(0, columns) : undefined,
  };
}

test(`${PAIRS} random cases`, async () => {
  const cases = Array.from({ length: PAIRS }, (_, seed) => csvCase(seed));
  const requests = cases.map(({ records, defaults, naValue, ...rest }) => ({
    ...rest,
    records: records.map(hex),
    defaults: defaults.map(({ dtype, default: value }) =>
      value === undefined ? { dtype } : { dtype, default: typeof value === 'string' ? hex(value) : Number(value) },
    ),
    naValue: hex(naValue),
  }));
  const answers = await theirs<PeerTensor[]>(peer, 'decode_csv', requests);
  let equal = 0;
  let failed = 0;
  for (const [seed, answer] of answers.entries()) {
    const { records, defaults, ...options } = cases[seed]!;
    const mine = ours(() => decodeCsv(records, { ...options, recordDefaults: defaults as readonly CsvField[] }));
    const context = { seed, case: requests[seed], text: records.map(String) };
    if ('error' in answer || 'error' in mine) {
      expect({ ...context, mine, answer }).toMatchObject({ mine: { error: expect.any(String) as unknown } });
      expect({ ...context, mine, answer }).toMatchObject({ answer: { error: expect.any(String) as unknown } });
      failed++;
      continue;
    }
    const expected = answer.values.map((tensor, i) => listOf(valuesOf(defaults[i]?.dtype ?? 'bytes', tensor)));
    const found = mine.values.map(listOf);
    expect({ ...context, values: found }).toEqual({ ...context, values: expected });
    equal++;
  }
  // Both kinds of outcome must occur.
  expect(equal).toBeGreaterThan(PAIRS / 5);
  expect(failed).toBeGreaterThan(PAIRS / 5);
});

test('single numbers, every dtype', async () => {
  const cases = NUMBERS.flatMap((text) => DTYPES.slice(0, 4).map((dtype) => ({ text: `"${text}"`, dtype })));
  const rest = { fieldDelim: ',', useQuoteDelim: true, naValue: '' };
  const requests = cases.map(({ text, dtype }) => ({ ...rest, records: [hex(text)], defaults: [{ dtype }] }));
  const answers = await theirs<PeerTensor[]>(
    peer,
    'decode_csv',
    requests.map((request) => ({ ...request, selectCols: null })),
  );
  const described = (text: string, dtype: string, values: unknown): string => `${text} as ${dtype}: ${String(values)}`;
  const expected = answers.map((answer, i) => {
    const { text, dtype } = cases[i]!;
    if ('error' in answer) return described(text, dtype, 'error');
    return described(text, dtype, listOf(valuesOf(dtype, answer.values[0]!)));
  });
  const found = cases.map(({ text, dtype }) => {
    const mine = ours(() => decodeCsv([text], { recordDefaults: [dtype] }));
    return described(text, dtype, 'error' in mine ? 'error' : listOf(mine.values[0]));
  });
  expect(found).toEqual(expected);
});
