/** `append: true`: records behind those of a file. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gzipSync, inflateRawSync } from 'node:zlib';

import * as fc from 'fast-check';

import { childEnvironment, compiledSources } from '../../../support/running/compiled-sources';
import { reachableFolder, unprivileged } from '../../../support/unprivileged';
import { gzipHeaderSize } from '../../../../lib/record/index/foreign/inflate-points';
import { tfrecord } from '../../../support/records/tfrecord';
import { Dataset, encodeRecords, readRecordsSync, RecordWriter, writeRecords, type Compression } from '../../../../lib';

let folder: string;
let warnings: [string, unknown][];
let made = 0;

beforeAll(() => {
  folder = reachableFolder('tfr-append-');
  jest.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
    warnings.push([String(message), options]);
  });
});
afterAll(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  warnings = [];
});

/** A new file with `content`. */
function file(content?: Uint8Array, name = 'records'): string {
  const path = join(folder, `${name}-${made++}`);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

const texts = (path: string): string[] => [...readRecordsSync(path)].map((record) => Buffer.from(record).toString());
const append = (path: string, records: readonly string[]): Promise<unknown> =>
  writeRecords(path, records, { append: true });

describe.each<Compression>(['none', 'gzip'])('a %s file', (compression) => {
  test('goes on, again and again, and the report has its whole size', async () => {
    const path = file(encodeRecords(['a', 'b'], { compression }));
    await append(path, ['c']);
    const writer = await RecordWriter.open(path, { append: true });
    await writer.write('d');
    await writer.flush();
    expect(texts(path)).toEqual(['a', 'b', 'c', 'd']);
    await writer.sync();
    expect(await writer.close()).toMatchObject({ records: 1, bytes: 1, fileBytes: statSync(path).size });
    expect(texts(path)).toEqual(['a', 'b', 'c', 'd']);
    await append(path, []);
    expect(texts(path)).toEqual(['a', 'b', 'c', 'd']);
    expect(warnings).toEqual([]);
  });

  test('that is missing or empty is made, as its name says', async () => {
    const path = `${file()}${compression === 'gzip' ? '.gz' : ''}`;
    await append(path, ['a']);
    await append(path, ['b']);
    const empty = `${file()}${compression === 'gzip' ? '.gz' : ''}`;
    writeFileSync(empty, '');
    await append(empty, ['a']);
    await append(empty, ['b']);
    for (const each of [path, empty]) {
      expect(texts(each)).toEqual(['a', 'b']);
      expect(readFileSync(each).readUInt16BE(0) === 0x1f8b).toBe(compression === 'gzip');
    }
  });

  test('cut at any byte, keeps all whole records, and says what it trims', async () => {
    const whole = ['first', '', 'third record'];
    const content = encodeRecords(whole, { compression });
    const ends = whole.map((_, i) => encodeRecords(whole.slice(0, i + 1)).length);
    for (let cut = 0; cut < content.length; cut++) {
      warnings = [];
      const path = file(content.subarray(0, cut), compression === 'gzip' ? 'cut.gz' : 'cut');
      let before: string[] = [];
      if (cut > 0)
        before = [...readRecordsSync(path, { onError: 'stop' })].map((record) => Buffer.from(record).toString());
      await writeRecords(path, ['new'], { append: true, compression });
      expect(texts(path)).toEqual([...before, 'new']);
      if (compression === 'none') expect(before).toEqual(whole.filter((_, i) => ends[i]! <= cut));
      const torn = compression === 'none' ? cut > 0 && !ends.includes(cut) : cut > 0;
      const warning = [expect.stringContaining(path), { type: 'TFRecordWarning', code: 'TFR_TRIMMED' }];
      expect(warnings).toEqual(torn ? [warning] : []);
    }
  });

  test('gets its former length when the writer gives up', async () => {
    const content = Buffer.from(encodeRecords(['a', 'b'], { compression }));
    const path = file(content);
    const records = Array<Buffer>(40).fill(Buffer.alloc(300_000, 1));
    const writer = await RecordWriter.open(path, { append: true, level: compression === 'gzip' ? 0 : undefined });
    for (const record of records) await writer.write(record);
    await writer.flush();
    expect(statSync(path).size).toBeGreaterThan(10_000_000);
    await writer.abort();
    expect(readFileSync(path)).toEqual(content);

    const failing = (function* () {
      yield* records;
      throw new Error('no more');
    })();
    await expect(writeRecords(path, failing, { append: true })).rejects.toThrow('no more');
    expect(readFileSync(path)).toEqual(content);

    const controller = new AbortController();
    const stopped = (async function* () {
      yield* records;
      controller.abort(new Error('stop'));
      yield records[0]!;
    })();
    await expect(writeRecords(path, stopped, { append: true, signal: controller.signal })).rejects.toThrow('stop');
    expect(readFileSync(path)).toEqual(content);
    await append(path, ['c']);
    expect(texts(path)).toEqual(['a', 'b', 'c']);
  });
});

test('property: a cut file, and any records', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 20 }),
      fc.array(fc.string({ maxLength: 40 }), { maxLength: 5 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (given, added, share) => {
        const old = given.map((text) => text.toWellFormed());
        const records = added.map((text) => text.toWellFormed());
        const content = encodeRecords(old);
        const cut = Math.floor(share * content.length);
        const path = file(content.subarray(0, cut));
        await append(path, records);
        let [end, kept] = [0, 0];
        for (const text of old) {
          end += Buffer.byteLength(text) + 16;
          if (end <= cut) kept++;
        }
        expect(texts(path)).toEqual([...old.slice(0, kept), ...records]);
      },
    ),
    { numRuns: 60 },
  );
});

