import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';

import { compressionNumber } from '../../../lib/base';
import { DecodeOutcome, FillOutcome, LineForm, native } from '../../../lib/native';
import { encodeRecords } from '../../../lib/record';
import { testSpec } from '../../support/records/reader-spec';
import { tfrecord } from '../../support/records/tfrecord';

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-binding-'));
  path = join(folder, 'a.tfrecord');
  writeFileSync(path, tfrecord(Array.from({ length: 50_000 }, (_, index) => `record ${index}`)));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('closing twice while fills are under way settles everything', async () => {
  const handle = native().readerOpenFile(path, testSpec({ membersAhead: true }));
  const fills = Array.from({ length: 6 }, () => native().readerFill(handle, new Uint8Array(65_536)));
  const closes = [native().readerClose(handle), native().readerClose(handle)];
  expect(await Promise.all(closes)).toEqual([undefined, undefined]);
  const outcomes = (await Promise.all(fills)).map(({ outcome }) => outcome);
  // Slabs are checked side by side: one may be done although the check of an earlier one was cancelled.
  expect([FillOutcome.More, FillOutcome.Cancelled]).toEqual(expect.arrayContaining(outcomes));
  const behind = await native().readerFill(handle, new Uint8Array(65_536));
  expect(behind.outcome).toBe(FillOutcome.Cancelled);
  await native().readerClose(handle);
});

test('a handle of another kind, or none, throws', () => {
  const writer = native().writerOpen(undefined, compressionNumber('none'), 6, false, 1);
  for (const wrong of [writer, {}, undefined, 1]) {
    expect(() => native().readerSkip(wrong as never)).toThrow(/not a handle/);
  }
});

describe('records of several slabs', () => {
  const letters = (): Uint8Array => new Uint8Array(Buffer.from('abcdefgh'));
  const gather = (slabs: Uint8Array[], to: Uint8Array, ...records: number[][]): void =>
    native().gather(slabs, Uint32Array.from(records.flat()), records.length, to);

  test('are copied side by side', () => {
    const to = new Uint8Array(8).fill(46);
    gather([letters(), new Uint8Array(Buffer.from('xyz'))], to, [0, 2, 3], [1, 1, 2], [0, 8, 0], [0, 0, 1]);
    expect(String(Buffer.from(to))).toBe('cdeyza..');
  });

  test('are laid out as frames, which keep what stands in place of the checksums', () => {
    const to = new Uint8Array(40).fill(46);
    native().frame([letters()], Uint32Array.of(0, 2, 3, 0, 8, 0), 2, to, 4);
    const [length3, length0] = ['\x03', '\0'].map((first) => `${first}${'\0'.repeat(7)}`);
    expect(String(Buffer.from(to))).toBe(`....${length3}....cde....${length0}.........`);
  });

  test('that have no room as frames throw, and nothing is copied', () => {
    for (const [size, at] of [
      [20, 0],
      [24, 4],
      [24, 25],
      [24, -1],
      [24, 2 ** 40],
    ] as const) {
      const to = new Uint8Array(size);
      expect(() => native().frame([letters()], Uint32Array.of(0, 0, 5), 1, to, at)).toThrow('not records in slabs');
      expect(to).toEqual(new Uint8Array(size));
    }
  });

  test('that leave their slab, or have no room, throw, and nothing is copied', () => {
    for (const wrong of [
      [1, 0, 1],
      [0, 8, 1],
      [0, 0xffffffff, 2],
      [0, 1, 0xffffffff],
      [0, 0, 7],
    ]) {
      const to = new Uint8Array(8);
      expect(() => gather([letters()], to, [0, 0, 2], wrong)).toThrow('not records in slabs');
      expect(to).toEqual(new Uint8Array(8));
    }
  });

  test('other arguments throw', () => {
    const to = new Uint8Array(8);
    expect(() => native().gather([letters()], new Uint32Array(5), 2, to)).toThrow('not records in slabs');
    expect(() => native().gather([letters()], new Int32Array(3) as never, 1, to)).toThrow('not records in slabs');
    expect(() => native().gather([[1, 2] as never], new Uint32Array(3), 1, to)).toThrow('Uint8Array');
  });
});

