/** `tfrecord head` and `cat` with `--spec`. */
import {
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  ragged,
  sparse,
  specToJSON,
  varLen,
} from '../../../lib';
import { PeopleFolder, PEOPLE } from '../../support/records/people';
import { runCli } from '../../support/running/run-cli';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

function putSpec(name: string, spec: unknown): void {
  folder.put(name, Buffer.from(typeof spec === 'string' ? spec : JSON.stringify(spec)));
}

const PERSON = specToJSON({ name: fixedLen([], 'bytes'), age: fixedLen([], 'int64') });
putSpec('person.json', PERSON);

const ROWS = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve'].map((name, age) => `{"name":"${name}","age":${age}}\n`);
// A separate file with a record in the middle that has no age.
const ageless = encodeExample({ name: 'Flo' });
folder.put('ageless.tfrecord', tfrecord([...PEOPLE.slice(0, 2), ageless, ...PEOPLE.slice(2)]));
const AGELESS =
  /TFR_FEATURE: Record 2 of ageless\.tfrecord \(byte \d+\)\. Feature "age": expected 1 int64 value, found no/;

describe('tfrecord head and cat with --spec', () => {
  it('print rows, the features in the order of the spec', async () => {
    expect(await folder.run('cat', '--spec', 'person.json', 'people.tfrecord.gz')).toEqual({
      code: 0,
      signal: null,
      stdout: ROWS.join(''),
      stderr: '',
    });
    const { stdout } = await folder.run('head', '-n', '7', '--spec=person.json', 'people.tfrecord', 'people.tfrecord');
    expect(stdout).toBe([...ROWS, ...ROWS.slice(0, 2)].join(''));
  });

  it('print every kind of feature', async () => {
    putSpec(
      'kinds.json',
      specToJSON({
        id: fixedLen([], 'int64'),
        box: fixedLen([2, 2], 'float32'),
        raw: fixedLen([], 'bytes'),
        missing: fixedLen([], 'int64', { default: -(2n ** 63n) }),
        tags: varLen('bytes'),
        pairs: fixedLenSequence([2], 'int64', { allowMissing: true }),
        scores: sparse({ indexKey: ['row', 'column'], valueKey: 'amount', dtype: 'float32', size: [3, 4] }),
        words: ragged({ dtype: 'int64', valueKey: 'letters', partitions: [{ by: 'rowLengths', key: 'lengths' }] }),
        grid: ragged({ dtype: 'int64', valueKey: 'letters', partitions: [{ by: 'uniformRowLength', length: 2 }] }),
        cells: ragged({
          dtype: 'int64',
          valueKey: 'letters',
          partitions: [
            { by: 'rowLengths', key: 'halves' },
            { by: 'uniformRowLength', length: 2 },
          ],
        }),
      }),
    );
    const record = encodeExample({
      id: 2n ** 63n - 1n,
      box: float([1, 0.1, NaN, -0]),
      raw: new Uint8Array([0, 255]),
      tags: ['a', 'ü'],
      pairs: int64([1, 2, 3, 4]),
      row: int64([2, 0]),
      column: int64([3, 1]),
      amount: float([0.5, 7]),
      letters: int64([5, 6, 7, 8]),
      lengths: int64([1, 0, 3]),
      halves: int64([2, 0]),
    });
    folder.put('kinds.tfrecord', tfrecord([record]));
    const { code, stdout } = await folder.run('cat', '--spec', 'kinds.json', 'kinds.tfrecord');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        '{"id":9223372036854775807,"box":[[1.0,0.1],["NaN",-0.0]],"raw":{"base64":"AP8="},' +
        '"missing":-9223372036854775808,"tags":["a","ü"],"pairs":[[1,2],[3,4]],' +
        '"scores":{"indices":[[0,1],[2,3]],"values":[7.0,0.5],"denseShape":[3,4]},' +
        '"words":[[5],[],[6,7,8]],"grid":[[5,6],[7,8]],"cells":[[[5,6],[7,8]],[]]}\n',
    });
  });

  it('print SequenceExamples by a spec of both parts', async () => {
    putSpec('sequence.json', {
      context: specToJSON({ lang: fixedLen([], 'bytes') }),
      sequence: specToJSON({
        tokens: fixedLenSequence([], 'int64'),
        scores: varLen('float32'),
        spans: ragged({ dtype: 'int64' }),
      }),
    });
    const steps = encodeSequenceExample({
      context: { lang: 'fr' },
      featureLists: {
        tokens: [int64(3), int64(1)],
        scores: [float([0.5, 0.25]), float([])],
        spans: [int64([]), int64([1, 2])],
      },
    });
    folder.put('steps.tfrecord', tfrecord([steps]));
    const { code, stdout } = await folder.run('head', '--spec', 'sequence.json', 'steps.tfrecord');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        '{"context":{"lang":"fr"},"sequence":{"tokens":[3,1],' +
        '"scores":{"indices":[[0,0],[0,1]],"values":[0.5,0.25],"denseShape":[2,2]},"spans":[[],[1,2]]}}\n',
    });
  });

  it('take a spec of features that are called context and type for one of Examples', async () => {
    putSpec('names.json', specToJSON({ context: varLen('int64'), type: varLen('int64') }));
    putSpec('context.json', { context: specToJSON({ type: varLen('int64') }) });
    folder.put('names.tfrecord', tfrecord([encodeExample({ context: int64(1), type: int64(2) })]));
    const { stdout } = await folder.run('cat', '--spec', 'names.json', 'names.tfrecord');
    expect(stdout).toBe('{"context":[1],"type":[2]}\n');
    const { stdout: sequence } = await folder.run('cat', '--spec', 'context.json', 'names.tfrecord');
    expect(sequence).toBe('{"context":{"type":[2]},"sequence":{}}\n');
  });

  it('say places when asked, whatever features are called', async () => {
    putSpec('origin.json', specToJSON({ origin: varLen('int64') }));
    folder.put('origin.tfrecord', tfrecord([encodeExample({ origin: int64(1) })]));
    const { stdout } = await folder.run('cat', '--origin', '--spec', 'origin.json', 'origin.tfrecord');
    expect(JSON.parse(stdout)).toEqual({
      origin: { file: 'origin.tfrecord', record: 0, offset: 0, bytes: 19 },
      row: { origin: [1] },
    });
  });

  it('head cuts long lists and says so, cat does not', async () => {
    putSpec('long.json', specToJSON({ many: varLen('int64'), rows: fixedLen([40, 1], 'int64') }));
    const many = int64(Array.from({ length: 40 }, (_, i) => i));
    folder.put('long.tfrecord', tfrecord([encodeExample({ many, rows: many })]));
    const { stdout, stderr } = await folder.run('head', '--spec', 'long.json', 'long.tfrecord');
    const { many: printed, rows } = JSON.parse(stdout);
    expect([printed.slice(-2), rows.slice(-2)]).toEqual([
      [31, { more: 8 }],
      [[15], { more: 24 }],
    ]);
    expect(stderr).toContain('cut 2 long values');
    const whole = await folder.run('cat', '--spec', 'long.json', 'long.tfrecord');
    expect(JSON.parse(whole.stdout).many).toHaveLength(40);
    expect(whole.stderr).toBe('');
  });

  it('fail at a record that does not fit, behind all rows before it', async () => {
    const { code, stdout, stderr } = await folder.run('cat', '--spec', 'person.json', 'ageless.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: ROWS.slice(0, 2).join('') });
    expect(stderr).toMatch(new RegExp(`^tfrecord: error: ${AGELESS.source}`));
  });

  it('pass over such a record, or stop at it, when told so', async () => {
    const skip = await folder.run('cat', '--spec', 'person.json', '--on-error', 'skip', 'ageless.tfrecord');
    expect(skip).toMatchObject({ code: 0, stdout: ROWS.join('') });
    expect(skip.stderr).toMatch(new RegExp(`^tfrecord: warning: ${AGELESS.source}`));
    const stop = await folder.run(
      ...['cat', '--spec', 'person.json', '--on-error', 'stop', 'ageless.tfrecord', 'people.tfrecord'],
    );
    // The next file is read all the same, as after damage.
    expect(stop).toMatchObject({ code: 0, stdout: [...ROWS.slice(0, 2), ...ROWS].join('') });
    const head = await folder.run(
      ...['head', '-n', '3', '--spec', 'person.json', '--on-error', 'skip', 'ageless.tfrecord'],
    );
    expect(head.stdout).toBe(ROWS.slice(0, 3).join(''));
  });

  it('fail at a record that is no Example', async () => {
    folder.put('raw.tfrecord', tfrecord(['text']));
    const { code, stdout, stderr } = await folder.run('head', '--spec', 'person.json', 'raw.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^tfrecord: error: TFR_EXAMPLE: Record 0 of raw\.tfrecord \(byte 0\) is not an Example/);
  });

  it.each([
    ['nothing.json', undefined, /ENOENT: no such file/],
    ['broken.json', '{"id":', /JSON/],
    ['list.json', [], /TFR_SPEC: .*a spec is an object/],
    ['empty.json', {}, /TFR_SPEC: The spec has no features/],
    ['empty-parts.json', { context: {} }, /TFR_SPEC: The spec has no features/],
    ['kind.json', { id: { type: 'fixed', dtype: 'int64' } }, /TFR_SPEC: .*Feature "id": the type is "fixed"/],
    ['dtype.json', { id: { type: 'varLen', dtype: 'int32' } }, /TFR_SPEC: .*Feature "id": .*int32/],
    ['option.json', { id: { type: 'varLen', dtype: 'int64', shape: [] } }, /TFR_SPEC: .*Feature "id": .*"shape"/],
    ['part.json', { context: {}, sequence: { a: 1 } }, /TFR_SPEC: .*Feature "a": a feature is an object/],
    [
      'inexact.json',
      '{"id":{"type":"fixedLen","dtype":"int64","shape":[],"default":9007199254740993}}',
      /TFR_SPEC: .*Feature "id": .*exact/,
    ],
    [
      'twice.json',
      '{"id":{"type":"varLen","dtype":"int64"},"id":{"type":"varLen","dtype":"bytes"}}',
      /name "id" comes twice/,
    ],
  ])('refuse the spec file %s with code 2', async (name, spec, problem) => {
    if (spec !== undefined) putSpec(name, spec);
    const { code, stdout, stderr } = await folder.run('head', '--spec', name, 'people.tfrecord');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(name);
    expect(stderr).toMatch(problem);
  });

  it('take a byte order mark for none of the spec', async () => {
    putSpec('marked.json', `\uFEFF${JSON.stringify(PERSON)}`);
    expect((await folder.run('head', '-n', '1', '--spec', 'marked.json', 'people.tfrecord')).stdout).toBe(ROWS[0]);
  });

  it('refuse --kinds, which the spec says', async () => {
    const { code, stderr } = await folder.run('head', '--kinds', '--spec', 'person.json', 'people.tfrecord');
    expect(code).toBe(2);
    expect(stderr).toMatch(/--spec.*--kinds|--kinds.*--spec/);
  });

  it('are explained', async () => {
    for (const command of ['head', 'cat'])
      expect((await runCli(['help', command])).stdout).toMatch(/--spec <file>[^]*"row"/);
    expect((await runCli(['help', 'count'])).stdout).not.toContain('--spec');
  });
});
