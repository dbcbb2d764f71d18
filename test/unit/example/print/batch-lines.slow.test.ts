/**
 * Compares native lines of JSON with those of the printers in TypeScript: floats of every pattern, int64 of every size,
 * texts, random records, damaged ones, files of real projects. TFRECORD_FULL=1 compares twenty times as many.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { bytes, encodeExample, encodeSequenceExample, float, int64, readRecords } from '../../../../lib';
import { compareLines, FORM_NAMES, nativeLines } from '../../../support/records/native-lines';
import { NO_REAL_FILES, REAL_FILES, REAL_SETS } from '../../../support/records/real-data';
import { randoms } from '../../../support/randoms';
import { anyExample, anySequenceExample } from '../feature/wire';

const SCALE = process.env['TFRECORD_FULL'] === '1' ? 20 : 1;
const SIZE = 1024;

const random = randoms(7);
const below = (limit: number): number => Math.floor(random() * limit);
const bits = (): number => below(2 ** 32);

/** Compares records of {@link SIZE} values, which `valuesOf` makes. */
async function compareFloats(records: number, valuesOf: (record: number) => Float32Array): Promise<void> {
  for (let first = 0; first < records; first += 64) {
    const some = Array.from({ length: Math.min(64, records - first) }, (_, i) =>
      encodeExample({ a: float(valuesOf(first + i)) }),
    );
    expect(await compareLines(some, 'rows')).toBe(some.length);
  }
}

test('floats with the smallest, the largest and middle fractions of each exponent', async () => {
  await compareFloats(256, (exponent) => {
    const fractions = Uint32Array.from({ length: SIZE }, (_, i) =>
      i < 300 ? i : i < 600 ? 2 ** 23 + 299 - i : i < 700 ? 2 ** 22 + i : below(2 ** 23),
    );
    return new Float32Array(fractions.map((fraction) => (exponent * 2 ** 23 + fraction) >>> 0).buffer);
  });
});

test('floats with random bits', async () => {
  await compareFloats(100 * SCALE, () => new Float32Array(Uint32Array.from({ length: SIZE }, bits).buffer));
});

test('floats with few digits, in decimal and in binary', async () => {
  const makers: readonly (() => number)[] = [
    () => below(1e6) / 1e4,
    () => below(2 ** 24) / 2 ** below(24),
    () => random() * 2 ** below(100),
    () => below(1000) * 10 ** (below(80) - 45),
    () => -random(),
    () => 2 ** 24 + below(2 ** 30),
    () => 2 ** (below(278) - 149),
  ];
  await compareFloats(100 * SCALE, () => Float32Array.from({ length: SIZE }, () => makers[below(makers.length)]!()));
});

test('int64 of every size', async () => {
  for (let i = 0; i < 20 * SCALE; i++) {
    const values = BigInt64Array.from({ length: SIZE }, (_, place) =>
      BigInt.asIntN(64, ((BigInt(bits()) << 32n) | BigInt(bits())) >> BigInt(place % 64)),
    );
    const edges = Array.from({ length: 64 }, (_, shift) => [-1n, 0n, 1n].map((by) => (1n << BigInt(shift)) + by));
    const record = encodeExample({ a: int64(values), b: int64(edges.flat().map((edge) => BigInt.asIntN(64, edge))) });
    for (const form of FORM_NAMES) {
      expect(await compareLines([record], form)).toBe(form === 'records that are not cut' ? 0 : 1);
    }
  }
});

/** Bytes of characters that have rules, and of parts of them. */
const ODD = [
  0xc2, 0x80, 0xa0, 0xe2, 0x80, 0xa8, 0xae, 0x81, 0xa6, 0xd8, 0x9c, 0xf0, 0x9f, 0x98, 0xed, 0x22, 0x5c, 0x0a,
];
const WORDS = [
  'NaN',
  'Infinity',
  '-Infinity',
  '\u2028x\u2029',
  '日本\t"\\',
  '\u0085',
  '😀ab',
  '\u007f',
  '\ufeff',
  '\u202e',
];

