/**
 * Memory stays flat, however much is read: the bound is the same for 1 GB and for 10 GB.
 *
 * The bound is over a process that has loaded the library: loading the sources, which carry their maps, takes 42 MB here
 * and 24 MB in the package (`npm run bench` reports loading and reading together). Measured: 31 to 53 MB on a busy
 * machine. The peak is garbage: V8 delays collecting up to 32 MB of young buffers. A leak of a tenth of what is read
 * exceeds the bound at once.
 */
import { encodeExample } from '../../lib';
import { CASE_TIMEOUT, endedWell, runCase, type Ended } from '../support/running/run-case';
import { Folder, numberedRecords } from '../support/records/record-files';

/** Number of bytes to read: `npm run test:full` reads ten times as many as other runs. */
const BYTES = process.env['TFRECORD_FULL'] === '1' ? 10e9 : 1e9;
const LIMIT_MS = 300_000;
const BOUND_KIB = 80 * 1024;
/** A list of compressed files is read ahead by so much. */
const AHEAD_KIB = 16 * 1024;

jest.setTimeout(LIMIT_MS + CASE_TIMEOUT);

const folder = new Folder();
const records = numberedRecords(40_000, 100);
const plain = folder.write('records.tfrecord', records);
const gzip = folder.write('records.tfrecord.gz', records);
const large = folder.write('large.tfrecord', numberedRecords(60, 100_000));
const examples = folder.write('examples.tfrecord', asExamples(numberedRecords(20_000, 200)));
const images = folder.write('images.tfrecord', asExamples(numberedRecords(60, 100_000)));
afterAll(() => folder.remove());

function asExamples(values: readonly Uint8Array[]): Uint8Array[] {
  return values.map((data) => encodeExample({ data }));
}

function peakOf(result: Ended): number {
  expect(result).toMatchObject({ code: 0, stderr: '', said: [{ peakKiB: expect.any(Number) }, { unhandled: 0 }] });
  return (result.said[0] as { peakKiB: number }).peakKiB;
}

test.each([
  ['small records, in batches', plain, 'batches'],
  ['small records, one by one', plain, 'records'],
  ['compressed records, in batches', gzip, 'batches'],
  ['large records, in batches', large, 'batches'],
  ['small Examples, parsed', examples, 'parse-1024'],
  ['large Examples, parsed', images, 'parse-16'],
])('%s', async (_, file, lane) => {
  const bound = BOUND_KIB + (file === gzip ? AHEAD_KIB : 0);
  const idle = await runCase('stress/cases/flat-memory', { args: ['-', '0', lane] });
  const result = await runCase('stress/cases/flat-memory', { args: [file, String(BYTES), lane], limitMs: LIMIT_MS });
  const over = peakOf(result) - peakOf(idle);
  expect(result.said[0]).toMatchObject({ enough: true });
  expect(over).toBeLessThan(bound);
});

test('gzip files that an interleave has open hold no more than its budget allows', async () => {
  const result = await runCase('stress/cases/interleaved-members', { args: [folder.path] });
  expect(result).toEqual(endedWell({ seen: 2640, mib: expect.any(Number) }));
  // 113 to 130 in a process that did not write the files before, and so has no free memory of writers that readers could
  // take. It would be 244 or more if each file inflated its members ahead.
  expect((result.said[0] as { mib: number }).mib).toBeLessThan(150);
});
