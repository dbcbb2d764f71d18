/** Parsers whose spec and options are checked once: results and errors are those of the functions that check each time. */
import { inspect } from 'node:util';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  Event,
  exampleParser,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  ragged,
  readRecordsSync,
  RecordBatch,
  RecordReader,
  sequenceExampleParser,
  sparse,
  varLen,
  type FeatureLike,
  type ParseOptions,
  type Spec,
} from '../../../../lib';
import { comparable, expectEqual } from '../../../support/comparable';
import { randoms } from '../../../support/randoms';
import { tfrecord } from '../../../support/records/tfrecord';
import { thrown } from '../../../support/thrown';

const random = randoms(31);
const below = (limit: number): number => Math.floor(random() * limit);
const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!;
const listOf = <T>(make: () => T, most = 4): T[] => Array.from({ length: below(most + 1) }, make);

const OPTIONS: readonly (ParseOptions | undefined)[] = [
  undefined,
  {},
  { int64: 'number' },
  { bytes: 'text' },
  { int64: 'number', bytes: 'text' },
  { int64: 'bigint', bytes: undefined },
];
const NAMES = ['a', 'b', 'c', 'd', 'toString', '__proto__', 'toJSON', 'ß'];

/** Features of any kind and type, which need not fit the records. */
function randomSpec(): Spec {
  const dtype = (): 'float32' | 'int64' | 'bytes' | 'text' => oneOf(['float32', 'int64', 'bytes', 'text'] as const);
  const feature = (): Spec[string] => {
    const type = dtype();
    switch (below(8)) {
      case 0:
        return varLen(type);
      case 1:
        return fixedLen([2], type);
      case 2:
        return fixedLenSequence([], type, { allowMissing: true });
      case 3:
        return ragged({ dtype: type });
      case 4:
        return fixedLen([], type, { default: null });
      case 5:
        return type === 'int64' ? fixedLen([], type, { default: 7 }) : fixedLen([], type);
      default:
        return fixedLen([], type);
    }
  };
  const spec = Object.fromEntries(NAMES.slice(0, 1 + below(NAMES.length)).map((name) => [name, feature()]));
  if (below(6) > 0) return spec;
  return { ...spec, at: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'float32', size: 9 }) };
}

const TEXTS = ['', 'x', 'Zürich', 'a text of more than twenty bytes'];
const VALUES = {
  float32: (count: number) => float(Array.from({ length: count }, random)),
  int64: (count: number) =>
    int64(Array.from({ length: count }, () => oneOf([0n, -1n, 2n ** 53n - 1n, BigInt(below(1000))]))),
  bytes: (count: number) => bytes(Array.from({ length: count }, () => oneOf(TEXTS))),
  text: (count: number) => bytes(Array.from({ length: count }, () => oneOf(TEXTS))),
};

/** A feature that fits `feature` mostly. */
function randomFeature(feature: Spec[string] | undefined): FeatureLike {
  if (feature !== undefined && below(25) > 0) {
    const count = 'shape' in feature ? (feature.shape[0] ?? 1) : below(3);
    return VALUES[feature.dtype](count);
  }
  if (below(3) === 0) return oneOf([int64([2n ** 53n]), int64([-(2n ** 63n)]), bytes([Uint8Array.of(0xff, 0)])]);
  return VALUES[oneOf(['float32', 'int64', 'bytes'] as const)](below(3));
}

function randomRecord(spec: Spec): Uint8Array {
  const names = [...NAMES, 'i', 'v'].filter(() => below(25) > 0);
  const at = { i: int64([below(9)]), v: float([random()]) };
  const record = encodeExample({
    ...at,
    ...Object.fromEntries(
      names.map((name) => [name, randomFeature(Object.hasOwn(spec, name) ? spec[name] : undefined)]),
    ),
  });
  // Cut or damaged, now and then; or larger than what the parser of single records takes.
  if (below(20) === 0) return record.subarray(0, below(record.length));
  if (below(20) === 0) record[below(record.length)] = below(256);
  return below(40) === 0 ? encodeExample({ a: int64(Array.from({ length: 900 }, () => below(99))) }) : record;
}

/** The result of `run`, or its error, comparable. */
function outcome(run: () => unknown): unknown {
  try {
    return { value: comparable(run()) };
  } catch (error) {
    const { name, message, ...details } = error as Error;
    return { name, message, details };
  }
}