test('a GZIP file of one member, as TensorFlow writes it', async () => {
  const records = Array.from({ length: 2000 }, (_, i) => `record ${i}`);
  const content = gzipSync(encodeRecords(records));
  const path = file(content);
  await append(path, ['new']);
  expect(texts(path)).toEqual([...records, 'new']);
  truncateSync(path, content.length - 1000);
  const before = [...readRecordsSync(path, { onError: 'stop' })].length;
  expect(before).toBeGreaterThan(100);
  await append(path, ['new']);
  expect(texts(path)).toEqual([...records.slice(0, before), 'new']);
});

test('what is damaged elsewhere, foreign, or no file is refused, and stays as it was', async () => {
  const damaged = encodeRecords(['a', 'b', 'c']);
  damaged[17 + 2]! ^= 1;
  const cases: [Uint8Array, string][] = [
    [damaged, 'TFR_CORRUPT_LENGTH'],
    [Buffer.from('{"no": "records at all"}'), 'TFR_NOT_TFRECORD'],
    [encodeRecords(['a'], { compression: 'zlib' }), 'TFR_COMPRESSION'],
    [Buffer.concat([encodeRecords(['a'], { compression: 'gzip' }), Buffer.from('trash')]), 'TFR_TRAILING_DATA'],
  ];
  for (const [content, code] of cases) {
    const path = file(content);
    await expect(append(path, ['x'])).rejects.toMatchObject({ code, file: path });
    expect(readFileSync(path)).toEqual(Buffer.from(content));
  }
  const plain = file(encodeRecords(['a']));
  await expect(writeRecords(plain, ['b'], { append: true, compression: 'gzip' })).rejects.toMatchObject({
    code: 'TFR_COMPRESSION',
    expected: 'gzip',
    found: 'none',
  });
  await expect(append(`${file()}.zlib`, ['x'])).rejects.toMatchObject({ code: 'TFR_COMPRESSION' });
  await expect(append(folder, ['x'])).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(append(join(folder, 'none', 'x'), ['x'])).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(writeRecords(plain, [], { append: true, atomic: true })).rejects.toThrow(/options.atomic/);
  await expect(writeRecords(plain, [], { append: true, level: 3 })).rejects.toThrow(/options.level/);
  const stream = new Writable({ write: (_, __, done) => done() });
  await expect(writeRecords(stream, [], { append: true })).rejects.toThrow(/options.append/);
  await expect(Dataset.from(['a']).writeTo(file(), { append: true } as never)).rejects.toThrow(/append/);
  const missing = file();
  const writer = await RecordWriter.open(missing, { append: true });
  expect(existsSync(missing)).toBe(true);
  await writer.abort();
  expect(existsSync(missing)).toBe(false);
  const huge = Buffer.from(encodeRecords(['a', Buffer.alloc(10)]).subarray(0, 17 + 12));
  const cut = file(huge);
  await append(cut, ['b']);
  expect(texts(cut)).toEqual(['a', 'b']);
});

