/** The command helps people who try things that it does not do as they expect. */
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';

import { encodeExample, Event, int64 } from '../../../lib';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { runHere, type HereResult } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());
const rows = [1, 2, 3].map((id) => encodeExample({ id: int64([id]), name: `n${id}` }));
folder.put('a.tfrecord', tfrecord(rows));
folder.put('events', tfrecord([Event.encode({ wallTime: 1, fileVersion: 'brain.Event:2' })]));
folder.put('lines', '{"id":1}\n');
folder.put('shown.jsonl', '{"features":{"id":[1]}}\n');
mkdirSync(folder.at('folder'));
const tf = (...args: string[]): Promise<HereResult> => runHere(args, { cwd: folder.path });

test.each([
  [['a.json'], 2, '--to must be given for a.json: JSON Lines have the extension .jsonl or .ndjson\n'],
  [
    ['a.xlsx'],
    2,
    '--to must be given for a.xlsx: .xlsx is not a format that can be written: choose one of tfrecord, jsonl, protojson, csv, tsv, parquet, arrow, arrows\n',
  ],
  [
    ['a.tfrecord.zst'],
    2,
    '--to must be given for a.tfrecord.zst: .zst is not a format that can be written: choose one of tfrecord, jsonl, protojson, csv, tsv, parquet, arrow, arrows\n',
  ],
  [['out/'], 2, '"output" must be the name of a file, such as out/train.tfrecord. Received "out/"\n'],
  [
    ['b', '--split', 'train=90,eval=10'],
    2,
    '--split train must be above 0 and at most 1: all shares add up to 1. Received 90\n',
  ],
  [['b', '--shard', '3/3'], 2, '--shard: the number of this part must be an integer from 0 to 2. Received 3\n'],
  [['b.csv', '--features', 'id, nam'], 2, 'No record has the feature "nam", which --features names.\n'],
  [['folder'], 2, "EISDIR: 'folder' is a folder. Name a file in it: folder/out.tfrecord\n"],
  [
    ['a*b'],
    2,
    '"output" must be the name of one file, without * and ?, which are for the names of inputs. Received "a*b"\n',
  ],
  [['b\ufffd'], 2, 'the output b\ufffd has a name that is no UTF-8: choose another\n'],
])('convert a.tfrecord %j', async (args, code, message) => {
  const found = await tf('convert', 'a.tfrecord', ...args);
  expect(found).toEqual({ code, stdout: '', stderr: `tfrecord: error: ${message}` });
});

test('a seed that is none is refused by the name of its option', async () => {
  const { code, stderr } = await tf('convert', 'a.tfrecord', 'b', '--shuffle', '99999999999999999999');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/option '--shuffle <seed>'.* from -2\^63 to 2\^64 - 1/)]);
});

test('names with blanks behind the commas', async () => {
  expect(await tf('convert', 'a.tfrecord', '-', '--to', 'csv', '--features', 'id, name')).toMatchObject({
    code: 0,
    stdout: 'id,name\n1,n1\n2,n2\n3,n3\n',
  });
});

test.each(['parquet', 'arrow', 'csv', 'jsonl'])('Events are refused by name: %s', async (to) => {
  const { code, stderr } = await tf('convert', 'events', `events.${to}`);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/TFR_EXAMPLE: Record 0 of events .*an Event/)]);
});

test('files of other formats without an extension, and folders that have no pictures', async () => {
  expect((await tf('convert', 'lines', 'b')).stderr).toContain('it looks like JSON text. --from says its format.\n');
  expect((await tf('convert', 'lines', 'b', '--from', 'jsonl')).code).toBe(0);
  expect((await tf('convert', '.', '../b')).stderr).toContain(
    "A folder is read as one of pictures: to read other files in it, name them, as '*'.\n",
  );
});

test('lines that cat printed', async () => {
  expect((await tf('convert', 'shown.jsonl', 'b2')).stderr).toContain('a line of "tfrecord cat"');
});

