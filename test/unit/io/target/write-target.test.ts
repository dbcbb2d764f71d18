import { execFileSync } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  createReadStream,
} from 'node:fs';
import { devNull } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { countRecords, RecordWriter, TFRecordError } from '../../../../lib';
import { onLinux } from '../../../support/on-linux';
import { endedWell, runCase } from '../../../support/running/run-case';
import { FOO } from '../../../support/records/tfrecord';
import { reachableFolder, unprivileged } from '../../../support/unprivileged';

const onWindows = process.platform === 'win32' ? it : it.skip;

let folder: string;
beforeEach(() => {
  folder = reachableFolder('write-target-');
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function path(name = 'a.tfrecord'): string {
  return join(folder, name);
}

test.each(['part-*', 'part-?.tfrecord', '*'])('a pattern names no file to write: %s', async (name) => {
  const error = { code: 'ERR_INVALID_ARG_VALUE', message: expect.stringContaining('not a pattern') as string };
  await expect(RecordWriter.open(path(name))).rejects.toMatchObject(error);
  expect(readdirSync(folder)).toEqual([]);
});

onLinux('a URL, and a folder, may have any name', async () => {
  mkdirSync(path('what?'));
  for (const target of [pathToFileURL(path('part-*')), join(path('what?'), 'a.tfrecord')]) {
    const writer = await RecordWriter.open(target);
    await writer.close();
  }
  expect(readdirSync(folder).sort()).toEqual(['part-*', 'what?']);
});

function hex(name = 'a.tfrecord'): string {
  return readFileSync(path(name)).toString('hex');
}

/** The process's warnings during this test only. */
function heardWarnings(): { codes: () => Promise<(string | undefined)[]>; messages: () => string[] } {
  const emitted: [string, NodeJS.EmitWarningOptions?][] = [];
  jest.spyOn(process, 'emitWarning').mockImplementation((warning, options) => {
    emitted.push([String(warning), options as unknown as NodeJS.EmitWarningOptions]);
  });
  return {
    codes: async () => {
      await turn();
      return emitted.map(([, options]) => options?.code);
    },
    messages: () => emitted.map(([message]) => message),
  };
}

async function writeFoo(target: string | URL, atomic?: boolean): Promise<void> {
  const writer = await RecordWriter.open(target, { atomic });
  await writer.write('foo');
  await writer.close();
}

describe('an atomic file', () => {
  it('appears when it is closed, from a hidden name beside it', async () => {
    writeFileSync(path(), 'old');
    const writer = await RecordWriter.open(path());
    await writer.write('foo');
    await writer.sync();
    expect(readFileSync(path(), 'utf8')).toBe('old');
    const [temporary] = readdirSync(folder).filter((name) => name !== 'a.tfrecord');
    expect(temporary).toMatch(new RegExp(`^\\.a\\.tfrecord\\.${process.pid}-[0-9a-f]{12}\\.tmp$`));
    await writer.close();
    expect(hex()).toBe(FOO);
    expect(readdirSync(folder)).toEqual(['a.tfrecord']);
  });

  it('leaves the old file when it is aborted', async () => {
    writeFileSync(path(), 'old');
    const writer = await RecordWriter.open(path());
    await writer.write('foo');
    await writer.abort();
    expect(readFileSync(path(), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.tfrecord']);
  });

  it('keeps the mode of the file it replaces', async () => {
    writeFileSync(path(), 'old');
    chmodSync(path(), 0o640);
    await writeFoo(path());
    expect(statSync(path()).mode & 0o777).toBe(0o640);
  });

  it('may be written by two writers at a time: the last to close wins, whole, and warns', async () => {
    const warnings = heardWarnings();
    const writers = await Promise.all([RecordWriter.open(path()), RecordWriter.open(path())]);
    await writers[0].write('foo');
    await writers[1].write('something longer');
    await writers[1].close();
    expect(await warnings.codes()).toEqual([]);
    await writers[0].close();
    expect(await warnings.codes()).toEqual(['TFR_REPLACED']);
    expect(warnings.messages()[0]).toContain(`${path()} was written by another writer while`);
    expect(hex()).toBe(FOO);
    expect(readdirSync(folder)).toEqual(['a.tfrecord']);
  });

  it('warns of a file that somebody changed or made meanwhile, and of no other', async () => {
    const warnings = heardWarnings();
    await writeFoo(path());
    await writeFoo(path());
    const first = await RecordWriter.open(path());
    await first.abort();
    const second = await RecordWriter.open(path());
    rmSync(path());
    await second.close();
    expect(await warnings.codes()).toEqual([]);
    const third = await RecordWriter.open(path());
    writeFileSync(path(), 'longer than it was');
    await third.close();
    const fourth = await RecordWriter.open(path('new'));
    writeFileSync(path('new'), '');
    await fourth.close();
    expect(await warnings.codes()).toEqual(['TFR_REPLACED', 'TFR_REPLACED']);
  });

  it('appears in its folder though that was renamed, and nothing stays behind', async () => {
    mkdirSync(path('before'));
    const closed = await RecordWriter.open(path('before/closed'));
    const aborted = await RecordWriter.open(path('before/aborted'));
    renameSync(path('before'), path('after'));
    mkdirSync(path('before'));
    await closed.write('foo');
    await closed.close();
    await aborted.abort();
    expect(readdirSync(path('after'))).toEqual(['closed']);
    expect(readdirSync(path('before'))).toEqual([]);
    expect(hex('after/closed')).toBe(FOO);
  });

  it('fails when its folder is deleted', async () => {
    mkdirSync(path('gone'));
    const writer = await RecordWriter.open(path('gone/a'));
    rmSync(path('gone'), { recursive: true });
    await expect(writer.close()).rejects.toMatchObject({ code: 'ENOENT', file: path('gone/a') });
    expect(readdirSync(folder)).toEqual([]);
  });

  onLinux('may have a path as long as the system takes', async () => {
    const step = `/${'d'.repeat(200)}`;
    let deep = folder;
    while (deep.length + step.length < 4_050) deep += step;
    mkdirSync(deep, { recursive: true });
    for (const bytes of [4_072, 4_073, 4_080, 4_094, 4_095]) {
      const target = `${deep}/${'n'.repeat(bytes - deep.length - 1)}`;
      for (const atomic of [true, false]) await writeFoo(target, atomic);
      expect(readFileSync(target).toString('hex')).toBe(FOO);
    }
    expect(readdirSync(deep)).toHaveLength(5);
    const tooLong = `${deep}/${'n'.repeat(4_096 - deep.length - 1)}`;
    await expect(writeFoo(tooLong)).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
  });

  onLinux('needs no right to list its folder', async () => {
    mkdirSync(path('drop'));
    chmodSync(folder, 0o755);
    chmodSync(path('drop'), 0o333);
    await unprivileged(() => writeFoo(path('drop/a')));
    chmodSync(path('drop'), 0o755);
    expect(readdirSync(path('drop'))).toEqual(['a']);
  });

  onLinux.each([
    ['written to', 0o555],
    ['entered', 0o000],
  ])('fails alone when its folder may no longer be %s', async (_, mode) => {
    chmodSync(folder, 0o777);
    await unprivileged(async () => {
      mkdirSync(path('shut'));
      const names = ['shut/closed', 'shut/aborted', 'other'];
      const [closed, aborted, other] = await Promise.all(names.map((name) => RecordWriter.open(path(name))));
      await closed!.write('foo');
      chmodSync(path('shut'), mode);
      const error = { code: 'EACCES', syscall: 'rename', file: path('shut/closed') };
      await expect(closed!.close()).rejects.toMatchObject(error);
      await aborted!.abort();
      await other!.write('foo');
      await other!.close();
      chmodSync(path('shut'), 0o755);
    });
    expect(hex('other')).toBe(FOO);
  });

  onLinux('lets the process end when its folder may no longer be written to', async () => {
    chmodSync(folder, 0o777);
    const flags = ['--no-warnings'];
    const result = await runCase('lifecycle/cases/exit/folder-shut', { args: [folder], flags });
    expect(result).toEqual(endedWell('opened'));
    chmodSync(path('shut'), 0o755);
  });

  it('goes where its name led when it was opened', async () => {
    mkdirSync(path('elsewhere'));
    const before = process.cwd();
    try {
      process.chdir(folder);
      const writer = await RecordWriter.open('a.tfrecord');
      process.chdir(path('elsewhere'));
      await writer.write('foo');
      await writer.close();
    } finally {
      process.chdir(before);
    }
    expect(hex()).toBe(FOO);
    expect(readdirSync(path('elsewhere'))).toEqual([]);
  });

  it('is named by a file URL, too', async () => {
    await writeFoo(pathToFileURL(path('ü %41.tfrecord')));
    expect(hex('ü %41.tfrecord')).toBe(FOO);
  });
});

describe('in place', () => {
  /** Makes a link to `target` called `name`, and returns the name. */
  function linked(link: (target: string, name: string) => void, target: string, name: string): string {
    link(target, name);
    return name;
  }

  it.each([
    ['the same name', (name: string) => name],
    ['a relative name', (name: string) => relative(process.cwd(), name)],
    ['a symbolic link', (name: string) => linked(symlinkSync, name, `${name}.symbolic`)],
    ['a hard link', (name: string) => linked(linkSync, name, `${name}.hard`)],
    [
      'a link to its folder',
      (name: string) => join(linked(symlinkSync, dirname(name), `${dirname(name)}.folder`), basename(name)),
    ],
  ])('refuses a second writer of the same file by %s, until the first has ended', async (_, named) => {
    writeFileSync(path(), 'old');
    try {
      const other = named(path());
      for (const end of ['close', 'abort'] as const) {
        const writer = await RecordWriter.open(path(), { atomic: false });
        await writer.write('foo');
        await writer.flush();
        for (const atomic of [true, false]) {
          await expect(RecordWriter.open(other, { atomic })).rejects.toMatchObject({
            code: 'EBUSY',
            file: other,
            message: expect.stringContaining('Another RecordWriter writes it in place') as string,
          });
        }
        expect(hex()).toBe(FOO);
        await writer[end]();
        expect(hex()).toBe(FOO);
      }
      const again = await RecordWriter.open(other, { atomic: false });
      await again.close();
      expect(hex()).toBe('');
    } finally {
      rmSync(`${folder}.folder`, { force: true });
    }
  });

  it('lets an atomic writer, opened before, replace it with a warning', async () => {
    const warnings = heardWarnings();
    const atomic = await RecordWriter.open(path());
    const inPlace = await RecordWriter.open(path(), { atomic: false });
    await atomic.write('foo');
    await atomic.close();
    await inPlace.close();
    expect(await warnings.codes()).toEqual(['TFR_REPLACED']);
    expect(hex()).toBe(FOO);
  });

  onWindows('is refused while another program has the file open for writing, and keeps others from that', async () => {
    const handle = openSync(path(), 'w');
    await expect(RecordWriter.open(path(), { atomic: false })).rejects.toMatchObject({
      code: 'EBUSY',
      message: expect.stringContaining('It is open elsewhere, in this program or another: close it there') as string,
    });
    closeSync(handle);
    const writer = await RecordWriter.open(path(), { atomic: false });
    await expect(RecordWriter.open(path(), { append: true })).rejects.toMatchObject({ code: 'EBUSY' });
    await writer.close();
  });

  it('takes any number of writers of a device', async () => {
    const writers = await Promise.all([RecordWriter.open(devNull), RecordWriter.open(devNull)]);
    for (const writer of writers) await writer.close();
  });

  it('truncates at once when not atomic', async () => {
    writeFileSync(path(), 'the old content');
    const { ino } = statSync(path());
    const writer = await RecordWriter.open(path(), { atomic: false });
    expect(hex()).toBe('');
    await writer.write('foo');
    await writer.close();
    expect(hex()).toBe(FOO);
    expect(statSync(path()).ino).toBe(ino);
  });

  it('keeps what was written when it is aborted', async () => {
    const writer = await RecordWriter.open(path(), { atomic: false });
    await writer.write('foo');
    await writer.flush();
    await writer.write('bar');
    await writer.abort();
    expect(hex()).toBe(FOO);
  });

  it('writes through symbolic links', async () => {
    writeFileSync(path('file'), 'old');
    symlinkSync('file', path('link'));
    await writeFoo(path('link'));
    expect(lstatSync(path('link')).isSymbolicLink()).toBe(true);
    expect(hex('file')).toBe(FOO);
  });

  it('keeps hard links together', async () => {
    writeFileSync(path('one'), 'old');
    linkSync(path('one'), path('two'));
    await writeFoo(path('one'));
    expect(hex('two')).toBe(FOO);
  });

  it('writes to devices', async () => {
    await writeFoo('/dev/null');
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('writes to a pipe, once somebody reads, more than it holds', async () => {
    execFileSync('mkfifo', [path('pipe')]);
    const opening = RecordWriter.open(path('pipe'));
    const chunks: Buffer[] = [];
    const reading = createReadStream(path('pipe')).on('data', (chunk) => chunks.push(chunk as Buffer));
    // The reader may see the end before the writer hears that it is closed.
    const read = once(reading, 'close');
    const writer = await opening;
    await writer.write('foo');
    await writer.write(Buffer.alloc(3_000_000));
    await writer.close();
    await read;
    const bytes = Buffer.concat(chunks);
    expect(bytes.toString('hex', 0, 19)).toBe(FOO);
    expect(bytes).toHaveLength(19 + 16 + 3_000_000);
    expect(lstatSync(path('pipe')).isFIFO()).toBe(true);
  });

  it('ends the wait for a reader of a pipe when the signal says so', async () => {
    execFileSync('mkfifo', [path('pipe')]);
    const controller = new AbortController();
    const opening = RecordWriter.open(path('pipe'), { signal: controller.signal });
    controller.abort(new Error('nobody came'));
    await expect(opening).rejects.toThrow('nobody came');
  });
});

describe('..', () => {
  onLinux('behind a link to a folder leads where the system says', async () => {
    mkdirSync(join(folder, 'far/deep'), { recursive: true });
    symlinkSync('far/deep', join(folder, 'link'));
    await writeFoo(`${folder}/link/../out`);
    const before = process.cwd();
    process.chdir(folder);
    try {
      await writeFoo('link/../near');
    } finally {
      process.chdir(before);
    }
    expect(readdirSync(join(folder, 'far')).sort()).toEqual(['deep', 'near', 'out']);
    expect(readdirSync(folder).sort()).toEqual(['far', 'link']);
    await expect(writeFoo(`${folder}/none/../out`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  async function writeFoo(path: string): Promise<void> {
    const writer = await RecordWriter.open(path);
    await writer.write('foo');
    await writer.close();
  }
});

describe('what cannot be opened', () => {
  it.each([
    ['none/a.tfrecord', 'ENOENT'],
    ['./', 'EISDIR'],
    ['file/a.tfrecord', 'ENOTDIR'],
    ['n'.repeat(256), 'ENAMETOOLONG'],
  ])('is refused with the code of the system: %s', async (name, code) => {
    writeFileSync(path('file'), 'old');
    for (const atomic of [true, false]) {
      const target = `${folder}/${name}`;
      const opening = RecordWriter.open(target, { atomic });
      await expect(opening).rejects.toBeInstanceOf(TFRecordError);
      await expect(opening).rejects.toMatchObject({ code, syscall: 'open', file: target });
    }
    expect(readdirSync(folder)).toEqual(['file']);
  });

  onLinux.each([
    ['a link to itself', 'loop', 'ELOOP'],
    ['a link into a folder that may not be entered', 'link', 'EACCES'],
  ])('is refused alone: %s', async (_, name, code) => {
    symlinkSync('loop', path('loop'));
    symlinkSync('shut/file', path('link'));
    mkdirSync(path('shut'));
    chmodSync(folder, 0o777);
    chmodSync(path('shut'), 0o600);
    await unprivileged(async () => {
      for (const atomic of [true, false]) {
        const opening = RecordWriter.open(path(name), { atomic });
        await expect(opening).rejects.toMatchObject({ code, syscall: 'open', file: path(name) });
      }
      await writeFoo(path('other'));
    });
    chmodSync(path('shut'), 0o755);
    expect(hex('other')).toBe(FOO);
  });

  onWindows(
    'is refused if Windows would drop the end of its name, unless the prefix says that it is meant',
    async () => {
      for (const name of ['a.', 'a ', 'b./a']) {
        await expect(RecordWriter.open(`${folder}\\${name}`)).rejects.toMatchObject({
          code: 'EINVAL',
          message: expect.stringContaining('Windows drops dots and spaces at the end of a name') as string,
        });
      }
      expect(readdirSync(folder)).toEqual([]);
      await writeFoo(`\\\\?\\${folder}\\a.`);
      expect(readdirSync(folder)).toEqual(['a.']);
      await expect(countRecords(path('a.'))).rejects.toMatchObject({ code: 'EINVAL' });
    },
  );

  it.each([
    [undefined, 'ERR_INVALID_ARG_TYPE'],
    [1, 'ERR_INVALID_ARG_TYPE'],
    [{}, 'ERR_INVALID_ARG_TYPE'],
    ['', 'ERR_INVALID_ARG_VALUE'],
    ['a\0b', 'ERR_INVALID_ARG_VALUE'],
    [new URL('http://example.com/a.tfrecord'), 'ERR_INVALID_ARG_VALUE'],
  ])('is a TypeError for what is no target: %p', async (target, code) => {
    await expect(RecordWriter.open(target as never)).rejects.toMatchObject({ name: 'TypeError', code });
  });

  it.each([
    [{ unknown: 1 }, 'TypeError', 'ERR_INVALID_ARG_VALUE'],
    [null, 'TypeError', 'ERR_INVALID_ARG_TYPE'],
    [{ compression: 'GZIP' }, 'TypeError', 'ERR_INVALID_ARG_VALUE'],
    [{ compression: 1 }, 'TypeError', 'ERR_INVALID_ARG_TYPE'],
    [{ level: 10 }, 'RangeError', 'ERR_OUT_OF_RANGE'],
    [{ level: -1 }, 'RangeError', 'ERR_OUT_OF_RANGE'],
    [{ level: 1.5 }, 'RangeError', 'ERR_OUT_OF_RANGE'],
    [{ level: '6' }, 'TypeError', 'ERR_INVALID_ARG_TYPE'],
    [{ level: 6 }, 'TypeError', 'ERR_INVALID_ARG_VALUE'],
    [{ level: 0, compression: 'none' }, 'TypeError', 'ERR_INVALID_ARG_VALUE'],
    [{ maxRecordBytes: -1 }, 'RangeError', 'ERR_OUT_OF_RANGE'],
    [{ maxRecordBytes: 2 ** 32 }, 'RangeError', 'ERR_OUT_OF_RANGE'],
    [{ maxRecordBytes: '1' }, 'TypeError', 'ERR_INVALID_ARG_TYPE'],
    [{ threads: 0 }, 'RangeError', 'ERR_OUT_OF_RANGE'],
    [{ threads: 65 }, 'RangeError', 'ERR_OUT_OF_RANGE'],
    [{ atomic: 1 }, 'TypeError', 'ERR_INVALID_ARG_TYPE'],
    [{ signal: {} }, 'TypeError', 'ERR_INVALID_ARG_TYPE'],
  ])('is an argument error for wrong options: %j', async (options, name, code) => {
    await expect(RecordWriter.open(path(), options as never)).rejects.toMatchObject({ name, code });
    expect(existsSync(path())).toBe(false);
  });
});

describe('signal', () => {
  it('aborted before: nothing is opened', async () => {
    const reason = { any: 'thing' };
    await expect(RecordWriter.open(path(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('aborted while writing: everything rejects with the reason, and nothing stays', async () => {
    const controller = new AbortController();
    const writer = await RecordWriter.open(path(), { signal: controller.signal, threads: 1 });
    let full: Promise<void> | undefined;
    while (full === undefined) full = writer.write(Buffer.alloc(600_000));
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(full).rejects.toBe(reason);
    await expect(writer.write('x')).rejects.toBe(reason);
    await expect(writer.flush()).rejects.toBe(reason);
    await expect(writer.close()).rejects.toBe(reason);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('aborted after close: nothing happens', async () => {
    const controller = new AbortController();
    const writer = await RecordWriter.open(path(), { signal: controller.signal });
    await writer.write('foo');
    await writer.close();
    controller.abort();
    expect(await writer.close()).toEqual({ records: 1, bytes: 3, fileBytes: 19 });
    expect(hex()).toBe(FOO);
  });

  it('may be shared by many writers', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const names = Array.from({ length: 20 }, (_, i) => `${i}.tfrecord`);
    const writers = await Promise.all(names.map((name) => RecordWriter.open(path(name), { signal })));
    await writers[0]?.close();
    // Node warns of a leak from the eleventh on.
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    const reason = new Error('enough');
    controller.abort(reason);
    const ends = await Promise.allSettled(writers.slice(1).map((writer) => writer.close()));
    expect(ends).toEqual(ends.map(() => ({ status: 'rejected', reason })));
    expect(readdirSync(folder)).toEqual(['0.tfrecord']);
  });
});