test('links are followed; a second writer, and another program, are noticed', async () => {
  const path = file(encodeRecords(['a']));
  const [link, hard] = [file(), file()];
  symlinkSync(path, link);
  linkSync(path, hard);
  await append(link, ['b']);
  expect(texts(path)).toEqual(['a', 'b']);
  const writer = await RecordWriter.open(path, { append: true });
  await expect(RecordWriter.open(hard, { append: true })).rejects.toMatchObject({ code: 'EBUSY' });
  await writer.write('c');
  appendFileSync(path, encodeRecords(['from elsewhere']));
  await expect(writer.close()).rejects.toMatchObject({
    code: 'EBUSY',
    message: expect.stringMatching(/Another program/),
  });
  expect(texts(path)).toEqual(['a', 'b', 'from elsewhere']);
  await append(path, ['d']);
  expect(texts(path)).toEqual(['a', 'b', 'from elsewhere', 'd']);
});

describe('a torn GZIP file', () => {
  const records = Array.from({ length: 50 }, (_, i) => `record ${i}`);
  const member = encodeRecords(records, { compression: 'gzip' });
  const torn = Buffer.concat([member, member.subarray(0, member.length - 20)]);

  test('is mended behind a link, and with atomic: false', async () => {
    const [real, link] = [file(torn), file()];
    const before = [...readRecordsSync(real, { onError: 'stop' })].length;
    expect(before).toBeGreaterThan(49);
    symlinkSync(real, link);
    await append(link, ['new']);
    const kept = texts(real);
    expect(kept.slice(0, 50)).toEqual(records);
    expect(kept).toHaveLength(before + 1);
    const inPlace = file(torn);
    await writeRecords(inPlace, ['new'], { append: true, atomic: false });
    expect(texts(inPlace)).toEqual(kept);
  });

  test('with several names is refused, and stays as it was', async () => {
    const [path, other] = [file(torn), file()];
    linkSync(path, other);
    await expect(append(path, ['new'])).rejects.toMatchObject({
      code: 'TFR_TRUNCATED',
      message: expect.stringMatching(/hard links/),
      file: path,
    });
    expect(readFileSync(path)).toEqual(torn);
    expect(warnings).toEqual([]);
  });

  test('with a wrong checksum is refused: no record gets a new one', async () => {
    const damaged = encodeRecords(['aaa', 'b'.repeat(40), 'dddd']);
    damaged[14]! ^= 0xff;
    const content = gzipSync(damaged);
    const path = file(content.subarray(0, content.length - 9));
    await expect(append(path, ['new'])).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA', file: path, record: 0 });
    expect(readFileSync(path)).toEqual(content.subarray(0, content.length - 9));
  });
});

