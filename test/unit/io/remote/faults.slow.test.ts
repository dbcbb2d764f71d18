/** 1,000 faults of servers: the right records, or an error with a code in time; nothing hangs, nothing leaks. */
import { createHash } from 'node:crypto';

import { readRecords, remoteOptions, TFRecordError } from '../../../../lib';
import { useHttpDispatcher } from '../../../../lib/adapters/http';
import { setStore, storeOf } from '../../../../lib/io';
import { ObjectServer, type ServedFault } from '../../../support/remote/object-server';
import { compress, tfrecord } from '../../../support/records/tfrecord';
import { undiciAgent } from '../../../support/servers/clients';
import { describeWith } from '../../../support/servers/servers';
import { settles } from '../../../support/settles';

const PAYLOADS = Array.from({ length: 300 }, (_, i) => Buffer.alloc(3000, i));
const PLAIN = tfrecord(PAYLOADS);
const RANDOM = Array.from({ length: 100 }, (_, i) =>
  createHash('shake256', { outputLength: 3000 }).update(`${i}`).digest(),
);
const GZIP = compress(tfrecord(RANDOM), 'gzip');

const FAULTS: readonly ServedFault[] = [
  500,
  502,
  503,
  'busy',
  'cut',
  'cut at once',
  'stall',
  'silent',
  'drip',
  'tag',
  'size',
  'short',
  'long',
  'whole',
  'elsewhere',
  'unnamed',
  403,
  404,
  405,
  412,
];
const CODES = ['TFR_REMOTE', 'TFR_STATE_MISMATCH', 'EACCES', 'ENOENT'];
const TIMEOUT_MS = 60;

/** A generator of pseudorandom integers below `most`. */
function randomOf(seed: number): (most: number) => number {
  let state = seed + 1;
  for (let i = 0; i < 3; i++) state = (state * 48_271) % 2_147_483_647;
  return (most) => (state = (state * 48_271) % 2_147_483_647) % most;
}

afterEach(() => remoteOptions({}));

/** Reads `objects` objects whose servers are at fault. */
async function readAtFault(objects: number): Promise<void> {
  remoteOptions({ retries: 3, retryDelay: 0, timeout: TIMEOUT_MS, minBytesPerSecond: 1000 });
  const server = await ObjectServer.start({
    '/plain': PLAIN,
    '/gzip': GZIP,
    '/whole': { bytes: PLAIN, noRanges: true },
  });
  const handles = process.getActiveResourcesInfo().length;
  const outcomes = { read: 0, failed: 0 };
  let injected = 0;
  try {
    for (let seed = 0; seed < objects; seed++) {
      const random = randomOf(seed);
      const path = ['/plain', '/plain', '/gzip', '/whole'][random(4)]!;
      const payloads = path === '/gzip' ? RANDOM : PAYLOADS;
      const fault = FAULTS[random(FAULTS.length)]!;
      // Once, sometimes, or for ever, from the first or a later request on.
      const [from, way] = [random(3), random(3)];
      let index = 0;
      let hits = 0;
      server.plan = () => {
        const isHit = index++ >= from && (way === 2 || (way === 1 ? random(2) === 0 : hits === 0));
        if (isHit) hits++;
        return isHit ? fault : undefined;
      };
      const begun = performance.now();
      let error: unknown;
      let count = 0;
      try {
        for await (const record of readRecords(server.url(path))) {
          if (Buffer.compare(record, payloads[count++]!) !== 0) throw new Error(`record ${count - 1} is wrong`);
        }
      } catch (reason) {
        error = reason;
      }
      injected += hits;
      const context = `seed ${seed}: ${fault}, way ${way}, from ${from}, ${path}`;
      if (error === undefined) {
        expect([context, count]).toEqual([context, payloads.length]);
        outcomes.read++;
      } else {
        expect([context, error instanceof TFRecordError ? error.code : error]).toEqual([
          context,
          expect.stringMatching(new RegExp(CODES.join('|'))),
        ]);
        outcomes.failed++;
      }
      // Each attempt may be silent for the time-out, and each that brings something may be followed by others.
      expect(performance.now() - begun).toBeLessThan(60 * TIMEOUT_MS + 2000);
    }
    expect(injected).toBeGreaterThan(objects);
    expect(outcomes.read).toBeGreaterThan(0.3 * objects);
    expect(outcomes.failed).toBeGreaterThan(0.1 * objects);
    server.plan = () => undefined;
  } finally {
    await server.close();
  }
  // The server has ended all connections: nothing of ours holds one, or a timer.
  expect(await settles(() => process.getActiveResourcesInfo().length <= handles)).toBe(true);
}

test('1,000 objects whose servers are at fault', () => readAtFault(1000), 600_000);

describeWith('undici')('by undici', () => {
  test('200 objects whose servers are at fault', async () => {
    const before = storeOf('http://127.0.0.1');
    const agent = undiciAgent();
    useHttpDispatcher(agent);
    try {
      await readAtFault(200);
    } finally {
      for (const scheme of ['https', 'http']) setStore(scheme, before);
      await agent.close();
    }
  }, 200_000);
});

test.each([1, 2, 3])('a reader that is aborted ends its requests: %s', async (count) => {
  remoteOptions({});
  const large = Buffer.concat(Array<Buffer>(20).fill(PLAIN));
  const server = await ObjectServer.start({ '/large': large }, (_, index) =>
    index < count - 1 ? undefined : 'silent',
  );
  try {
    const closing = new AbortController();
    const reading = (async () => {
      for await (const record of readRecords(server.url('/large'), { signal: closing.signal })) {
        expect(record).toHaveLength(3000);
      }
    })();
    reading.catch(() => undefined);
    expect(await settles(() => server.requests.length >= count)).toBe(true);
    closing.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(await settles(() => server.busy === 0)).toBe(true);
  } finally {
    await server.close();
  }
});
