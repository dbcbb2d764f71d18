import fc from 'fast-check';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { encodeExample, encodeSequenceExample, float, int64, type TFRecordError } from '../../../lib';
import { tensorflow } from '../../../lib/example/message/messages.generated';
import { compareRecords } from '../../../lib/cli/commands/diff/compare-records';
import { pairsByKey, pairsByOrder, RecordSet } from '../../../lib/cli/commands/diff/paired-records';
import { PEOPLE, PeopleFolder } from '../../support/records/people';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const diff = (...args: string[]) => folder.here('diff', ...args);
const person = (name: string, age: number) => encodeExample({ name, age: int64(age) });

describe('tfrecord diff', () => {
  it('says that sets are equal, whatever their compression and files', async () => {
    folder.write('part-00000-of-00002', PEOPLE.slice(0, 2));
    folder.write('part-00001-of-00002', PEOPLE.slice(2));
    expect(await diff('people.tfrecord.gz', 'part@2')).toEqual({ code: 0, stdout: 'equal: 5 records\n', stderr: '' });
    expect((await diff('--key', 'name', 'people.tfrecord.gz', 'part-*')).stdout).toBe('equal: 5 records\n');
    expect(await diff('-q', 'people.tfrecord', 'people.tfrecord.gz')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('prints by order what differs', async () => {
    const changed = [PEOPLE[0]!, person('Bob', 7), encodeExample({ name: ['Cid', 'Cyd'] }), ...PEOPLE.slice(3)];
    folder.write('changed.tfrecord', [...changed, person('Flo', 5), person('Gus', 6)]);
    const { code, stdout, stderr } = await diff('people.tfrecord', 'changed.tfrecord');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(`~ people.tfrecord:1 changed.tfrecord:1
    age: 1 -> 7
~ people.tfrecord:2 changed.tfrecord:2
    name[1]: no value -> "Cyd"
    age: {"int64":[2]} -> missing
+ changed.tfrecord:5 {"features":{"age":[5],"name":["Flo"]}}
+ changed.tfrecord:6 {"features":{"age":[6],"name":["Gus"]}}
different: 2 changed: age in 2, name in 1; 0 only in a, 2 only in b (a has 5 records, b 7 records)
`);
    const limited = await diff('-m', '1', 'changed.tfrecord', 'people.tfrecord');
    expect(limited.code).toBe(1);
    expect(limited.stdout).toMatch(/^~ .*\n {4}age: 7 -> 1\n\.\.\. 3 more\ndifferent: 2 changed: .*; 2 only in a, 0 /);
    expect(await diff('-q', 'changed.tfrecord', 'people.tfrecord')).toEqual({ code: 1, stdout: '', stderr: '' });
  });

  it('prints by key what differs, whatever the order', async () => {
    folder.write('shuffled.tfrecord', [person('Eve', 4), person('Flo', 5), person('Bob', 7), PEOPLE[0]!, PEOPLE[3]!]);
    const { code, stdout } = await diff('--key', 'name', 'people.tfrecord', 'shuffled.tfrecord');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `+ "Flo" shuffled.tfrecord:1 {"features":{"age":[5],"name":["Flo"]}}
~ "Bob" people.tfrecord:1 shuffled.tfrecord:2
    age: 1 -> 7
- "Cid" people.tfrecord:2 {"features":{"age":[2],"name":["Cid"]}}
different: 1 changed: age in 1; 1 only in a, 1 only in b (a has 5 records, b 5 records)
`,
    });
  });

  it('prints JSON for programs', async () => {
    const { code, stdout } = await diff('--json', '--key', 'name', 'people.tfrecord', 'shuffled.tfrecord');
    expect(code).toBe(1);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { change: 'added', key: 'Flo', b: { file: 'shuffled.tfrecord', record: 1 } },
      {
        change: 'changed',
        key: 'Bob',
        a: { file: 'people.tfrecord', record: 1 },
        b: { file: 'shuffled.tfrecord', record: 2 },
        features: [{ feature: 'age', index: 0, a: 1, b: 7, values: 1 }],
      },
      { change: 'removed', key: 'Cid', a: { file: 'people.tfrecord', record: 2 } },
      { summary: { equal: false, recordsA: 5, recordsB: 5, changed: 1, removed: 1, added: 1, features: { age: 1 } } },
    ]);
  });

  it('prints no summary if data is damaged, and names the place', async () => {
    const { code, stdout, stderr } = await diff('people.tfrecord', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^tfrecord: error: TFR_CORRUPT_DATA: .*flipped\.tfrecord, record 3, [^\n]*\n$/);
    expect(await diff('people.tfrecord', 'none*')).toMatchObject({ code: 1, stdout: '' });
    const skip = await diff('--on-error', 'skip', '--key', 'age', 'people.tfrecord', 'flipped.tfrecord');
    expect(skip.stdout).toContain('0 changed; 1 only in a, 0 only in b');
  });

  it('refuses a record without its key, or takes it for damaged', async () => {
    folder.write('keyless.tfrecord', [
      PEOPLE[0]!,
      encodeExample({ age: int64(1) }),
      encodeExample({ name: ['a', 'b'] }),
    ]);
    const { code, stdout, stderr } = await diff('--key', 'name', 'keyless.tfrecord', 'people.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'tfrecord: error: TFR_FEATURE: Record 1 of keyless.tfrecord: the key "name": expected 1 value, found no such feature.\n',
    );
    const skip = await diff('--key', 'name', '--on-error', 'skip', 'keyless.tfrecord', 'people.tfrecord');
    expect(skip.stdout).toMatch(/0 changed; 0 only in a, 4 only in b/);
    expect(skip.stderr).toMatch(/Record 2 of keyless\.tfrecord: the key "name": expected 1 value, found 2 values/);
    const stop = await diff('--key', 'name', '--on-error', 'stop', 'keyless.tfrecord', 'people.tfrecord');
    expect(stop.stderr).not.toMatch(/Record 2/);
    expect(stop.stdout).toMatch(/4 only in b/);
  });

  it('compares records that are no Examples by their bytes', async () => {
    folder.put('raw-a', tfrecord(['abcd', PEOPLE[0]!]));
    folder.put('raw-b', tfrecord(['abXd1', 'text']));
    expect((await diff('raw-a', 'raw-b')).stdout).toMatch(
      /^~ raw-a:0 raw-b:0\n {4}from byte 2 on: 4 bytes -> 5 bytes\n~ raw-a:1 raw-b:1\n {4}from byte 0 on: /,
    );
    expect((await diff('--json', 'raw-a', 'raw-b')).stdout).toMatch(/"byte":2,"lengths":\[4,5\]}\n/);
  });

  it.each([
    [['diff', 'people.tfrecord']],
    [['diff', 'people.tfrecord', '']],
    [['diff', '-', '-']],
    [['diff', 'people.tfrecord', 'people.tfrecord', 'people.tfrecord']],
    [['diff', '--tolerance', '-1', 'people.tfrecord', 'people.tfrecord']],
    [['diff', '--tolerance', 'x', 'people.tfrecord', 'people.tfrecord']],
    [['diff', '--tolerance', '1.2.3', 'people.tfrecord', 'people.tfrecord']],
  ])('refuses %j with code 2', async (args) => {
    const { code, stdout, stderr } = await folder.here(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^tfrecord: error: [^\n]*\n(\(see --help\)\n)?$/);
  });
});