test('memory that other threads can change is taken by functions that copy it only', async () => {
  const shared = new Uint8Array(new SharedArrayBuffer(64)) as Uint8Array as Uint8Array<ArrayBuffer>;
  const positions = new Int32Array(new SharedArrayBuffer(8));
  const parser = native().parserNew([], false, false);
  const reader = native().readerOpenFed(testSpec());
  for (const refused of [
    () => native().crc32c(shared, 0),
    () => native().frame([], new Uint32Array(0), 0, shared, 0),
    () => native().parserAppend(parser, shared, new Uint32Array(0), 0, 0),
    () => native().parserStart(parser, [shared], new Uint32Array(3), 1, true),
    () => native().readerFill(reader, shared),
    () => native().readerFillSync(reader, shared),
    () => native().longestRow(positions),
    () => native().encodeColumns([], new Uint32Array(positions.buffer), undefined, 1),
    () => native().encodeSlabs([shared], Uint32Array.of(1), 0, 0),
    () => native().encodeSlabs([new Uint8Array(24)], new Uint32Array(0), 0, 0),
    () => native().encodeSlabs([new Uint8Array(24)], Uint32Array.of(1), 3, 0),
    () => native().encodeSlabs([new Uint8Array(24)], Uint32Array.of(1), 0, 10),
    () => native().encodeSlabs([new Uint8Array(0)], Uint32Array.of(1), 0, 0),
    () => native().encodeColumns([], new Uint32Array(0), shared, 1),
  ]) {
    expect(refused).toThrow(/^tfrecord: /);
  }
  expect(native().parserRow(parser)(shared, new Uint8Array(64))).toBe(false);
  expect(native().parserRow(parser)(new Uint8Array(1), shared)).toBe(false);
  expect(native().exampleDecoder(false)(new Uint8Array(64), shared)).toBe(DecodeOutcome.NotOwn);
  expect(() => {
    native().gather([shared], Uint32Array.of(0, 1, 2), 1, new Uint8Array(new SharedArrayBuffer(64)));
    native().frame([shared], Uint32Array.of(0, 1, 2), 1, new Uint8Array(64), 8);
    native().readerFeed(reader, shared, false);
  }).not.toThrow();
  expect(await native().parserStart(parser, [shared], new Uint32Array(3), 1, false)).toBeUndefined();
  await native().readerClose(reader);
});

test('a parser that is at work takes no other', async () => {
  const parser = native().parserNew([], false, false);
  const start = (): Promise<unknown> =>
    native().parserStart(parser, [new Uint8Array(9)], Uint32Array.of(0, 0, 0), 1, true);
  const first = start();
  expect(start).toThrow('at work');
  for (const use of [
    () => native().parserClear(parser),
    () => native().parserAppend(parser, new Uint8Array(0), new Uint32Array(0), 0, 0),
    () => native().parserSizes(parser),
    () => native().parserTake(parser, []),
  ]) {
    expect(use).toThrow('at work');
  }
  expect(native().parserRow(parser)(new Uint8Array(1), new Uint8Array(8))).toBe(false);
  expect(await first).toBeUndefined();
  expect(await start()).toBeUndefined();
  for (const lent of [false, true]) {
    const noTag = native().parserStart(parser, [new Uint8Array(9)], Uint32Array.of(0, 0, 0, 0, 4, 2), 2, lent);
    expect(await noTag).toMatchObject({ code: 1, row: 1 });
  }
  expect(() => native().parserStart(parser, [], Uint32Array.of(0, 0, 1), 1, true)).toThrow('not records in slabs');
});

test('lines take no shared memory, and no records beyond a slab', async () => {
  const { linesNew, linesPrint } = native();
  // WebAssembly prints no lines.
  if (linesNew === undefined || linesPrint === undefined) return;
  expect(() => linesNew(4 as never, false)).toThrow('tfrecord: form of lines');
  const lines = linesNew(LineForm.Rows, false);
  const slab = Uint8Array.of(0x0a, 0);
  const frames = Uint32Array.of(0, 2, 1, 1);
  const room = new Uint8Array(64);
  const shared = new Uint8Array(new SharedArrayBuffer(2)) as Uint8Array as Uint8Array<ArrayBuffer>;
  for (const refused of [
    () => linesPrint({} as never, slab, frames, 0, 1, room),
    () => linesPrint(lines, shared, frames, 0, 1, room),
    () => linesPrint(lines, slab.subarray(1), frames, 0, 1, room),
    () => linesPrint(lines, slab, frames, 0, 3, room),
    () => linesPrint(lines, slab, frames, 2, 1, room),
    () => linesPrint(lines, slab, frames, 0, 1, shared),
  ]) {
    expect(refused).toThrow(/^tfrecord: /);
  }
  const both = [linesPrint(lines, slab, frames, 0, 2, room), linesPrint(lines, slab, frames, 0, 0, new Uint8Array(0))];
  expect(await Promise.all(both)).toEqual([
    { records: 2, bytes: 3, refused: Uint32Array.of(1, 3) },
    { records: 0, bytes: 0, refused: undefined },
  ]);
  expect(Buffer.from(room.subarray(0, 3)).toString()).toBe('{}\n');
});

