/**
 * Damages each byte of a header and a trailer in a file of several members that RecordWriter wrote. A path, whose
 * members are inflated in parallel, must give the same outcome as the bytes read in order.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RecordWriter } from '../../lib';
import { WAYS_TO_READ, type Outcome } from '../support/records/ways-to-read';
import { flipBit } from '../support/records/tfrecord';

const MEMBERS = 4;
const RECORD = 30_000;
const RECORDS_EACH = 4;
const HEADER = 28;
const TRAILER = 8;

let folder: string;
let path: string;
let file: Buffer;
let starts: number[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-members-'));
  path = join(folder, 'file.tfrecord.gz');
  const writer = await RecordWriter.open(path);
  for (let member = 0; member < MEMBERS; member++) {
    for (let i = 0; i < RECORDS_EACH; i++) await writer.write(Buffer.alloc(RECORD, `record ${i} of ${member}, `));
    await writer.flush();
  }
  await writer.close();
  file = readFileSync(path);
  starts = [0];
  for (let at = 0; at < file.length; starts.push(at)) at += Number(file.readBigUInt64LE(at + 16));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function outcomes(source: string | Buffer): Promise<Omit<Outcome, 'file'>[]> {
  const found: Omit<Outcome, 'file'>[] = [];
  for (const way of WAYS_TO_READ) {
    const { records, code, record, offset } = await way.run(source, {});
    found.push({ records, code, record, offset });
  }
  return found;
}

test('the file is what the cases think', async () => {
  expect(starts).toHaveLength(MEMBERS + 1);
  expect(starts.at(-1)).toBe(file.length);
  const [first] = await outcomes(path);
  expect(first?.records).toHaveLength(MEMBERS * RECORDS_EACH);
  expect(first?.code).toBeUndefined();
});

test.each([0, 1, MEMBERS - 1])('each byte of the header and of the trailer of member %i', async (member) => {
  const [from, to] = [starts[member]!, starts[member + 1]!];
  const bytes = [...Array(to - from).keys()].filter((at) => at < HEADER || at >= to - from - TRAILER);
  const codes = new Set<string | undefined>();
  for (const at of bytes) {
    const damaged = flipBit(file, from + at, at % 8);
    writeFileSync(path, damaged);
    const found = await outcomes(path);
    expect({ at, found }).toEqual({ at, found: await outcomes(damaged) });
    codes.add(found[0]?.code);
  }
  expect(codes).toContain('TFR_COMPRESSION');
  expect(codes).toContain(undefined);
});