test('texts of all characters, and bytes that nearly are texts', async () => {
  const makers: readonly (() => string | Uint8Array)[] = [
    () => Uint8Array.from({ length: below(24) }, () => below(256)),
    () => Uint8Array.from({ length: below(40) }, () => 32 + below(95)),
    () => Uint8Array.from({ length: below(24) }, () => below(40)),
    () => Uint8Array.from({ length: below(12) }, () => ODD[below(ODD.length)]!),
    () => WORDS[below(WORDS.length)]!,
    () => `${'x'.repeat(below(20))}${String.fromCodePoint(below(0xd800))}${'y'.repeat(below(10))}`,
    () => String.fromCodePoint(0xe000 + below(0x10_2000)),
  ];
  for (let i = 0; i < 10 * SCALE; i++) {
    const records = Array.from({ length: 500 }, () => {
      const values = Array.from({ length: 8 }, () => makers[below(makers.length)]!());
      const name = `${String.fromCodePoint(32 + below(0xd7e0))}${below(100)}`;
      return encodeExample({ a: bytes(values), [name]: bytes([]) });
    });
    for (const form of FORM_NAMES) expect(await compareLines(records, form)).toBeGreaterThan(490);
  }
});

test('all characters', async () => {
  const all = Array.from({ length: 0x11_0000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
  const record = encodeExample({ a: bytes(all.map((code) => `a${String.fromCodePoint(code)}`)) });
  expect(await compareLines([record], 'rows')).toBe(1);
});

test.each(FORM_NAMES)('%s: random records, and damaged ones', async (form) => {
  const whole = [
    encodeExample({ a: int64([1n, 300n]), b: float([0.5, 1e9]), c: bytes(['text', Uint8Array.of(0xff)]), d: [] }),
    encodeSequenceExample({ context: { a: int64([7]) }, featureLists: { b: [bytes(['x']), float([2])], c: [] } }),
  ];
  const damaged = fc
    .tuple(
      fc.constantFrom(...whole),
      fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { minLength: 1, maxLength: 3 }),
      fc.nat(80),
    )
    .map(([record, changes, cut]) => {
      const bad = Uint8Array.from(record);
      for (const [at, byte] of changes) if (at < bad.length) bad[at] = byte;
      return cut < 20 ? bad.subarray(0, bad.length - cut) : bad;
    });
  const records = fc.array(fc.oneof(anyExample, anySequenceExample, damaged), { minLength: 1, maxLength: 20 });
  let [printed, made] = [0, 0];
  await fc.assert(
    fc.asyncProperty(records, async (some) => {
      made += some.length;
      printed += await compareLines(some, form);
    }),
    { numRuns: 250 * SCALE },
  );
  expect(printed / made).toBeGreaterThan(0.1);
});

test('a line that is longer than the largest room is for the other printer', async () => {
  const short = encodeExample({ a: [] });
  // Nearly the largest record that native code prints, with a line of 192 MiB.
  const long = encodeExample({ a: float(new Float32Array((64 * 1024 * 1024) / 4 - 16).fill(-0.123456789)) });
  const lines = await nativeLines([short, long, short], 'rows');
  expect(lines).toEqual(['{"a":null}', undefined, '{"a":null}']);
});

const files = [REAL_FILES, REAL_SETS]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
  .filter((path) => statSync(path).isFile() && !/\.(?:md|json|pbtxt|txt)$/.test(path));

if (files.length === 0) test.todo(NO_REAL_FILES);
else {
  test.each(FORM_NAMES)('%s: files of real projects', async (form) => {
    let [printed, records] = [0, 0];
    for (const file of files) {
      const some: Uint8Array[] = [];
      for await (const record of readRecords(file, { onError: 'skip' })) some.push(record);
      records += some.length;
      printed += await compareLines(some, form);
    }
    expect(records).toBeGreaterThan(1000);
    expect(printed / records).toBeGreaterThan(form === 'records that are not cut' ? 0.1 : 0.9);
  });
}
