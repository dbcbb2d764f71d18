/** A full disk is never a success: every later call rejects with the first error, and no partial file is left. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { encodeExample, RecordWriter, TFRecordError } from '../../lib';
import { CASE_TIMEOUT, endedWell, runCase, type Ended } from '../support/running/run-case';
import { tfrecord } from '../support/records/tfrecord';

const COMPRESSIONS = ['none', 'gzip', 'zlib'] as const;
const onDevFull = existsSync('/dev/full') ? describe : describe.skip;

onDevFull('a device without room', () => {
  it.each(COMPRESSIONS)('fails every call with the first error: %s', async (compression) => {
    const writer = await RecordWriter.open('/dev/full', { compression });
    await writer.write('foo');
    const first = await writer.flush().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(first).toBeInstanceOf(TFRecordError);
    expect(first).toMatchObject({ code: 'ENOSPC', syscall: 'write', file: '/dev/full' });
    await expect(writer.write('bar')).rejects.toBe(first);
    await expect(writer.sync()).rejects.toBe(first);
    await expect(writer.close()).rejects.toBe(first);
    await expect(writer.write('bar')).rejects.toBe(first);
    await expect(writer.close()).rejects.toBe(first);
    await writer.abort();
  });

  it.each(COMPRESSIONS)('fails close when nothing was flushed before: %s', async (compression) => {
    const writer = await RecordWriter.open('/dev/full', { compression });
    // A slow machine may make the writer ask for a turn of the event loop.
    await writer.write('foo');
    await expect(writer.close()).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('fails the promise of a write that waits', async () => {
    const writer = await RecordWriter.open('/dev/full', { threads: 1 });
    const writing = async (): Promise<never> => {
      for (;;) await writer.write(Buffer.alloc(600_000));
    };
    await expect(writing()).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(writer.close()).rejects.toMatchObject({ code: 'ENOSPC' });
  });
});

/** Limit in the shell's blocks of 512 or 1,024 bytes: far less than the case writes. */
const LIMIT_BLOCKS = 300;

describe('a file that may not grow', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const shell = `ulimit -f ${LIMIT_BLOCKS}`;
  const run = (...args: string[]): Promise<Ended> => runCase('lifecycle/cases/limits/disk-full', { args, shell });
  const failed = endedWell(Array(6).fill('EFBIG'), true);

  it.each(COMPRESSIONS)(
    'leaves the old file and no temporary one: %s',
    async (compression) => {
      const target = join(folder, 'a.tfrecord');
      writeFileSync(target, 'old');
      expect(await run(target, 'atomic', compression)).toEqual(failed);
      expect(readdirSync(folder)).toEqual(['a.tfrecord']);
      expect(readFileSync(target, 'utf8')).toBe('old');
    },
    CASE_TIMEOUT,
  );

  it(
    'leaves nothing of a cache',
    async () => {
      const source = join(folder, 'source.tfrecord');
      writeFileSync(source, tfrecord(Array.from({ length: 30 }, () => Buffer.alloc(100_000))));
      const args = [source, join(folder, 'cache'), 'whole'];
      const result = await runCase('unit/dataset/cases/disk-cache', { args, shell });
      expect(result).toEqual(endedWell({ code: 'EFBIG' }));
      expect(readdirSync(folder)).toEqual(['source.tfrecord']);
    },
    CASE_TIMEOUT,
  );

  it.each(['a.tfrecord', 'a.tfrecord.gz', 'a.parquet', 'a.arrow', 'a.jsonl'])(
    'leaves nothing of a conversion, and has its name in the error: %s',
    async (name) => {
      const noise = Array.from({ length: 30 }, () => encodeExample({ noise: randomBytes(100_000) }));
      writeFileSync(join(folder, 'source.tfrecord'), tfrecord(noise));
      const file = join(folder, name);
      const args = [join(folder, 'source.tfrecord'), file];
      const result = await runCase('lifecycle/cases/limits/convert-full', { args, shell });
      expect(result).toEqual(endedWell({ code: 'EFBIG', file, message: `EFBIG: file too large, write '${file}'` }));
      expect(readdirSync(folder)).toEqual(['source.tfrecord']);
    },
    CASE_TIMEOUT,
  );

  it(
    'keeps what was written in place',
    async () => {
      const target = join(folder, 'a.tfrecord');
      expect(await run(target, 'in place', 'none')).toEqual(failed);
      expect(readFileSync(target).length).toBeGreaterThan(100_000);
    },
    CASE_TIMEOUT,
  );
});