describe('compareRecords', () => {
  const one = (feature: unknown) => encodeExample({ x: feature } as never);
  const found = (a: unknown, b: unknown, tolerance = 0) => compareRecords(one(a), one(b), tolerance);

  it('compares floats as they are, or with a tolerance', () => {
    expect(found(float(NaN), float(NaN))).toBeUndefined();
    expect(found(float(-0), float(0))).toHaveLength(1);
    expect(found(float(-0), float(0), 1e-9)).toBeUndefined();
    expect(found(float(1), float(1.001), 0.01)).toBeUndefined();
    expect(found(float(1), float(1.02), 0.01)).toHaveLength(1);
    expect(found(float(1000), float(1009), 0.01)).toBeUndefined();
    expect(found(float(1000), float(1011), 0.01)).toHaveLength(1);
    for (const [a, b] of [
      [Infinity, 1e38],
      [Infinity, -Infinity],
      [NaN, 1],
    ] as const)
      expect(found(float(a), float(b), 1e30)).toHaveLength(1);
    expect(found(float(Infinity), float(Infinity), 1)).toBeUndefined();
  });

  it('tells int64 apart that are equal as numbers', () => {
    expect(found(int64(2n ** 63n - 1n), int64(2n ** 63n - 2n))).toMatchObject([{ index: 0, values: 1 }]);
  });

  it('tells missing, empty, other kinds, and where lists differ', () => {
    expect(found(int64([]), float([]))).toMatchObject([{ index: undefined }]);
    expect(compareRecords(encodeExample({}), one(int64([])), 0)).toMatchObject([{ a: undefined, index: undefined }]);
    expect(found(int64([1, 2, 3, 4]), int64([1, 5, 3]))).toMatchObject([{ index: 1, values: 2 }]);
    expect(found(['a', 'b'], ['a', 'b', 'c'])).toMatchObject([{ index: 2, values: 1 }]);
  });

  it('compares steps', () => {
    const list = (...steps: number[][]) =>
      encodeSequenceExample({ context: {}, featureLists: { s: steps.map((step) => int64(step)) } });
    expect(compareRecords(list([1], [2, 3]), list([1], [2, 4]), 0)).toMatchObject([{ step: 1, index: 1, values: 1 }]);
    expect(compareRecords(list([1]), list([1], []), 0)).toMatchObject([{ step: 1, index: undefined, a: undefined }]);
    expect(compareRecords(list(), encodeSequenceExample({ featureLists: { t: [] } }), 0)).toMatchObject([
      { feature: 's', step: undefined },
      { feature: 't', step: undefined },
    ]);
  });

  it('does not mind the order of features', () => {
    const feature = { x: { int64List: { value: [1] } }, y: { int64List: { value: [2] } } };
    const [a, b] = [feature, { y: feature.y, x: feature.x }].map((one) =>
      tensorflow.Example.encode({ features: { feature: one } }).finish(),
    );
    expect(Buffer.compare(a!, b!)).not.toBe(0);
    expect(compareRecords(a!, b!, 0)).toBeUndefined();
  });

  it('finds any one change of a list', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 9n }), { minLength: 1 }), fc.nat(), (values, at) => {
        const other = values.map((value, i) => (i === at % values.length ? value + 1n : value));
        expect(found(int64(values), int64(other))).toMatchObject([{ index: at % values.length, values: 1 }]);
        expect(found(int64(values), int64([...values]))).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});

