/** `tfrecord repair`: a new file with all records that can be found, a report, and never the old file changed. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, symlinkSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { openIndexed } from '../../../lib';
import { END, PEOPLE, PeopleFolder, PLACES } from '../../support/records/people';
import { compress, flipBit, tfrecord, wholeRecords } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => folder.remove());

const whole = tfrecord(PEOPLE);
const damaged = flipBit(whole, PLACES[1]! + 1);
const kept = tfrecord(PEOPLE.filter((_, i) => i !== 1));
folder.put('damaged.tfrecord', damaged);
folder.put('whole.tfrecord', whole);

test('a damaged file: 1, the lost region on stderr, and everything else in the new file', async () => {
  const { code, stdout, stderr } = await folder.here('repair', 'damaged.tfrecord', 'out.tfrecord');
  const lost = PLACES[2]! - PLACES[1]!;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(
      `^tfrecord: warning: TFR_CORRUPT_LENGTH: .* record 1, at byte ${PLACES[1]}: .*Reading goes on at byte ${PLACES[2]}; ${lost} bytes before that cannot be read\\.`,
    ),
    `tfrecord: note: wrote ${PEOPLE.length - 1} records to out.tfrecord; ${lost} bytes in 1 region lost`,
    '',
  ]);
  expect(readFileSync(folder.at('out.tfrecord'))).toEqual(kept);
  expect(readFileSync(folder.at('damaged.tfrecord'))).toEqual(damaged);
});

test('a whole and an empty file: 0', async () => {
  const { code, stderr } = await folder.here('repair', 'whole.tfrecord', 'same.tfrecord');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `tfrecord: note: wrote ${PEOPLE.length} records to same.tfrecord; nothing was lost\n`,
  });
  expect(readFileSync(folder.at('same.tfrecord'))).toEqual(whole);
  folder.put('empty.tfrecord', Buffer.alloc(0));
  expect(await folder.here('repair', 'empty.tfrecord', 'none.tfrecord')).toMatchObject({ code: 0 });
  expect(readFileSync(folder.at('none.tfrecord'))).toHaveLength(0);
});

test('the report: as JSON, and in a file; records and regions add up to the file', async () => {
  const { code, stdout } = await folder.here(
    'repair',
    '--json',
    '--report',
    'report.json',
    'damaged.tfrecord',
    'r.tfrecord',
  );
  expect(code).toBe(1);
  const report = JSON.parse(stdout) as { records: number; bytes: number; lostBytes: number; inputBytes: number };
  expect(report).toMatchObject({
    input: 'damaged.tfrecord',
    output: 'r.tfrecord',
    compression: 'none',
    inputBytes: END,
    records: PEOPLE.length - 1,
    doubtful: 0,
    moreRegions: 0,
    regions: [
      { code: 'TFR_CORRUPT_LENGTH', start: PLACES[1], end: PLACES[2], before: 0, after: 2, inside: 0, doubtful: 0 },
    ],
  });
  expect(report.bytes + 16 * report.records + report.lostBytes).toBe(report.inputBytes);
  expect(JSON.parse(readFileSync(folder.at('report.json'), 'utf8'))).toEqual(report);
});

test('the compression is that of the damaged file, or the one asked for', async () => {
  folder.put('damaged.gz', compress(damaged, 'gzip'));
  expect(await folder.here('repair', 'damaged.gz', 'as.gz')).toMatchObject({ code: 1 });
  expect(gunzipSync(readFileSync(folder.at('as.gz')))).toEqual(kept);
  expect(await folder.here('repair', '--compression', 'none', 'damaged.gz', 'plain')).toMatchObject({ code: 1 });
  expect(readFileSync(folder.at('plain'))).toEqual(kept);
});

test('damaged data in a GZIP file of one member: the index beside it says where to go on', async () => {
  const records = Array.from({ length: 4000 }, (_, i) => `${i}: ${randomBytes(300).toString('latin1')}`);
  const bytes = compress(tfrecord(records.map((record) => Buffer.from(record, 'latin1'))), 'gzip');
  folder.put('torn.gz', bytes);
  await (await openIndexed(folder.at('torn.gz'), { checkpointBytes: 65_536, save: true })).close();
  bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 50);
  folder.put('torn.gz', bytes);
  const { code, stdout } = await folder.here('repair', '--json', 'torn.gz', 'mended.gz');
  const report = JSON.parse(stdout) as { records: number; bytes: number; lostBytes: number };
  expect({ code, report }).toMatchObject({ code: 1, report: { doubtful: 0, regions: [{ code: 'TFR_COMPRESSION' }] } });
  expect(report.records).toBeGreaterThan(2500);
  expect(report.bytes + 16 * report.records + report.lostBytes).toBe(records.length * 16 + records.join('').length);
  for (const command of [['count'], ['convert', 'converted.tfrecord']]) {
    const args = [...command.slice(0, 1), '--on-error', 'salvage', '--allow-loss', 'torn.gz', ...command.slice(1)];
    expect(await folder.here(...args)).toMatchObject({ code: 0 });
  }
  expect(wholeRecords(readFileSync(folder.at('converted.tfrecord')))).toEqual(
    wholeRecords(gunzipSync(readFileSync(folder.at('mended.gz')))),
  );
});

test('the damaged file is never written to, whatever its name', async () => {
  symlinkSync('damaged.tfrecord', folder.at('link.tfrecord'));
  linkSync(folder.at('damaged.tfrecord'), folder.at('hard.tfrecord'));
  for (const name of ['damaged.tfrecord', './damaged.tfrecord', 'link.tfrecord', 'hard.tfrecord']) {
    for (const args of [
      ['damaged.tfrecord', name],
      ['damaged.tfrecord', 'new.tfrecord', '--report', name],
    ]) {
      const { code, stderr } = await folder.here('repair', '--force', ...args);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('is an input: write to another name'),
      });
    }
  }
  expect(readFileSync(folder.at('damaged.tfrecord'))).toEqual(damaged);
  expect(existsSync(folder.at('new.tfrecord'))).toBe(false);
});

test.each([
  [['damaged.tfrecord']],
  [['damaged.tfrecord', 'whole.tfrecord']],
  [['damaged.tfrecord', '-', '--json']],
  [['damaged.tfrecord', 'x.tfrecord', '--report', 'x.tfrecord']],
  [['*.tfrecord', 'x.tfrecord']],
  [['damaged.tfrecord', 'x.tfrecord', '--compression', 'snappy']],
])('wrong arguments %j: 2, and nothing is written', async (args) => {
  expect(await folder.here('repair', ...args)).toMatchObject({ code: 2, stdout: '' });
  expect(existsSync(folder.at('x.tfrecord'))).toBe(false);
});

test('a file without any record, and a missing one: 1, and nothing is written', async () => {
  folder.put('garbage', Buffer.alloc(5000, 'g'));
  for (const name of ['garbage', 'missing']) {
    const { code, stderr } = await folder.here('repair', name, 'y.tfrecord');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tfrecord: error: /m);
    expect(existsSync(folder.at('y.tfrecord'))).toBe(false);
  }
});

test('other commands salvage, too', async () => {
  const { code, stdout } = await folder.here('count', '--on-error', 'salvage', '--allow-loss', 'damaged.tfrecord');
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${PEOPLE.length - 1}\n` });
  expect(await folder.here('cat', '--on-error', 'salvage', 'damaged.tfrecord')).toMatchObject({ code: 1 });
  await folder.here('convert', '--on-error', 'salvage', '--allow-loss', 'damaged.tfrecord', 'c.tfrecord');
  expect(readFileSync(folder.at('c.tfrecord'))).toEqual(kept);
});
