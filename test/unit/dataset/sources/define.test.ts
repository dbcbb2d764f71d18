/** `Dataset.define`: the user's own readers. */
import { open, type FileHandle } from 'node:fs/promises';

import { Dataset } from '../../../../lib';
import type { SourceReader } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { descriptorsIn } from '../../../support/running/descriptors';
import { onLinux } from '../../../support/on-linux';
import { Folder } from '../../../support/records/record-files';
import { settles } from '../../../support/settles';
import { thrown } from '../../../support/thrown';

const folder = new Folder();
afterAll(() => folder.remove());

/** Records of a byte for the length, and so many bytes; length 255 is a record that is no good. */
function write(name: string, texts: readonly (string | undefined)[]): string {
  const records = texts.map((text) =>
    text === undefined ? Buffer.from([255, 0, 0]) : Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]),
  );
  return folder.put(name, Buffer.concat(records));
}

class Handle {
  at = 0;
  busy = false;
  readonly file: FileHandle;

  constructor(file: FileHandle) {
    this.file = file;
  }

  async exclusively<T>(run: () => Promise<T>): Promise<T> {
    if (this.busy) throw new Error('calls overlap');
    this.busy = true;
    try {
      return await run();
    } finally {
      this.busy = false;
    }
  }
}

/** The example reader: it can say where it stands, go there, and get behind a record that is no good. */
class ShortRecords implements SourceReader<string, Handle, number> {
  readonly log: string[] = [];

  async open(file: string): Promise<Handle> {
    this.log.push(`open ${file.slice(-1)}`);
    return new Handle(await open(file));
  }

  read(handle: Handle): Promise<{ value: string; offset: number; bytes: number } | undefined> {
    return handle.exclusively(async () => {
      const offset = handle.at;
      const { bytesRead, buffer } = await handle.file.read(Buffer.alloc(256), 0, 256, offset);
      if (bytesRead === 0) return undefined;
      const length = buffer[0]!;
      if (length === 255) {
        handle.at += 3;
        throw new Error('no good');
      }
      handle.at += 1 + length;
      return { value: buffer.toString('latin1', 1, 1 + length), offset, bytes: length };
    });
  }

  close(handle: Handle): Promise<void> {
    this.log.push('close');
    return handle.exclusively(() => handle.file.close());
  }

  state(handle: Handle): number {
    return handle.at;
  }

  seek(handle: Handle, at: number): void {
    this.log.push(`seek ${at}`);
    handle.at = at;
  }
}

const texts = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `record ${from + i}`);

test('files are opened, read and closed one after the other', async () => {
  const reader = new ShortRecords();
  const files = [write('a', texts(0, 3)), write('b', []), write('c', texts(3, 4))];
  expect(await Dataset.define(files, reader).toArray()).toEqual(texts(0, 4));
  expect(reader.log).toEqual(['open a', 'close', 'open b', 'close', 'open c', 'close']);
  expect(await Dataset.define(folder.at('[ac]'), reader).count()).toBe(4);
});

test('origins: the number of the record, and what the reader tells', async () => {
  const file = write('origin', ['one', 'three']);
  const origins: unknown[] = [];
  await Dataset.define(file, new ShortRecords())
    .map((_, { origin }) => origins.push(origin))
    .toArray();
  expect(origins).toEqual([
    { file, record: 0, offset: 0, bytes: 3 },
    { file, record: 1, offset: 4, bytes: 5 },
  ]);
  const bare = Dataset.define(file, {
    open: () => [1],
    read: (left) => (left.pop() ? { value: Buffer.from('xy') } : undefined),
  });
  const elements = bare.iterate();
  await elements.next();
  expect(elements.origin).toEqual({ file, record: 0, offset: 0, bytes: 2 });
  await elements.return();
});

test('resumes anywhere: by a seek where the reader can, else by reading again, with a warning', async () => {
  const files = [write('resume-a', texts(0, 7)), write('resume-b', []), write('resume-c', texts(7, 20))];
  const reader = new ShortRecords();
  const seeking = Dataset.define(files, reader);
  await expectResumes(seeking);
  await expectChunkInvariant(seeking);
  expect(reader.log.some((line) => line.startsWith('seek'))).toBe(true);
  const elements = seeking.iterate();
  for (let i = 0; i < 9; i++) await elements.next();
  const state = elements.state();
  await elements.return();
  write('resume-c', texts(7, 21));
  await expect(seeking.iterate({ state }).next()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });

  const warnings: string[] = [];
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation((warning) => void warnings.push(String(warning)));
  try {
    const counted: SourceReader<number, { left: number }> = {
      open: () => ({ left: 9 }),
      read: (file) => (file.left === 0 ? undefined : { value: --file.left }),
    };
    await expectResumes(Dataset.define(files, counted));
    expect(warnings[0]).toMatch(/has no seek and state/);
  } finally {
    warn.mockRestore();
  }
});

