/** `readEvents` with `follow`: files that grow, torn records, new files and runs, damage and ends. */
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readEvents, type EventOptions, type EventValue } from '../../../lib';
import { fileVersion, scalar, sessionStart } from '../../support/records/event-logs';
import { Folder } from '../../support/records/record-files';
import { compress, tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const FOLLOW = { follow: true, pollMs: 10 } as const;

/** A log folder, and the values that are read of it while it grows. */
function following(options: EventOptions = {}): {
  at: (name: string) => string;
  put: (name: string, bytes: Uint8Array) => void;
  events: AsyncIterableIterator<EventValue>;
  take: (count: number) => Promise<string[]>;
} {
  const { path, at } = folder.place();
  const events = readEvents(path, { ...FOLLOW, ...options });
  return {
    at,
    put: (name, bytes) => {
      mkdirSync(join(path, name, '..'), { recursive: true });
      appendFileSync(join(path, name), bytes);
    },
    events,
    take: async (count) => {
      const found: string[] = [];
      while (found.length < count) {
        const { value, done } = await events.next();
        if (done === true) throw new Error('the end');
        found.push(`${value.run}:${value.tag}@${value.step}`);
      }
      return found;
    },
  };
}

const FILE = 'run/events.out.tfevents.1';

test('values that are added; a torn record is waited for, byte by byte', async () => {
  const { put, take, events } = following();
  const bytes = tfrecord([scalar('a', 2, 2)]);
  put(FILE, tfrecord([fileVersion(), scalar('a', 1, 1)]));
  put(FILE, bytes.subarray(0, 5));
  expect(await take(1)).toEqual(['run:a@1']);
  const next = take(1);
  for (const byte of bytes.subarray(5, -1)) {
    put(FILE, Uint8Array.of(byte));
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  const pending = Symbol('pending');
  expect(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 40, pending))])).toBe(pending);
  put(FILE, bytes.subarray(-1));
  expect(await next).toEqual(['run:a@2']);
  await events.return!();
});

test('new files and runs; what is there at the beginning is read as without follow', async () => {
  const { put, take, events } = following();
  put(
    FILE,
    tfrecord([
      fileVersion(),
      sessionStart(0),
      scalar('a', 1, 1),
      scalar('a', 2, 2),
      sessionStart(2),
      scalar('a', 2, 3),
    ]),
  );
  expect(await take(2)).toEqual(['run:a@1', 'run:a@2']);
  put('run/events.out.tfevents.2', tfrecord([scalar('a', 3, 3)]));
  expect(await take(1)).toEqual(['run:a@3']);
  put('other/events.out.tfevents.1', tfrecord([scalar('b', 1, 1)]));
  expect(await take(1)).toEqual(['other:b@1']);
  put(FILE, tfrecord([scalar('a', 4, 4)]));
  expect(await take(1)).toEqual(['run:a@4']);
  await events.return!();
});

test('a folder without event files is waited for, and a compressed file is read once', async () => {
  const { put, take, events } = following();
  const first = take(1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  put('events.out.tfevents.1', compress(tfrecord([scalar('a', 1, 1)]), 'gzip'));
  expect(await first).toEqual(['.:a@1']);
  put('events.out.tfevents.1', compress(tfrecord([scalar('a', 2, 2)]), 'gzip'));
  put('events.out.tfevents.2', tfrecord([scalar('a', 3, 3)]));
  expect(await take(1)).toEqual(['.:a@3']);
  await events.return!();
});

test('damage is an error, or is skipped and reported once', async () => {
  const damaged = tfrecord([scalar('a', 1, 1)]);
  damaged[14]! ^= 1;
  const strict = following();
  strict.put(FILE, tfrecord([scalar('a', 0, 0)]));
  strict.put(FILE, damaged);
  expect(await strict.take(1)).toEqual(['run:a@0']);
  await expect(strict.take(1)).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 1 });
  const reported: string[] = [];
  const lenient = following({ onError: { action: 'skip', report: ({ code }) => void reported.push(code) } });
  lenient.put(FILE, damaged);
  lenient.put('run/events.out.tfevents.2', tfrecord([scalar('a', 2, 2)]));
  expect(await lenient.take(1)).toEqual(['run:a@2']);
  lenient.put(FILE, tfrecord([scalar('a', 3, 3)]));
  expect(await lenient.take(1)).toEqual(['run:a@3']);
  expect(reported).toEqual(['TFR_CORRUPT_DATA']);
  await lenient.events.return!();
});

test('an abort ends the wait with its reason; return ends it at once', async () => {
  const controller = new AbortController();
  const aborted = following({ signal: controller.signal, pollMs: 60_000 });
  const step = aborted.events.next();
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 20);
  await expect(step).rejects.toBe(reason);
  const left = following({ pollMs: 60_000 });
  const pending = left.events.next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await left.events.return!();
  expect(await pending).toEqual({ value: undefined, done: true });
});

