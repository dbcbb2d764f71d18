/** Every example of the README runs on the compiled package and prints what the README shows. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';
import { runExample as run } from '../../support/running/run-example';

const examples = join(ROOT, 'examples');

/** The same box of COCO and of Pascal VOC. */
const ANNOTATED =
  '{"image/encoded":[{"base64":"/9j/"}],"image/filename":["dog.jpg"],"image/height":[50],"image/object/bbox/xmax":[0.6],' +
  '"image/object/bbox/xmin":[0.1],"image/object/bbox/ymax":[0.6],"image/object/bbox/ymin":[0.1],' +
  '"image/object/class/text":["dog"],"image/width":[100]}\n';

const expected: Record<string, string> = {
  'read-batches.mjs': '200 records, 49202 bytes, the longest of 264 bytes\n',
  'write-records.mjs': 'wrote 100000 records; the file is smaller\nread back 100000 records\n',
  'pipeline.mjs':
    'wrote 4000 records to 4 files\n' +
    'stopped after 10 batches; the state has less than 1,000 bytes\n' +
    '40 batches in all: each record once, in the order of an epoch without a break\n',
  'boxes.mjs':
    '2 images\n0.png, 640 x 480, 24 bytes\n  cat at 10, 20: 30 x 40\n' +
    '1.png, 640 x 480, 24 bytes\n  dog at 0, 0: 640 x 480\n  cat at 333, 222: 11 x 7\n',
  'annotations.mjs': `${ANNOTATED}${ANNOTATED}`,
  'mnist.mjs': `30 images\n${Array.from({ length: 10 }, (_, digit) => `  ${digit}: ${3 * 28 * digit}\n`).join('')}`,
  'worker-pool.mjs': '100 values, the highest 2106\n100 values, the highest 2106\n',
  'convert.mjs':
    '{"city":["Bern"],"height":[540.5],"people":[134591]}\n{"city":["Genf"],"people":[203856]}\n' +
    '{"city":["Biel, Bienne"],"height":[434.0],"people":[56896]}\n' +
    'city,height,people\nBern,540.5,134591\nGenf,,203856\n"Biel, Bienne",434.0,56896\n\n',
  'frames.mjs': '20 frames\nthe first has 255 bytes\n',
  'schematics.mjs': 'house: 3 x 2 x 2, glass at 0, 1, 1, and air at 1, 0, 0\n',
  'damaged-file.mjs':
    '19 whole records, then TFR_CORRUPT_DATA in record 19\n' +
    '19 whole records; TFR_CORRUPT_DATA in record 19, byte 5043; TFR_TRUNCATED in record 20, byte 5292\n',
};

test('read-records.mjs prints parsed records of a gzipped file', () => {
  const lines = run('read-records.mjs').split('\n');
  expect(lines[0]).toMatch(/^record 0, \d+ bytes$/);
  expect(lines).toContain('  station      "ST-01"');
  expect(lines).toContain('  elevation    4');
  expect(lines).toContain('  location     54.18, 7.88');
  expect(lines.filter((line) => /^record \d/.test(line))).toHaveLength(3);
  expect(lines.at(-2)).toBe('200 records in all');
});

test('read-records.mjs keeps int64 exact', () => {
  const received = [...run('read-records.mjs').matchAll(/ received +(\d+)/g)].map((match) => match[1]!);
  expect(received).toHaveLength(3);
  expect(received.some((value) => !Number.isSafeInteger(Number(value)))).toBe(true);
  expect(received.every((value) => value.startsWith('1709251200'))).toBe(true);
});

test.each(Object.entries(expected))('%s', (name, output) => {
  expect(run(name)).toBe(output);
});

/** True if there is a loopback interface. Without one (in a network namespace), no server can be read from. */
function reachesItself(): boolean {
  const probe = `require('net').createServer((socket) => socket.end()).listen(0, '127.0.0.1', function () {
    require('net').connect(this.address().port, '127.0.0.1', () => process.exit(0)).on('error', () => process.exit(1));
  }).on('error', () => process.exit(1));`;
  return spawnSync(process.execPath, ['-e', probe], { timeout: 30_000 }).status === 0;
}

const [overHttp, lacking] = reachesItself() ? [test, ''] : [test.skip, ' (skipped: 127.0.0.1 cannot be reached)'];
overHttp(`read-stream.mjs reads an HTTP response${lacking}`, () => {
  expect(run('read-stream.mjs')).toBe('200 records from ReadableStream\n');
});

overHttp(`json-lines-server.mjs answers with rows, and leads out of no folder${lacking}`, () => {
  expect(run('json-lines-server.mjs')).toBe(
    'serving\n200, 200 rows, the first of ST-01\n404 /nothing\n404 /..%2F..%2Fpackage.json\n404 /%E0%A4%A\n404 //\n',
  );
});

test('read-stream.mjs reads standard input', () => {
  const file = readFileSync(join(examples, 'data', 'weather.tfrecord.zlib'));
  expect(run('read-stream.mjs', ['-'], file)).toBe('200 records from standard input\n');
});

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('the README shows every example', () => {
  const names = readdirSync(examples).filter((name) => name.endsWith('.mjs'));
  expect(names.filter((name) => !readme.includes(`examples/${name}`))).toEqual([]);
});