describe('pairs', () => {
  const options = { onError: (_error: TFRecordError) => 'throw' as const };
  const pairsOf = async (a: readonly number[], b: readonly number[], maxHeld?: number): Promise<string[]> => {
    const names = ['pairs-a', 'pairs-b'];
    [a, b].forEach((ids, i) =>
      folder.write(
        names[i]!,
        ids.map((id) => encodeExample({ id: int64(id) })),
      ),
    );
    const [setA, setB] = names.map((name) => new RecordSet([folder.at(name)], options, () => undefined));
    const temporary = mkdtempSync(join(tmpdir(), 'tfrecord-test-'));
    const { signal } = new AbortController();
    const held = maxHeld === undefined ? {} : { maxHeld };
    const lines: string[] = [];
    for await (const { a: one, b: other, key } of pairsByKey(setA!, setB!, { key: 'id', temporary, signal, ...held })) {
      lines.push(`${key} ${one?.number ?? '-'} ${other?.number ?? '-'}`);
    }
    expect(readdirSync(temporary)).toEqual([]);
    return lines;
  };

  it('of equal keys are made in their order', async () => {
    expect(await pairsOf([1, 2, 1, 1, 3], [1, 4, 1])).toEqual(['1 0 0', '4 - 1', '1 2 2', '1 3 -', '2 1 -', '3 4 -']);
  });

  it('are the same through temporary files', async () => {
    const ids = fc.array(fc.nat(20), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(ids, ids, async (a, b) => {
        expect((await pairsOf(a, b, 400)).sort()).toEqual((await pairsOf(a, b)).sort());
      }),
      { numRuns: 8 },
    );
  });

  it('by order end with the longer set, over files and batches', async () => {
    const names = ['long-a', 'long-b', 'long-c'];
    const records = Array.from({ length: 4000 }, (_, id) => encodeExample({ id: int64(id), pad: 'x'.repeat(300) }));
    folder.write('long-a', records);
    folder.write('long-b', records.slice(0, 1111));
    folder.write('long-c', records.slice(1111, 3000));
    const [a, b, c] = names.map((name) => folder.at(name));
    const set = (...files: (string | undefined)[]) => new RecordSet(files as string[], options, () => undefined);
    for (const [one, other] of [
      [set(a), set(b, c)],
      [set(b, c), set(a)],
    ] as const) {
      let [both, single] = [0, 0];
      for await (const pair of pairsByOrder(one, other)) {
        if (pair.a !== undefined && pair.b !== undefined) {
          expect(Buffer.compare(pair.a.record, pair.b.record)).toBe(0);
          both++;
        } else single++;
      }
      expect([both, single]).toEqual([3000, 1000]);
    }
  });
});
