/** Indexes of other programs: a scan by them gives what any scan gives, whatever they say. Real programs: test/interop/index. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { RecordIndex } from '../../../../lib/record';
import { expectSafe, IMPORT_FORMS, mutants } from '../../../support/records/imported-mutants';
import { letters } from '../../../support/records/letters';
import { Folder } from '../../../support/records/record-files';
import { flipBit, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const RECORDS = letters(900, 700);
const CONTENT = Buffer.from(tfrecord(RECORDS));
const GZIP = Buffer.concat([gzipSync(CONTENT.subarray(0, 400_000)), gzipSync(CONTENT.subarray(400_000))]);
const FORMS = ['indexed_gzip', 'gztool'] as const;

function file(name: string, bytes: Uint8Array | string): string {
  const path = folder.at(name);
  writeFileSync(path, bytes);
  return path;
}

async function exported(path: string, form: (typeof FORMS)[number] | 'tfrecord2idx'): Promise<string> {
  await using index = RecordIndex.scan(path, { checkpointBytes: 65_536 });
  await index.export(`${path}.${form}`, form);
  return `${path}.${form}`;
}

/** The records of the index, and the saved index. */
async function contents(index: RecordIndex, name: string): Promise<{ records: string[]; saved: Buffer }> {
  const batch = await index.readBatch(Array.from({ length: index.records }, (_, at) => at));
  await index.save(folder.at(name));
  return {
    records: Array.from(batch, (record) => Buffer.from(record).toString('latin1')),
    saved: readFileSync(folder.at(name)),
  };
}

describe.each(FORMS)('%s', (form) => {
  it('gives the records', async () => {
    const path = file(`file-${form}.gz`, GZIP);
    await using index = await RecordIndex.import(await exported(path, form), path, { checkpointBytes: 65_536 });
    expect(index.faults).toEqual([]);
    const { records } = await contents(index, 'imported');
    expect(records).toEqual(RECORDS.map((record) => Buffer.from(record).toString('latin1')));
    await using again = await RecordIndex.load(folder.at('imported'), path);
    expect(Buffer.from((await again.at(-1))!).equals(Buffer.from(RECORDS.at(-1)!))).toBe(true);
  });

  it('finds the damage of its file', async () => {
    const path = file(`damaged-${form}.gz`, GZIP);
    const other = await exported(path, form);
    writeFileSync(path, flipBit(GZIP, Math.floor(GZIP.length * 0.9)));
    await using right = RecordIndex.scan(path);
    await right.done;
    await using index = await RecordIndex.import(other, path);
    expect(index.isCut).toBe(true);
    expect(index.records).toBe(right.records);
    expect(index.cut!.message).toBe(right.cut!.message);
  });

  it('is refused for a file of another length', async () => {
    const path = file(`short-${form}.gz`, GZIP);
    const other = await exported(path, form);
    writeFileSync(path, gzipSync(CONTENT.subarray(0, 716 * 10)));
    await expect(RecordIndex.import(other, path)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file: other });
  });

  it('is refused for a plain file', async () => {
    const path = file(`unzipped-${form}.gz`, gzipSync(tfrecord(['a'])));
    const other = await exported(path, form);
    writeFileSync(path, tfrecord(['aaaaaaaaaaaaaaa']));
    await expect(RecordIndex.import(other, path)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file: other });
  });
});

describe('bgzip', () => {
  it('has members where inflating begins; wrong ones change nothing', async () => {
    const parts = [0, 100_000, 300_000].map((at, i, all) => gzipSync(CONTENT.subarray(at, all[i + 1])));
    const path = file('blocks.gz', Buffer.concat(parts));
    for (const [shift, count] of [
      [0, 2n],
      [1, 2n],
    ] as const) {
      const first = BigInt(parts[0]!.length);
      const second = first + BigInt(parts[1]!.length + shift);
      const other = file(
        `blocks${shift}.gzi`,
        new Uint8Array(BigUint64Array.of(count, first, 100_000n, second, 300_000n).buffer),
      );
      await using index = await RecordIndex.import(other, path);
      expect(index.records).toBe(RECORDS.length);
      expect(index.faults).toEqual([]);
    }
  });
});

describe('tfrecord2idx', () => {
  const three = tfrecord(['a', '', 'record']);

  it.each([['0 17\n17 16\n33 22\n'], ['0 17\r\n17 16\r\n33 22']])('has the place of each record: %j', async (text) => {
    const path = file('three', three);
    await using index = await RecordIndex.import(file('three.idx', text), path);
    expect(Buffer.from((await index.at(2))!).toString()).toBe('record');
  });

  it.each([
    ['0 17\n17 16\n34 21\n', '"33 22" on line 3', '"34 21"'],
    ['0 17\n17 16\n', 'lines for 3 records', '2 lines'],
    ['0 17\n17 16\n33 22\n55 9\n', 'lines for 3 records', '"55 9" on line 4'],
    ['0 17\n17 16 \n33 22\n', '"17 16" on line 2', '"17 16 "'],
    [`0 17\n17 16\n33 22${'0'.repeat(99)}`, '"33 22" on line 3', `"33 22${'0'.repeat(35)}"`],
    ['', 'lines for 3 records', '0 lines'],
  ])('is refused where it differs: %j', async (text, expected, found) => {
    const [path, idx] = [file('three', three), file('wrong.idx', text)];
    await expect(RecordIndex.import(idx, path)).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      message: `${idx} cannot be used: expected ${expected}, found ${found}. Make it again, or remove it.`,
      file: idx,
    });
  });

  it('is the one that is exported, of more records than are compared at once', async () => {
    const path = file('many', tfrecord(Array.from({ length: 20_000 }, (_, at) => 'x'.repeat(at % 7))));
    await using index = await RecordIndex.import(await exported(path, 'tfrecord2idx'), path);
    expect(index.records).toBe(20_000);
  });

  it('does not hide damage', async () => {
    const path = file('cut', three);
    const idx = await exported(path, 'tfrecord2idx');
    writeFileSync(path, three.subarray(0, 40));
    await using index = await RecordIndex.import(idx, path);
    expect([index.records, index.isCut]).toEqual([2, true]);
  });

  it('is refused for a compressed file', async () => {
    const [path, idx] = [file('three.gz', gzipSync(three)), file('three.idx', '0 17\n17 16\n33 22\n')];
    await expect(RecordIndex.import(idx, path)).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      expected: "the index of a file with compression 'gzip'",
    });
  });
});

it.each([
  ['an index of this package', '\x89TFIDX\r\n'],
  ['other data', 'abc'],
])('refuses %s', async (found, bytes) => {
  const path = file('some', tfrecord(['a']));
  const other = file('some.other', Buffer.from(bytes, 'latin1'));
  await expect(RecordIndex.import(other, path)).rejects.toMatchObject({
    code: 'TFR_STATE_MISMATCH',
    expected: 'an index of indexed_gzip, gztool, bgzip or tfrecord2idx',
    found,
  });
});

it('ends with its signal, and names a missing index', async () => {
  const path = file('some', tfrecord(['a']));
  await expect(RecordIndex.import('x', path, { signal: AbortSignal.abort('now') })).rejects.toBe('now');
  await expect(RecordIndex.import(folder.at('missing'), path)).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(RecordIndex.import(1 as never, path)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
});

it.each(IMPORT_FORMS)('gives right records by a damaged index of %s, or refuses it', async (form) => {
  let refused = 0;
  for await (const mutant of mutants(form, 30, 7)) refused += await expectSafe(mutant);
  expect(refused).toBeGreaterThan(0);
});