test('a single file is followed, too', async () => {
  const path = folder.fresh();
  writeFileSync(path, tfrecord([scalar('a', 1, 1)]));
  const events = readEvents(path, FOLLOW);
  expect(await events.next()).toMatchObject({ value: { step: 1n } });
  appendFileSync(path, tfrecord([scalar('a', 2, 2)]));
  expect(await events.next()).toMatchObject({ value: { step: 2n } });
  await events.return!();
});

test('stop ends following after the values before the damage, as it ends reading', async () => {
  const malformed = Buffer.concat([scalar('a', 1, 1), Uint8Array.of(0x2a, 0x7f)]);
  const damaged = tfrecord([scalar('a', 3, 3)]);
  damaged[14]! ^= 1;
  for (const fault of [tfrecord([malformed]), damaged]) {
    const { put, take, events } = following({ onError: 'stop' });
    put('a/1.tfevents', tfrecord([scalar('a', 1, 1)]));
    put('b/1.tfevents', tfrecord([scalar('a', 1, 1)]));
    expect(await take(2)).toEqual(['a:a@1', 'b:a@1']);
    put('a/1.tfevents', Buffer.concat([tfrecord([scalar('a', 2, 2)]), fault, tfrecord([scalar('a', 4, 4)])]));
    put('b/1.tfevents', tfrecord([scalar('a', 2, 2)]));
    expect(await take(1)).toEqual(['a:a@2']);
    expect(await events.next()).toEqual({ value: undefined, done: true });
  }
});

test('values that were added before a malformed record come before its error', async () => {
  const { put, take } = following();
  put(FILE, tfrecord([scalar('a', 1, 1)]));
  expect(await take(1)).toEqual(['run:a@1']);
  put(FILE, tfrecord([scalar('a', 2, 2), Buffer.concat([scalar('a', 1, 1), Uint8Array.of(0x2a, 0x7f)])]));
  expect(await take(1)).toEqual(['run:a@2']);
  await expect(take(1)).rejects.toMatchObject({ code: 'TFR_DECODE', record: 2 });
});

describe.each([
  ['cut', (path: string) => writeFileSync(path, tfrecord([scalar('a', 7, 7)]))],
  [
    'replaced',
    (path: string) => {
      writeFileSync(`${path}.new`, tfrecord([7, 8, 9].map((step) => scalar('a', step, step))));
      renameSync(`${path}.new`, path);
    },
  ],
  [
    'written anew and longer',
    (path: string) => writeFileSync(path, tfrecord([7, 8, 9].map((step) => scalar('a', step, step)))),
  ],
  [
    'written anew with the same size',
    (path: string) => writeFileSync(path, tfrecord([7, 8].map((step) => scalar('a', step, step)))),
  ],
] as const)('a file that is %s', (_, change) => {
  test('is an error', async () => {
    const { put, take, at } = following();
    put('1.tfevents', tfrecord([1, 2].map((step) => scalar('a', step, step))));
    expect(await take(2)).toHaveLength(2);
    change(at('1.tfevents'));
    await expect(take(1)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file: at('1.tfevents') });
  });

  test('is read from its beginning if that is skipped', async () => {
    const reported: string[] = [];
    const { put, take, at, events } = following({
      onError: { action: 'skip', report: ({ code }) => void reported.push(code) },
    });
    put('1.tfevents', tfrecord([1, 2].map((step) => scalar('a', step, step))));
    expect(await take(2)).toHaveLength(2);
    change(at('1.tfevents'));
    expect(await take(1)).toEqual(['.:a@7']);
    expect(reported).toEqual(['TFR_STATE_MISMATCH']);
    await events.return!();
  });
});

test('a compressed file that is cut is an error', async () => {
  const { put, take } = following();
  put('1.tfevents', compress(tfrecord([scalar('a', 1, 1), scalar('a', 2, 2)]), 'gzip').subarray(0, -12));
  const error: unknown = await take(3).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'TFR_TRUNCATED' });
});

test('salvage is refused', () => {
  for (const onError of ['salvage', { action: 'salvage' }] as const) {
    expect(() => readEvents('runs', { follow: true, onError })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE', message: expect.stringContaining('options.onError') }),
    );
    expect(() => readEvents('runs', { onError })).not.toThrow();
  }
});

test('the share of errors counts the records that were read', async () => {
  const { put, take } = following({ onError: 'skip' });
  const malformed = Buffer.concat([scalar('a', 1, 1), Uint8Array.of(0x2a, 0x7f)]);
  put(FILE, tfrecord(Array.from({ length: 2000 }, (_, i) => (i % 20 === 19 ? malformed : scalar('a', i, i)))));
  await expect(take(1900)).rejects.toMatchObject({ message: expect.stringContaining('maxRate') as string });
});
