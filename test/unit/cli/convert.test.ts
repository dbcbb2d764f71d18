/** The command helps people who try things that it does not do as they expect. */
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';

import { crc32c, encodeExample, Event, int64 } from '../../../lib';
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
    '--to must be given for a.xlsx: .xlsx is not a format that can be written: choose one of tfrecord, jsonl, protojson, csv, tsv, parquet, arrow, arrows, webdataset, coco, yolo, voc, boxes\n',
  ],
  [
    ['a.tfrecord.zst'],
    2,
    '--to must be given for a.tfrecord.zst: .zst is not a format that can be written: choose one of tfrecord, jsonl, protojson, csv, tsv, parquet, arrow, arrows, webdataset, coco, yolo, voc, boxes\n',
  ],
  [['out/'], 2, '"output" must be the name of a file, such as out/train.tfrecord. Received "out/"\n'],
  [
    ['b', '--split', 'train=90,eval=10'],
    2,
    '--split train must be above 0 and at most 1: all shares add up to 1. Received 90\n',
  ],
  [['b', '--shard', '3/3'], 2, '--shard: the number of this part must be an integer from 0 to 2. Received 3\n'],
  [
    ['b.csv', '--features', 'id, nam'],
    2,
    'No record has the feature "nam", which --features names. Did you mean "name"?\n',
  ],
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

test.each([
  ['out.array_record', ''],
  ['out.riegeli', ''],
  ['out.pb', ''],
  ['out.npy.gz', ''],
  ['out.DB', ''],
  ['out.geojson', ''],
  ['out.parqet', 'did you mean .parquet? Else '],
  ['out.jsonlines', 'did you mean .jsonl? Else '],
  ['out.ipc', 'did you mean .arrow? Else '],
])('the extension of another format is refused without --to: %s', async (name, spelling) => {
  const { code, stderr } = await tf('convert', 'a.tfrecord', name);
  expect(code).toBe(2);
  expect(stderr).toContain(`is not a format that can be written: ${spelling}choose one of`);
  expect(existsSync(folder.at(name))).toBe(false);
  expect((await tf('convert', 'a.tfrecord', name, '--to', 'tfrecord')).code).toBe(0);
  expect((await tf('count', name)).stdout).toContain('3');
});

test.each([
  [
    'new.records',
    'note: new.records is a TFRecord file, because .records names no other format: an option (--to) chooses one\n',
  ],
  ['new.v2.gz', 'note: new.v2.gz is a TFRecord file, because .v2 names no other format'],
])('another ending is a TFRecord, and a note says so: %s', async (name, note) => {
  const { code, stderr } = await tf('convert', 'a.tfrecord', name);
  expect([code, stderr]).toEqual([0, expect.stringContaining(note)]);
  expect((await tf('convert', 'a.tfrecord', `given-${name}`, '--to', 'tfrecord')).stderr).not.toContain('chooses one');
});

test.each(['c', 'c.tfrecord', 'c.tfrecords.gz', 'c.tfrec', 'c.tfrecord-00000-of-00001', 'c.csv'])(
  'no note about %s',
  async (name) => {
    const { code, stderr } = await tf('convert', 'a.tfrecord', name);
    expect(code).toBe(0);
    expect(stderr).not.toContain('chooses one');
  },
);

test('--from is named only for content that it has a format for', async () => {
  folder.put('page', '<!DOCTYPE html><html></html>');
  folder.put('lz4', Buffer.from('04224d1864a7000000000000', 'hex'));
  for (const name of ['page', 'lz4']) {
    const { stderr } = await tf('convert', name, 'd');
    expect(stderr).toContain('TFR_NOT_TFRECORD');
    expect(stderr).not.toContain('--from');
  }
});

test('files with wrong checksums are converted with --verify none, and come out right', async () => {
  const wrong = tfrecord(rows);
  for (let at = 0; at < wrong.length;) {
    const end = at + 12 + wrong.readUInt32LE(at);
    wrong.fill(0, at + 8, at + 12).fill(0, end, end + 4);
    at = end + 4;
  }
  folder.put('wrong.tfrecord', wrong);
  const refused = await tf('convert', 'wrong.tfrecord', 'right.tfrecord');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('the first 3 records fit by their lengths: the writer may leave checksums out.');
  expect(refused.stderr).toContain('--verify none reads them unchecked.');
  for (const to of ['right.tfrecord', 'right.jsonl', 'right.csv']) {
    expect((await tf('convert', '--verify', 'none', 'wrong.tfrecord', to)).code).toBe(0);
    expect((await tf('convert', 'a.tfrecord', `good-${to}`)).code).toBe(0);
    expect(readFileSync(folder.at(to))).toEqual(readFileSync(folder.at(`good-${to}`)));
  }
  // The checksum in a manifest is that of the output.
  const job = ['convert', 'wrong.tfrecord', 'set.tfrecord', '--shards', '1'];
  expect((await tf(...job, '--verify', 'none')).code).toBe(0);
  const manifest = JSON.parse(readFileSync(folder.at('set.tfrecord.manifest.json'), 'utf8')) as {
    outputs: { file: string; crc32c: string }[];
  };
  const [{ file, crc32c: sum }] = manifest.outputs as [{ file: string; crc32c: string }];
  expect(Number.parseInt(sum, 16)).toBe(crc32c(readFileSync(folder.at(file))));
  expect((await tf(...job, '--verify', 'none', '--resume')).stderr).toContain('up to date');
  expect((await tf(...job, '--resume')).code).toBe(2);
  expect((await tf('convert', '--verify', 'none', 'lines', 'e', '--from', 'jsonl')).stderr).toContain('only TFRecords');
});

test('lines that cat printed', async () => {
  expect((await tf('convert', 'shown.jsonl', 'b2')).stderr).toContain('a line of "tfrecord cat"');
});

test('stats by the extension of their file', async () => {
  expect((await tf('stats', 'a.tfrecord', '--json')).stdout).toMatch(/^\{"datasets".*\}\n$/);
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
      /^tfrecord: error: TFR_STATE_MISMATCH: m\.part-1-of-2\/m-00000-of-00001 is damaged: it has 10 bytes, not \d+ as its manifest says\. Run the part again: tfrecord convert --resume goes on with it\.\n$/,
    ) as string,
  });
  writeFileSync(folder.at('m.part-1-of-2/manifest.json'), '{');
  expect(await tf('merge', 'm')).toMatchObject({
    code: 1,
    stderr:
      'tfrecord: error: TFR_STATE_MISMATCH: m.part-1-of-2/manifest.json is damaged: it is not JSON. Run its job again: tfrecord convert --force begins anew.\n',
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