test('results and errors of 3,000 random Examples are those of parseSingleExample', () => {
  let [values, errors] = [0, 0];
  for (let i = 0; i < 300; i++) {
    const spec = randomSpec();
    const options = oneOf(OPTIONS);
    const parser = exampleParser(spec, options);
    for (let k = 0; k < 10; k++) {
      const record = randomRecord(spec);
      const found = outcome(() => parser.parse(record));
      expectEqual(
        found,
        outcome(() => parseSingleExample(record, spec, options)),
      );
      if ('value' in (found as object)) values++;
      else errors++;
    }
  }
  expect(values).toBeGreaterThan(300);
  expect(errors).toBeGreaterThan(300);
});

test('batches: results and errors are those of parseExample', async () => {
  let [values, errors] = [0, 0];
  for (let i = 0; i < 200; i++) {
    const spec = randomSpec();
    const options = oneOf(OPTIONS);
    const parser = exampleParser(spec, options);
    const records = listOf(() => randomRecord(spec), 3);
    const found = outcome(() => parser.parseBatch(records));
    expectEqual(
      found,
      outcome(() => parseExample(records, spec, options)),
    );
    if ('value' in (found as object)) values++;
    else errors++;
    for await (const batch of (await RecordReader.open(tfrecord(records))).batches()) {
      expect(batch).toBeInstanceOf(RecordBatch);
      expectEqual(
        outcome(() => parser.parseBatch(batch)),
        outcome(() => parseExample(batch, spec, options)),
      );
    }
  }
  expect(values).toBeGreaterThan(20);
  expect(errors).toBeGreaterThan(20);
});

test('SequenceExamples: results and errors are those of the functions', () => {
  const spec = {
    context: { a: fixedLen([], 'int64'), b: varLen('bytes') },
    sequence: { c: fixedLenSequence([], 'float32', { allowMissing: true }), d: ragged({ dtype: 'int64' }) },
  } as const;
  let [values, errors] = [0, 0];
  for (let i = 0; i < 300; i++) {
    const options = oneOf(OPTIONS);
    const parser = sequenceExampleParser(spec, options);
    const records = Array.from({ length: 2 }, () =>
      encodeSequenceExample({
        context: { a: int64(below(8) === 0 ? [] : [2n ** 52n * BigInt(below(3))]), b: bytes(listOf(() => 'ß')) },
        featureLists: {
          c: listOf(() => float(below(30) === 0 ? [] : [below(9)])),
          d: listOf(() => (below(30) === 0 ? float(1) : int64(listOf(() => below(9))))),
        },
      }),
    );
    for (const [run, reference] of [
      [() => parser.parse(records[0]!), () => parseSingleSequenceExample(records[0]!, spec, options)],
      [() => parser.parseBatch(records), () => parseSequenceExample(records, spec, options)],
    ] as const) {
      const found = outcome(run);
      expectEqual(found, outcome(reference));
      if ('value' in (found as object)) values++;
      else errors++;
    }
  }
  expect(values).toBeGreaterThan(50);
  expect(errors).toBeGreaterThan(50);
});

const record = encodeExample({ id: int64(7), name: 'a name' });
const other = encodeExample({ id: int64(9), name: 'another name, longer than the first' });
const SPEC = { id: fixedLen([], 'int64'), name: fixedLen([], 'text') };

test('the spec and the options are checked at once', () => {
  const make = (spec: unknown, options?: unknown) => () => exampleParser(spec as never, options as never);
  const sequence = (spec: unknown, options?: unknown) => () => sequenceExampleParser(spec as never, options as never);
  const padded = { s: fixedLenSequence([], 'int64', { allowMissing: true, default: 2n ** 60n }) };
  const invalid = expect.objectContaining({ code: 'TFR_SPEC' }) as Error;
  for (const spec of [{}, 5, undefined, { a: 5 }]) expect(make(spec)).toThrow(invalid);
  expect(make(padded, { int64: 'number' })).toThrow(invalid);
  expect(thrown(make(padded, { int64: 'number' }))).toEqual(
    thrown(() => parseSingleExample(record, padded, { int64: 'number' })),
  );
  expect(make({ a: fixedLen([], 'bytes', { default: Uint8Array.of(255) }) }, { bytes: 'text' })).toThrow(invalid);
  expect(sequence({ sequence: {} })).toThrow(invalid);
  expect(sequence({ sequence: SPEC })).toThrow(invalid);
  expect(sequence(SPEC)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }) as Error);
  for (const made of [make, sequence]) {
    const spec = made === make ? SPEC : { context: SPEC };
    expect(made(spec, { int64: 'numbers' })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }) as Error,
    );
    expect(made(spec, { text: true })).toThrow(TypeError);
    expect(made(spec, 5)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }) as Error);
  }
});