test('stats by the extension of their file', async () => {
  expect((await tf('stats', 'a.tfrecord', '--json')).stdout).toMatch(/^\{\n {2}"datasets"/);
  expect(await tf('stats', 'a.tfrecord', '-o', 'stats.json')).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(folder.at('stats.json'), 'utf8')).toMatch(/^\{\n {2}"datasets"/);
  expect((await tf('stats', 'a.tfrecord', '--json', '--as', 'pb')).code).toBe(2);
});

test('what other commands do', async () => {
  expect(await tf('merge', 'b\ufffd')).toMatchObject({ code: 2, stderr: expect.stringContaining('no UTF-8') });
  expect((await tf('merge', 'a', 'b', 'c')).stderr).toContain('other files: tfrecord convert IN... OUT');
  expect((await tf('split', 'a')).stderr).toContain('(tfrecord convert --split train=0.9,eval=0.1 does that)');
  expect((await tf('a.tfrecord')).stderr).toContain('tfrecord head a.tfrecord');
});

test('SQL over the name of a file', async () => {
  const { code, stderr } = await tf('sql', "SELECT * FROM 'a.tfrecord'");
  expect([code, stderr]).toEqual([2, expect.stringContaining("read_tfrecord('a.tfrecord') reads TFRecord")]);
});

test('a schema that is some other text', async () => {
  writeFileSync(folder.at('table.csv'), 'a,b\n1,2\n');
  const { code, stderr } = await tf('head', '--spec', 'table.csv', 'a.tfrecord');
  expect([code, stderr]).toEqual([2, expect.stringContaining('neither JSON nor the text of a Schema')]);
});

test('a device is no file of the report', async () => {
  const { stderr } = await tf('convert', 'a.tfrecord', '/dev/null');
  expect(stderr).toMatch(/^tfrecord: note: 3 records, \d+ bytes; it took /);
});

test('brackets that are nested too deeply', async () => {
  folder.put('deep.jsonl', `{"a":${'['.repeat(200_000)}}\n`);
  expect(await tf('convert', 'deep.jsonl', 'deep.tfrecord')).toMatchObject({
    code: 1,
    stderr: 'tfrecord: error: TFR_DECODE: Line 1 of deep.jsonl: its lists or objects are nested too deeply\n',
  });
});

test.each(['jsonl', 'protojson'])('a name that is no UTF-8, to %s', async (to) => {
  const feature = Buffer.from([0x0a, 1, 0xff, 0x12, 5, 0x1a, 3, 0x0a, 1, 5]);
  const features = Buffer.from([0x0a, feature.length, ...feature]);
  folder.put('name.tfrecord', tfrecord([Buffer.from([0x0a, features.length, ...features])]));
  const { code, stderr } = await tf('convert', 'name.tfrecord', `name-${to}.jsonl`, '--to', to);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^tfrecord: error: TFR_EXAMPLE: Record 0 of name.tfrecord \(byte 0\) is not .*: a name is no UTF-8 at byte 6\.\n$/,
  );
});

test('merge of damaged parts', async () => {
  for (const part of ['0/2', '1/2'])
    expect(await tf('convert', 'a.tfrecord', 'm', '--shard', part)).toMatchObject({ code: 0 });
  truncateSync(folder.at('m.part-1-of-2/m-00000-of-00001'), 10);
  expect(await tf('merge', 'm')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^tfrecord: error: TFR_STATE_MISMATCH: m\.part-1-of-2\/m-00000-of-00001 is damaged: it has 10 bytes, not \d+ as its manifest says\. Run the part again: --resume goes on with it\.\n$/,
    ) as string,
  });
  writeFileSync(folder.at('m.part-1-of-2/manifest.json'), '{');
  expect(await tf('merge', 'm')).toMatchObject({
    code: 1,
    stderr:
      'tfrecord: error: TFR_STATE_MISMATCH: m.part-1-of-2/manifest.json is damaged: it is not JSON. Run its job again: --force begins anew.\n',
  });
});

test('Parquet of records that all are skipped: each is reported, and there is no file', async () => {
  folder.write('malformed', [Uint8Array.of(0x0a, 0xff, 1), Uint8Array.of(0x0a, 0xff, 2)]);
  const { code, stderr } = await tf('convert', '--on-error', 'skip', 'malformed', 'none.parquet');
  const [first, second, last, ...rest] = stderr.split('\n');
  expect([code, rest]).toEqual([1, ['']]);
  expect([first, second]).toEqual([0, 1].map((n) => expect.stringContaining(`warning: TFR_EXAMPLE: Record ${n} of`)));
  expect(last).toContain('none.parquet would have no column');
  expect(existsSync(folder.at('none.parquet'))).toBe(false);
});