describe('errors', () => {
  test('one of read is told behind the records before it; the state stays before it', async () => {
    const file = write('bad', ['one', undefined, 'three']);
    const records = Dataset.define(file, new ShortRecords());
    const elements = records.iterate();
    expect(await elements.next()).toMatchObject({ value: 'one' });
    await expect(elements.next()).rejects.toMatchObject({
      code: 'TFR_USER',
      stage: 'define',
      file,
      record: 1,
      cause: new Error('no good'),
    });
    expect(elements.state().position).toBe(1);
    await expectResumes(records);
  });

  test('skip goes on where the reader got behind what it failed for', async () => {
    const file = write('skip', ['one', undefined, undefined, 'four', undefined]);
    const skipping = Dataset.define([file, write('more', ['five'])], new ShortRecords()).onError({
      action: 'skip',
      maxRate: 1,
    });
    const records: unknown[] = [];
    const values = await skipping.map((value, { origin }) => (records.push(origin?.record), value)).toArray();
    expect(values).toEqual(['one', 'four', 'five']);
    expect(records).toEqual([0, 3, 0]);
    await expectResumes(skipping);
    await expectChunkInvariant(skipping);
    expect(await Dataset.define(file, new ShortRecords()).onError('stop').toArray()).toEqual(['one']);
  });

  test('skip gives up a file whose reader does not move, or cannot tell: nothing goes round for ever', async () => {
    const files = [write('stuck-a', []), write('stuck-b', [])];
    for (const state of [undefined, () => 0]) {
      let reads = 0;
      let closed = 0;
      const stuck: SourceReader<number, { given: boolean }> = {
        open: () => ({ given: false }),
        read: (file) => {
          reads++;
          if (file.given) throw new Error('for ever');
          file.given = true;
          return { value: 1 };
        },
        close: () => closed++,
        ...(state === undefined ? {} : { state, seek: () => undefined }),
      };
      const skipping = Dataset.define(files, stuck).onError({ action: 'skip', maxRate: 1 });
      expect(await skipping.toArray()).toEqual([1, 1]);
      expect([reads, closed]).toEqual([4, 2]);
    }
  });

  test('files that cannot be opened', async () => {
    const files = [folder.at('missing'), write('there', ['x'])];
    const reader = new ShortRecords();
    await expect(Dataset.define(files, reader).toArray()).rejects.toMatchObject({
      code: 'TFR_USER',
      file: files[0],
      cause: { code: 'ENOENT' },
    });
    expect(await Dataset.define(files, reader).onError({ action: 'skip', maxRate: 1 }).toArray()).toEqual(['x']);
    await expect(Dataset.define(folder.at('none-*'), reader).toArray()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('what read must return', async () => {
    const wrong = Dataset.define(write('wrong', []), { open: () => 0, read: () => 'text' as never });
    await expect(wrong.toArray()).rejects.toThrow(/must return \{ value \} or undefined/);
  });
});

test('a read that is pending holds up no close; the file is closed behind it', async () => {
  let settle: ((_: undefined) => void) | undefined;
  const log: string[] = [];
  const pending: SourceReader<number, string> = {
    open: (file, { signal }) => {
      signal.addEventListener('abort', () => log.push('signal'));
      return file;
    },
    read: () => new Promise((resolve) => (settle = resolve)),
    close: () => log.push('close'),
  };
  const elements = Dataset.define(write('pending', []), pending).iterate();
  const step = elements.next();
  expect(await settles(() => settle !== undefined)).toBe(true);
  await elements.return();
  expect(await step).toEqual({ value: undefined, done: true });
  expect(log).toEqual(['signal']);
  settle?.(undefined);
  await settles(() => log.length > 1);
  expect(log).toEqual(['signal', 'close']);
});

onLinux('nothing stays open', async () => {
  const file = write('open', texts(0, 200));
  const reader = new ShortRecords();
  for await (const record of Dataset.define([file, file], reader)) if (record === 'record 5') break;
  expect(await settles(() => descriptorsIn(folder.path) === 0)).toBe(true);
  expect(reader.log.filter((line) => line === 'close')).toHaveLength(1);
});

test('wrong arguments', () => {
  const define = Dataset.define as (...args: unknown[]) => unknown;
  const codeOf = (...args: unknown[]): unknown => (thrown(() => define(...args)) as { code?: string }).code;
  expect(codeOf('a')).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf('a', { open: () => 0 })).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf('a', { open: () => 0, read: () => 0, close: 1 })).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf(Buffer.from('a'), new ShortRecords())).toBe('ERR_INVALID_ARG_TYPE');
});
