/** `tfrecord verify` holds files against the `dataset_info.json` of TensorFlow Datasets. */
import { PEOPLE } from '../../support/records/people';
import { Folder } from '../../support/records/record-files';
import { runHere, type HereResult } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());

const DEFAULT = '{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}';
const info = (splits: unknown): void => {
  folder.put('dataset_info.json', JSON.stringify({ name: 'my_set', version: '1.0.0', splits }));
};
const verify = (...args: string[]): Promise<HereResult> => runHere(['verify', ...args], { cwd: folder.path });

folder.write('my_set-train.tfrecord-00000-of-00002', PEOPLE.slice(0, 3));
folder.write('my_set-train.tfrecord-00001-of-00002', PEOPLE.slice(3));
const BOTH = 'my_set-train.tfrecord-*';

test.each([
  [{ shardLengths: ['3', '2'] }],
  [{ shardLengths: [3, 2], filepathTemplate: DEFAULT }],
  [{ shardLengths: ['3', '2'], filepathTemplate: '{DATASET}-{SPLIT}.tfrecord-{SHARD_INDEX}-of-{NUM_SHARDS}' }],
])('%j: the files agree', async (split) => {
  info([
    { name: 'test', shardLengths: ['9'] },
    { name: 'train', ...split },
  ]);
  expect(await verify(BOTH)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^ok: .*\nok: .*\n$/),
  });
});

test('a shard with fewer records is an error, though every checksum is right', async () => {
  info([{ name: 'train', shardLengths: ['3', '4'] }]);
  const { code, stdout } = await verify(BOTH);
  expect(code).toBe(1);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^ok: my_set-train\.tfrecord-00000-of-00002: 3 records/),
    'fault: TFR_STATE_MISMATCH: my_set-train.tfrecord-00001-of-00002 contradicts dataset_info.json: it has 4 records there, found 2 records. Fetch or write the data set again.',
    expect.stringMatching(/^incomplete or wrong: my_set-train\.tfrecord-00001-of-00002: 2 records, \d+ bytes$/),
    '',
  ]);
  const json = (await verify('--json', BOTH)).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(json[1]).toMatchObject({ records: 2, faults: [{ code: 'TFR_STATE_MISMATCH', expected: 'it has 4 records' }] });
});

test('another number of shards is an error', async () => {
  info([{ name: 'train', shardLengths: ['3', '1', '1'] }]);
  const { code, stdout } = await verify('my_set-train.tfrecord-00000-of-00002');
  expect(code).toBe(1);
  expect(stdout).toContain('the split train has 3 shards there, found one of 2.');
});

test('shards that are not there are an error for a pattern, not for a file that is named alone', async () => {
  info([{ name: 'train', shardLengths: ['3', '2'] }]);
  const one = 'my_set-train.tfrecord-00000-of-00002';
  expect((await verify(one)).code).toBe(0);
  const { code, stderr } = await verify('*-00000-of-00002');
  expect(code).toBe(1);
  expect(stderr).toBe(
    'tfrecord: error: ENOENT: 1 of 2 shards of the split train are missing, which dataset_info.json lists: my_set-train.tfrecord-00001-of-00002\n',
  );
});

test.each(['', '{', '[]', '{"splits":{}}', '{"name":"my_set","splits":[null,{"name":"train","shardLengths":["x"]}]}'])(
  'a dataset_info.json that says nothing is passed over: %j',
  async (text) => {
    folder.put('dataset_info.json', text);
    expect((await verify(BOTH)).code).toBe(0);
  },
);