test('later changes of the spec and of the options have no effect', () => {
  const spec: Record<string, Spec[string]> = { ...SPEC };
  const options: ParseOptions = { int64: 'number' };
  const { parse, parseBatch } = exampleParser(spec, options);
  delete spec['id'];
  spec['more'] = fixedLen([], 'bytes');
  options.int64 = 'bigint';
  expect(parse(record)).toEqual({ id: 7, name: 'a name' });
  expect(parseBatch([record, other])).toEqual({
    id: Float64Array.of(7, 9),
    name: ['a name', 'another name, longer than the first'],
  });
});

test('what is no record is refused', () => {
  const { parse, parseBatch } = exampleParser(SPEC);
  for (const value of [undefined, 5, 'text', [], new Uint16Array(2), new DataView(new ArrayBuffer(2))]) {
    const run = (): unknown => parse(value as never);
    expect(run).toThrow(TypeError);
    expect(outcome(run)).toEqual(outcome(() => parseSingleExample(value as never, SPEC)));
    expect(outcome(() => parseBatch(value as never))).toEqual(outcome(() => parseExample(value as never, SPEC)));
  }
});

test('a call within a call', () => {
  const { parse, parseBatch } = exampleParser(SPEC);
  const first = { id: 7n, name: 'a name' };
  const second = { id: 9n, name: 'another name, longer than the first' };
  const inner: unknown[] = [];
  const nested = [record, other, record];
  Object.defineProperty(nested, 1, {
    get: () => {
      inner.push(parse(other), parseBatch([other, record]).id);
      expect(() => parse(encodeExample({}))).toThrow(expect.objectContaining({ code: 'TFR_FEATURE' }) as Error);
      return other;
    },
  });
  expect(parseBatch(nested).id).toEqual(BigInt64Array.of(7n, 9n, 7n));
  expect(inner.slice(0, 2)).toEqual([second, BigInt64Array.of(9n, 7n)]);
  // An error prints the argument, which may call back.
  const printed = { [inspect.custom]: () => JSON.stringify(parse(other).id.toString()) };
  expect(() => parse(printed as never)).toThrow(TypeError);
  expect(parse(record)).toEqual(first);
});

test('subclasses, false lengths, memory that is shared, detached or resizable', () => {
  const { parse } = exampleParser(SPEC);
  const expected = { id: 7n, name: 'a name' };
  class Mine extends Uint8Array {
    override get length(): number {
      return parse(other).name.length;
    }
  }
  const shared = new Uint8Array(new SharedArrayBuffer(record.length));
  shared.set(record);
  const within = new Uint8Array(record.length + 9);
  within.set(record, 5);
  for (const given of [Buffer.from(record), new Mine(record), shared, within.subarray(5, 5 + record.length)]) {
    expect(parse(given)).toEqual(expected);
  }
  const gone = record.slice();
  structuredClone(gone, { transfer: [gone.buffer] });
  expect(() => parse(gone)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }) as Error);
  expect(outcome(() => parse(gone))).toEqual(outcome(() => parseSingleExample(gone, SPEC)));
});

test('values are copies', () => {
  const spec = { name: fixedLen([], 'bytes'), ids: varLen('int64') };
  const { parse } = exampleParser(spec);
  const made = encodeExample({ name: 'a', ids: int64([1, 2]) });
  const row = parse(made);
  made.fill(0);
  expect(parse(encodeExample({ name: 'b', ids: int64([3]) })).ids).toEqual(BigInt64Array.of(3n));
  expect(row).toEqual({ name: Uint8Array.of(97), ids: BigInt64Array.of(1n, 2n) });
});

test('a parser warns once of records of another type', () => {
  const emit = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const event = Event.encode({ wallTime: 1 });
  try {
    const { parse } = exampleParser({ x: varLen('int64') });
    parse(encodeExample({ x: int64(1) }));
    expect(emit).toHaveBeenCalledTimes(0);
    parse(event);
    parse(event);
    expect(emit).toHaveBeenCalledTimes(1);
  } finally {
    emit.mockRestore();
  }
});

test('records of a file', () => {
  const { parse } = exampleParser(SPEC);
  const ids = Array.from(readRecordsSync(tfrecord([record, other])), (each) => parse(each).id);
  expect(ids).toEqual([7n, 9n]);
});
