/** A full disk is never a success: every later call rejects with the first error, and no partial file is left. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RecordWriter, TFRecordError } from '../../lib';
import { compiledSources, ROOT } from '../support/compiled-sources';
import { CASE_TIMEOUT } from '../support/run-case';
import { tfrecord } from '../support/tfrecord';

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
    expect(writer.write('foo')).toBeUndefined();
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

  function run(...args: readonly string[]) {
    return runLimited(join('lifecycle', 'cases', 'disk-full.js'), args);
  }

  function runLimited(name: string, args: readonly string[]) {
    const script = join(compiledSources(), 'test', name);
    const addon = process.env['TFRECORD_NATIVE_BINDING'] ?? join(ROOT, 'build', 'Release', 'tfrecord.node');
    const command = `ulimit -f ${LIMIT_BLOCKS}; exec "$@"`;
    const result = spawnSync('sh', ['-c', command, 'sh', process.execPath, script, ...args], {
      encoding: 'utf8',
      env: { ...process.env, TFRECORD_NATIVE_BINDING: addon, NODE_OPTIONS: '' },
    });
    return {
      status: result.status,
      said: result.stdout
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
      stderr: result.stderr,
    };
  }

  const failed = { status: 0, said: [Array(6).fill('EFBIG'), true, { unhandled: 0 }], stderr: '' };

  it.each(COMPRESSIONS)(
    'leaves the old file and no temporary one: %s',
    (compression) => {
      const target = join(folder, 'a.tfrecord');
      writeFileSync(target, 'old');
      expect(run(target, 'atomic', compression)).toEqual(failed);
      expect(readdirSync(folder)).toEqual(['a.tfrecord']);
      expect(readFileSync(target, 'utf8')).toBe('old');
    },
    CASE_TIMEOUT,
  );

  it(
    'leaves nothing of a cache',
    () => {
      const source = join(folder, 'source.tfrecord');
      writeFileSync(source, tfrecord(Array.from({ length: 30 }, () => Buffer.alloc(100_000))));
      const result = runLimited(join('unit', 'dataset', 'cases', 'disk-cache.js'), [
        source,
        join(folder, 'cache'),
        'whole',
      ]);
      expect(result).toEqual({ status: 0, said: [{ code: 'EFBIG' }, { unhandled: 0 }], stderr: '' });
      expect(readdirSync(folder)).toEqual(['source.tfrecord']);
    },
    CASE_TIMEOUT,
  );

  it(
    'keeps what was written in place',
    () => {
      const target = join(folder, 'a.tfrecord');
      expect(run(target, 'in place', 'none')).toEqual(failed);
      expect(readFileSync(target).length).toBeGreaterThan(100_000);
    },
    CASE_TIMEOUT,
  );
});