describe('TensorFlow reads all of a GZIP file that was appended to', () => {
  const BUFFER = 262_144;
  const record = Buffer.alloc(300_000, 7);

  /** A GZIP file of one member, of `size` bytes. */
  function fileOf(size: number, name: string): string {
    const member = (length: number): Buffer => gzipSync(tfrecord([record.subarray(0, length)]), { level: 0 });
    // Two rounds, because fewer bytes may also be fewer stored blocks.
    let length = record.length;
    for (let i = 0; i < 2; i++) length -= member(length).length - size;
    expect(member(length).length).toBe(size);
    return file(member(length), name);
  }

  /** The ends of the members of `path`, which inflate one by one. */
  function ends(path: string): number[] {
    const bytes = readFileSync(path);
    const found: number[] = [];
    for (let at = 0; at < bytes.length;) {
      const begin = at + gzipHeaderSize(bytes.subarray(at))!;
      const { engine } = inflateRawSync(bytes.subarray(begin), { info: true }) as unknown as {
        engine: { bytesWritten: number };
      };
      at = begin + engine.bytesWritten + 8;
      found.push(at);
    }
    return found;
  }

  const hidden = (end: number): boolean => end % BUFFER >= 1 && end % BUFFER <= 8;

  test.each([1, 4, 8])('a member that would end %d bytes past its buffer', async (past) => {
    const added = encodeRecords(['added'], { compression: 'gzip' }).length;
    const path = fileOf(BUFFER + past - added, `past-${past}.gz`);
    await append(path, ['added']);
    await append(path, ['last']);
    expect(texts(path).slice(1)).toEqual(['added', 'last']);
    expect(ends(path)).toHaveLength(3);
    expect(ends(path).filter(hidden)).toEqual([]);
  });

  test.each([1, 8])('a file that ends %d bytes past its buffer is written anew', async (past) => {
    const path = fileOf(BUFFER + past, `ends-${past}.gz`);
    linkSync(path, `${path}.linked`);
    await expect(append(path, ['added'])).rejects.toMatchObject({
      code: 'TFR_COMPRESSION',
      found: 'one whose end TensorFlow does not read beyond',
    });
    unlinkSync(`${path}.linked`);
    await append(path, ['added']);
    expect(texts(path).slice(1)).toEqual(['added']);
    expect(ends(path).filter(hidden)).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

test('a file that is torn within its first header is what its name says', async () => {
  const header = Buffer.alloc(8);
  for (const length of [0x8b1f, 0x1d08, 0x9c78]) {
    header.writeUInt16LE(length);
    const path = file(header.subarray(0, 5));
    await append(path, ['new']);
    expect(readFileSync(path)).toEqual(Buffer.from(encodeRecords(['new'])));
  }
});

test('a link that leads nowhere gets its file', async () => {
  const [target, link] = [file(), file()];
  symlinkSync(target, link);
  await append(link, ['a']);
  await append(target, ['b']);
  expect(texts(link)).toEqual(['a', 'b']);
});

test('a file that is replaced meanwhile is an error of close, and abort leaves what has its name', async () => {
  const path = file(encodeRecords(['a']));
  const writer = await RecordWriter.open(path, { append: true });
  await writer.write('lost');
  await writeRecords(path, ['z']);
  await expect(writer.close()).rejects.toMatchObject({ code: 'EBUSY', message: expect.stringMatching(/replaced/) });
  expect(texts(path)).toEqual(['z']);

  const fresh = file();
  const maker = await RecordWriter.open(fresh, { append: true });
  await maker.write('x');
  await maker.flush();
  await writeRecords(fresh, ['precious']);
  await maker.abort();
  expect(texts(fresh)).toEqual(['precious']);
});

test('a signal ends the look at the records of the file', async () => {
  const path = file(encodeRecords(Array<string>(300_000).fill('a record')));
  const reason = new Error('enough');
  const controller = new AbortController();
  const opening = RecordWriter.open(path, { append: true, signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await expect(opening).rejects.toBe(reason);
  await append(path, ['b']);
  expect(texts(path)).toHaveLength(300_001);
});

(process.platform === 'win32' ? test.skip : test)('writers of other processes are refused', async () => {
  const path = file(encodeRecords(['a']));
  const writer = await RecordWriter.open(path, { append: true });
  const options = [{ append: true }, { atomic: false }];
  const script = `
    const { writeRecords } = require('./lib');
    const codes = ${JSON.stringify(options)}.map((options) =>
      writeRecords(${JSON.stringify(path)}, ['b'], options).then(() => 'written', (error) => error.code));
    Promise.all(codes).then((found) => console.log(JSON.stringify(found)));`;
  const output = execFileSync(process.execPath, ['-e', script], { cwd: compiledSources(), env: childEnvironment() });
  expect(JSON.parse(output.toString())).toEqual(['EBUSY', 'EBUSY']);
  await writer.write('c');
  await writer.close();
  expect(texts(path)).toEqual(['a', 'c']);
});

(process.platform === 'win32' ? describe.skip : describe)('special files', () => {
  test('a pipe and a device are refused', async () => {
    const pipe = file();
    execFileSync('mkfifo', [pipe]);
    await expect(append(pipe, ['x'])).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    await expect(append('/dev/null', ['x'])).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });

  test('a file that may not be written', async () => {
    const path = file(encodeRecords(['a']));
    chmodSync(path, 0o444);
    chmodSync(folder, 0o755);
    await unprivileged(async () => {
      await expect(append(path, ['x'])).rejects.toMatchObject({ code: 'EACCES', file: path });
    });
    expect(texts(path)).toEqual(['a']);
  });

  test('a folder in which nothing can be made', async () => {
    mkdirSync(join(folder, 'inner'));
    await expect(append(join(folder, 'inner', 'x', 'y'), ['x'])).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
