/** Native code infers the columns that JavaScript infers, with its errors and questions to policies. */
import fc from 'fast-check';
import { inspect } from 'node:util';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  float,
  int64,
  type FeatureLike,
  type OnError,
} from '../../../lib';
import { native } from '../../../lib/native';
import type { ReadOptions } from '../../../lib/record';
import { nativeFile, nativeSampleTable } from '../../../lib/sql/native-sample';
import { sampleTable } from '../../../lib/sql/sample-table';
import { readableFilesSync, resolveReadOptions } from '../../../lib/record';
import type { Table } from '../../../lib/table';
import { predictLog } from '../../support/examples/foreign-records';
import { Folder } from '../../support/records/record-files';
import { flipBit, tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

type Sampler = (paths: readonly string[], options: ReadOptions) => Table;

/** The columns, or the error; and the errors that `policy` was asked about. */
function outcome(sample: Sampler, paths: readonly string[], policy?: 'throw' | 'skip' | 'stop' | 'salvage'): string {
  const asked: string[] = [];
  const onError: OnError | undefined =
    policy === undefined || policy === 'salvage'
      ? policy
      : ({ message }) => {
          asked.push(message);
          return policy;
        };
  try {
    const { columns, sequenceExample } = sample(paths, { onError });
    return inspect({ columns, sequenceExample, asked }, { depth: 5, maxArrayLength: null });
  } catch (error) {
    const { code, message, record, offset, feature } = error as Record<string, unknown>;
    return inspect({ code, message, record, offset, feature, asked });
  }
}

/** Expects the same of both. Returns it. */
function same(paths: readonly string[], policy?: 'throw' | 'skip' | 'stop' | 'salvage'): string {
  const found = outcome(nativeSampleTable, paths, policy);
  expect(found).toBe(outcome(sampleTable, paths, policy));
  return found;
}

/** True if native code infers the columns of `paths` itself. */
function isNative(paths: readonly string[]): boolean {
  const files = readableFilesSync(paths, resolveReadOptions({})).map(nativeFile);
  return native().duckdbSample?.(files) !== undefined;
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('\t', '\u007f', '\u0085', '\u00a0', 'a\0', '\ufeffx'),
);
const features = {
  i: fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 2 }).map(int64),
  f: fc.array(fc.float(), { maxLength: 2 }).map((all) => float(all)),
  one: fc.integer().map((value) => int64(value)),
  t: fc.array(text, { maxLength: 2 }).map(bytes),
  '\uffee': fc.uint8Array({ maxLength: 3 }).map((value) => bytes([value])),
  '😀': text,
  '\ud7ff': text,
} satisfies Record<string, fc.Arbitrary<FeatureLike>>;
const row = fc.record(features, { requiredKeys: [] });

test('of Examples, in the order of names', () => {
  const property = fc.property(fc.array(fc.array(row, { maxLength: 6 }), { minLength: 1, maxLength: 3 }), (files) => {
    const paths = files.map((rows, i) =>
      folder.write(
        `e-${i}.gz`,
        rows.map((each) => encodeExample(each)),
      ),
    );
    same(paths);
    expect(isNative(paths)).toBe(native().duckdbSample !== undefined);
  });
  fc.assert(property, { numRuns: 100 });
  expect(same([folder.write('names', [encodeExample({ '\uffee': 'a', '😀': 'a', '\ud7ff': 'a', b: 'x' })])])).toMatch(
    /name: 'b'.*name: '\ud7ff'.*name: '😀'.*name: '\uffee'/su,
  );
});

test('of SequenceExamples, whose features may have no type', () => {
  const lists = fc.record(
    { a: fc.array(features.i, { maxLength: 3 }), b: fc.array(features.one, { maxLength: 3 }), i: fc.array(features.t) },
    { requiredKeys: [] },
  );
  const property = fc.property(fc.array(fc.tuple(row, lists), { maxLength: 5 }), (rows) => {
    const records = rows.map(([context, featureLists]) => encodeSequenceExample({ context, featureLists }));
    same([folder.write('s', records)]);
  });
  fc.assert(property, { numRuns: 100 });
});

test('of the first records only', () => {
  const rows = Array.from({ length: 1002 }, (_, i) => encodeExample(i < 1000 ? { a: int64(i) } : { b: int64(i) }));
  expect(same([folder.write('limit', rows)])).not.toContain("name: 'b'");
  expect(same([folder.write('below', rows.slice(2))])).toContain("name: 'b'");
  const large = Array.from({ length: 4 }, (_, i) => encodeExample({ [`x${i}`]: Buffer.alloc(6 << 20) }));
  const sized = same([folder.write('large', large)]);
  expect(sized).toContain("name: 'x2'");
  expect(sized).not.toContain("name: 'x3'");
});

describe('with faults', () => {
  const good = encodeExample({ a: int64(1) });
  const whole = tfrecord([good, good, encodeExample({ b: 'x' })]);
  const files: Readonly<Record<string, readonly string[]>> = {
    missing: [folder.at('missing')],
    'missing later': [folder.write('good', [good]), folder.at('missing')],
    folder: [folder.path, folder.at('good')],
    none: [],
    empty: [folder.put('empty', '')],
    text: [folder.put('text', 'a text without records')],
    'text later': [folder.at('good'), folder.at('text'), folder.write('other', [encodeExample({ c: int64(3) })])],
    cut: [folder.put('cut', whole.subarray(0, -3)), folder.at('other')],
    'damaged data': [folder.put('data', flipBit(whole, 13)), folder.at('other')],
    'damaged length': [folder.put('length', flipBit(whole, 2)), folder.at('other')],
    'no Example': [folder.write('none', [Buffer.from('no Example'), good])],
    foreign: [folder.write('foreign', [predictLog, good])],
    'foreign later': [folder.write('later', [good, predictLog, encodeExample({ b: 'x' })])],
    mixed: [folder.write('mixed', [good, encodeExample({ a: 'x' })])],
    'mixed later': [folder.write('far', [...Array<Uint8Array>(1000).fill(good), encodeExample({ a: 'x' })])],
  };
  const cases = Object.keys(files).flatMap((name) =>
    ([undefined, 'throw', 'skip', 'stop', 'salvage'] as const).map((policy) => [name, policy] as const),
  );
  test.each(cases)('%s, policy %s', (name, policy) => {
    same(files[name]!, policy);
  });
});
