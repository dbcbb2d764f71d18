/** `readEvents` of runs that are read twice: files that change meanwhile, names that hide parts of URLs, and errors. */
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { readEvents, type EventOptions, type RecordSource } from '../../../lib';
import { held } from '../../../lib/events/run-reading';
import { fileVersion, HELD, restoreHeld, scalar } from '../../support/records/event-logs';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
beforeEach(() => {
  held.bytes = -1;
});
restoreHeld();
afterAll(() => {
  folder.remove();
});

/** Steps until the end or an error. `atFirst` is called with the first value. */
async function steps(
  source: RecordSource,
  options: EventOptions = {},
  atFirst?: () => void,
): Promise<{ steps: number[]; error: unknown }> {
  const found: number[] = [];
  try {
    for await (const { step } of readEvents(source, options)) {
      if (found.length === 0) atFirst?.();
      found.push(Number(step));
    }
  } catch (error) {
    return { steps: found, error };
  }
  return { steps: found, error: undefined };
}

/** A log folder of two files: steps 1 to 3 and 4 to 6. */
function twoFiles(): { path: string; first: string; second: string } {
  const { path, at } = folder.place();
  const [first, second] = [at('1.tfevents'), at('2.tfevents')];
  writeFileSync(first, tfrecord([fileVersion(), ...[1, 2, 3].map((step) => scalar('a', step, step))]));
  writeFileSync(second, tfrecord([fileVersion(), ...[4, 5, 6].map((step) => scalar('a', step, step))]));
  return { path, first, second };
}

const CHANGES: [string, (file: string) => void, number[]][] = [
  ['vanishes', (file) => rmSync(file), []],
  ['is cut', (file) => truncateSync(file, readFileSync(file).length - 5), [4, 5]],
  [
    'is damaged',
    (file) =>
      writeFileSync(
        file,
        readFileSync(file).map((byte, i, { length }) => byte ^ +(i === length - 6)),
      ),
    [4, 5],
  ],
  ['is written anew', (file) => writeFileSync(file, tfrecord([scalar('a', 7, 7)])), [7]],
];

describe.each(['throw', 'skip', 'salvage'] as const)('onError: %s', (onError) => {
  test.each(CHANGES)('a file that %s before it is read again is an error', async (_, change, more) => {
    const { path, second } = twoFiles();
    const found = await steps(path, { onError }, () => change(second));
    expect(found.error).toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      file: expect.stringContaining('2.tfevents') as string,
    });
    expect(found.steps).toEqual([1, 2, 3, ...more]);
  });

  test('records that are added meanwhile are left out', async () => {
    const { path, first, second } = twoFiles();
    const found = await steps(path, { onError }, () => {
      for (const file of [first, second]) appendFileSync(file, tfrecord([scalar('a', 9, 9)]));
    });
    expect(found).toEqual({ steps: [1, 2, 3, 4, 5, 6], error: undefined });
  });
});

test('values before a malformed record, which is judged in the second reading', async () => {
  const malformed = Buffer.concat([scalar('a', 1, 1), Uint8Array.of(0x2a, 0x7f)]);
  const records = [fileVersion(), scalar('a', 1, 1), scalar('a', 2, 2), scalar('a', 3, 3), malformed];
  const found = await steps(folder.write('malformed', records));
  expect(found).toMatchObject({ steps: [1, 2, 3], error: { code: 'TFR_DECODE', record: 4 } });
});

test('damage after the records of a file that grew was not met, and is none', async () => {
  const { path, second } = twoFiles();
  const found = await steps(path, {}, () => appendFileSync(second, Buffer.alloc(40, 0xff)));
  expect(found).toEqual({ steps: [1, 2, 3, 4, 5, 6], error: undefined });
});

describe('objects', () => {
  const body = tfrecord([fileVersion(), scalar('a', 1, 1), scalar('a', 2, 2)]);
  let server: Server;
  let host: string;
  beforeAll(async () => {
    server = createServer((_, response) => response.end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  test.each([HELD, -1])('whose URLs have a password or a query (held: %d)', async (bytes) => {
    held.bytes = bytes;
    for (const url of [`http://u:secret@${host}/run/a.tfevents`, `http://${host}/run/a.tfevents?sign=secret`]) {
      expect(await steps(url)).toEqual({ steps: [1, 2], error: undefined });
    }
  });

  test.each([HELD, -1])('of two runs each have their own (held: %d)', async (bytes) => {
    held.bytes = bytes;
    const runs: string[] = [];
    for await (const { run } of readEvents([`http://${host}/x/a.tfevents?s=1`, `http://${host}/y/a.tfevents?s=2`])) {
      runs.push(run);
    }
    expect(runs).toEqual(['x', 'x', 'y', 'y'].map((name) => `http://${host}/${name}`));
  });
});