test('lines of a plan take its columns only, with their shapes', () => {
  const { linesNewCsv, linesNewRows } = native();
  if (linesNewCsv === undefined || linesNewRows === undefined) return;
  const column = { key: Buffer.from('a'), section: 0, kind: 3, count: 6, required: true, fallback: undefined } as const;
  const member = { json: Buffer.from('"a":'), column: 0, shape: [2, 3], text: false };
  linesNewCsv([column], 0x2c);
  linesNewRows([column], [member], true);
  linesNewRows([{ ...column, count: -1 }], [{ ...member, shape: [] }], true);
  for (const delimiter of [0, 0x80, -1]) {
    expect(() => linesNewCsv([column], delimiter)).toThrow('tfrecord: delimiter of CSV');
  }
  expect(() => linesNewCsv([{ ...column, kind: 4 as never }], 0x2c)).toThrow('tfrecord: kind of a column');
  for (const wrong of [
    { column: 1 },
    { column: -1 },
    { shape: [2, 2] },
    { shape: [] },
    { shape: [65536, 65536, 65536, 65536] },
    { shape: [6, ...Array.from({ length: 32 }, () => 1)] },
  ]) {
    expect(() => linesNewRows([column], [{ ...member, ...wrong }], true)).toThrow('tfrecord: member of a row');
  }
});

test('a survey that is at work takes no other records, and none of shared memory or beyond a slab', async () => {
  const [survey, other] = [native().surveyNew(), native().surveyNew()];
  const frames = Uint32Array.of(0, 0, 1, 2);
  const take = (): Promise<unknown> => native().surveyTake(survey, new Uint8Array(3), frames, 0, 2);
  const first = take();
  for (const use of [
    take,
    () => native().surveyMerge(other, survey),
    () => native().surveyTotals(survey),
    () => native().surveyFeature(survey, 0),
  ]) {
    expect(use).toThrow('at work');
  }
  expect(await first).toEqual({ code: 1, row: 1 });
  expect(await native().surveyMerge(other, survey)).toBeUndefined();
  expect([...native().surveyTotals(other)]).toEqual([1, 0, 0]);
  const shared = new Uint8Array(new SharedArrayBuffer(3)) as Uint8Array as Uint8Array<ArrayBuffer>;
  for (const refused of [
    () => native().surveyTake(survey, shared, frames, 0, 1),
    () => native().surveyTake(survey, new Uint8Array(2), frames, 0, 2),
    () => native().surveyTake(survey, new Uint8Array(3), frames, 0, 3),
    () => native().surveyMerge(survey, survey),
    () => native().surveyMerge(survey, {} as never),
    () => native().surveyFeature(survey, 0),
  ]) {
    expect(refused).toThrow(/^tfrecord: /);
  }
});

test('reading begins in mid-file, at a record', async () => {
  const lengths = Array.from({ length: 100 }, (_, index) => `record ${index}`.length + 16);
  const offset = lengths.reduce((sum, length) => sum + length, 0);
  const handle = native().readerOpenFile(path, testSpec({ start: { record: 100, offset } }));
  const slab = new Uint8Array(65_536);
  const { frames, firstRecord, base } = await native().readerFill(handle, slab);
  expect({ firstRecord, base }).toEqual({ firstRecord: 100, base: offset });
  expect(String(Buffer.from(slab.subarray(frames[0], frames[0]! + frames[1]!)))).toBe('record 100');
  await native().readerClose(handle);
  // Behind the end there is none.
  const behind = native().readerOpenFile(path, testSpec({ start: { record: 100, offset: 10_000_000 } }));
  expect(await native().readerFill(behind, slab)).toMatchObject({
    outcome: FillOutcome.End,
    frames: new Uint32Array(0),
  });
  await native().readerClose(behind);
});

test.each(['none', 'gzip', 'zlib'] as const)('a slab that has its checksums is written as it is: %s', async (codec) => {
  const file = encodeRecords(['a record', 'another']);
  // A wrong checksum, which nobody may correct.
  file[file.length - 1]! ^= 1;
  const writer = native().writerOpen(undefined, compressionNumber(codec), 6, false, 1);
  const pushed = native().writerPush(writer, file, file.length, 2, false, true);
  const closed = native().writerClose(writer);
  const outputs = [(await pushed).output, (await closed).output];
  const output = Buffer.concat(outputs.flatMap((part) => part ?? []));
  const content = codec === 'none' ? output : codec === 'gzip' ? gunzipSync(output) : inflateSync(output);
  expect(content.equals(file)).toBe(true);
});

test.each([true, false])('a slab that was pushed may be changed, at once if it was copied: %s', async (copies) => {
  const file = encodeRecords(['a record', 'another']);
  const slab = Uint8Array.from(file);
  const writer = native().writerOpen(undefined, 0, 0, false, 1);
  const pushed = native().writerPush(writer, slab, slab.length, 2, copies, false);
  // Before the promise is settled, which native threads may do meanwhile.
  if (copies) slab.fill(7);
  const { output } = await pushed;
  slab.fill(7);
  expect(Buffer.from(output!).equals(file)).toBe(true);
  await native().writerAbort(writer);
});
