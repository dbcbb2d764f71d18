import { readFileSync } from 'node:fs';

import { Dataset, openIndexed, readRecordsSync, RecordIndex, remoteOptions } from '../../../../lib';
import { convert } from '../../../../lib/convert';
import { ObjectServer, type ServedObject } from '../../../support/remote/object-server';
import { Folder } from '../../../support/records/record-files';
import { compress, flipBit, tfrecord } from '../../../support/records/tfrecord';
import { HostClient } from '../../../support/view/host-client';
import { runHere } from '../../../support/running/run-here';

const PAYLOADS = Array.from({ length: 2000 }, (_, i) => Buffer.from(`${i}`.padStart(100 + (i % 7), ' ')));
const PLAIN = tfrecord(PAYLOADS);
const GZIP = compress(PLAIN, 'gzip');

/** Returns the text of a record. */
function text(record: Uint8Array): string {
  return Buffer.from(record).toString();
}

const folder = new Folder();
let server: ObjectServer;
const objects: Record<string, ServedObject | Uint8Array> = {
  '/a.tfrecord': PLAIN,
  '/a.tfrecord.gz': GZIP,
  '/damaged': flipBit(PLAIN, 1000),
  '/whole': { bytes: Buffer.concat(Array<Buffer>(40).fill(PLAIN)), noRanges: true },
};
beforeAll(async () => (server = await ObjectServer.start(objects)));
beforeEach(() => {
  remoteOptions({ retryDelay: 0 });
  server.requests.length = 0;
  server.sentBytes = 0;
});
afterAll(async () => {
  remoteOptions({});
  folder.remove();
  await server.close();
});

describe('the index of an object', () => {
  it.each(['/a.tfrecord', '/a.tfrecord.gz'])('reads its records by their numbers: %s', async (path) => {
    const index = RecordIndex.scan(server.url(path));
    const numbers = [1999, 3, 3, 700, 0];
    const batch = await index.readBatch(numbers);
    expect([...batch].map(text)).toEqual(numbers.map((number) => String(PAYLOADS[number])));
    expect(text((await index.at(-1))!)).toBe(String(PAYLOADS[1999]));
    await index.save(folder.at('index'));
    await index.close();
    const loaded = await RecordIndex.load(folder.at('index'), new URL(server.url(path)));
    expect(text((await loaded.at(5))!)).toBe(String(PAYLOADS[5]));
  });

  it('is opened from a file of yours', async () => {
    const indexFile = folder.at('own.tfindex');
    for (const save of [true, false]) {
      server.requests.length = 0;
      const index = await openIndexed(new URL(server.url('/a.tfrecord')), { indexFile, save });
      expect(text((await index.at(9))!)).toBe(text(PAYLOADS[9]!));
    }
    expect(server.requests.length).toBeLessThanOrEqual(6);
  });

  describe('beside it', () => {
    const path = '/beside.tfrecord';
    const bytes = Buffer.concat(Array<Buffer>(20).fill(PLAIN));
    const asked = (): string[] => server.requests.map((request) => request.path);

    beforeEach(async () => {
      objects[path] = bytes;
      await using index = RecordIndex.scan(server.url(path));
      await index.save(folder.at('beside'));
      objects[`${path}.tfindex`] = readFileSync(folder.at('beside'));
      server.requests.length = 0;
      server.sentBytes = 0;
    });

    it('is used in place of a scan', async () => {
      await using index = await openIndexed(server.url(`${path}#part`), { onStale: 'throw' });
      expect(text((await index.at(-1))!)).toBe(String(PAYLOADS[1999]));
      expect(asked()).toContain(`${path}.tfindex`);
      expect(server.sentBytes).toBeLessThan(bytes.length / 4);
    });

    it('is used after 16 records were checked, if only the tag of the object is another one', async () => {
      objects[path] = { bytes, etag: '"uploaded later"' };
      await using index = await openIndexed(server.url(path), { onStale: 'throw' });
      expect(index.records).toBe(20 * PAYLOADS.length);
      expect(server.sentBytes).toBeLessThan(bytes.length / 2);
    });

    it.each([
      ['other bytes', flipBit(bytes, 100)],
      ['another size', bytes.subarray(0, PLAIN.length)],
    ])('is refused if the object has %s', async (_name, changed) => {
      objects[path] = changed;
      const file = server.url(`${path}.tfindex`);
      await expect(openIndexed(server.url(path), { onStale: 'throw' })).rejects.toMatchObject({
        code: 'TFR_STATE_MISMATCH',
        file,
      });
      await using index = await openIndexed(server.url(path), { onError: 'stop' });
      expect(text((await index.at(3))!)).toBe(String(PAYLOADS[3]));
    });

    it('is not looked for beside a signed URL, and a missing or hidden one is none', async () => {
      await (await openIndexed(server.url(`${path}?signature=a`))).close();
      expect(asked().filter((each) => each.includes('tfindex'))).toEqual([]);
      for (const status of [403, 404]) {
        server.plan = (request) => (request.path.endsWith('.tfindex') ? status : undefined);
        await (await openIndexed(server.url(path))).close();
      }
      server.plan = () => undefined;
    });

    it('cannot be saved to an HTTP server', async () => {
      await expect(openIndexed(server.url(path), { save: true })).rejects.toMatchObject({
        code: 'ERR_INVALID_ARG_VALUE',
      });
      expect(server.requests).toEqual([]);
    });

    it('serves head --skip of the command', async () => {
      const { stdout } = await runHere(['head', '--skip', '39999', '-n', '1', '--origin', server.url(path)]);
      expect(stdout).toContain('39999');
      expect(server.sentBytes).toBeLessThan(bytes.length / 2);
    });
  });

  it('requests little more than the records', async () => {
    const index = RecordIndex.scan(server.url('/a.tfrecord'));
    await index.done;
    server.requests.length = 0;
    server.sentBytes = 0;
    const numbers = Array.from({ length: 50 }, (_, i) => (i * 1237) % 2000);
    await index.readBatch(numbers);
    expect(server.requests.length).toBeLessThanOrEqual(50);
    expect(server.sentBytes).toBeLessThanOrEqual(2 * numbers.reduce((sum, i) => sum + PAYLOADS[i]!.length + 16, 0));
  });

  it('says which record is damaged', async () => {
    const index = RecordIndex.scan(server.url('/damaged'));
    const error: unknown = await index.readBatch([0, 8]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 8, file: server.url('/damaged') });
    expect(await index.readBatch([7, 9])).toHaveLength(2);
  });

  it('needs ranges', async () => {
    const index = RecordIndex.scan(server.url('/whole'));
    await expect(index.done).rejects.toMatchObject({ code: 'TFR_REMOTE', file: server.url('/whole') });
  });

  it('is refused for another object', async () => {
    const index = RecordIndex.scan(server.url('/a.tfrecord'));
    await index.save(folder.at('stale'));
    objects['/a.tfrecord'] = { bytes: flipBit(PLAIN, 20), etag: '"2"' };
    try {
      await expect(RecordIndex.load(folder.at('stale'), server.url('/a.tfrecord'))).rejects.toMatchObject({
        code: 'TFR_STATE_MISMATCH',
      });
    } finally {
      objects['/a.tfrecord'] = PLAIN;
    }
  });
});

it('datasets shuffle the records of objects', async () => {
  const seen: string[] = [];
  for await (const record of Dataset.tfrecord(server.url('/a.tfrecord')).shuffle('full', { seed: 1 })) {
    seen.push(text(record));
  }
  expect(seen.sort()).toEqual(PAYLOADS.map(String).sort());
});

it('convert reads objects, and its manifest has no signature', async () => {
  const url = `${server.url('/a.tfrecord.gz')}?signature=secret`;
  const report = await convert(url, folder.at('out.tfrecord'), { shards: 2 });
  expect(report).toMatchObject({ records: 2000 });
  expect(JSON.stringify(report)).not.toContain('secret');
  expect([...readRecordsSync(folder.at('out.tfrecord@2'))]).toHaveLength(2000);
  expect(readFileSync(folder.at('out.tfrecord.manifest.json'), 'utf8')).not.toContain('secret');
});

it('the viewer shows the first records of an object within a second', async () => {
  const url = `${server.url('/a.tfrecord')}?signature=secret`;
  const begun = performance.now();
  const host = new HostClient([url]);
  try {
    const { batches } = await host.ask('rows', { file: 0, records: [0, 1, 2] });
    expect(batches.flat()).toHaveLength(3);
    expect(performance.now() - begun).toBeLessThan(1000);
    await host.known();
    const { done } = await host.ask('record', { file: 0, record: 1999 });
    expect(JSON.stringify(done)).not.toContain('secret');
  } finally {
    await host.close();
  }
});

describe('the command', () => {
  it('reads URLs', async () => {
    const { stdout, code } = await runHere(['count', server.url('/a.tfrecord.gz')]);
    expect([code, stdout.trim()]).toEqual([0, expect.stringContaining('2000')]);
  });

  it.each(['info', 'verify', 'count', 'head'])('shows no secret of a URL: %s', async (command) => {
    const url = `${server.url('/a.tfrecord')}?signature=secret`;
    for (const json of [[], ['--json']]) {
      if (command === 'head' && json.length > 0) continue;
      const { stdout, stderr, code } = await runHere([command, ...json, url, url]);
      expect([code, stdout.length > 0]).toEqual([0, true]);
      expect(stdout + stderr).not.toContain('secret');
    }
  });

  it('names an object that is missing', async () => {
    const { stderr, code } = await runHere(['count', `${server.url('/missing')}?signature=secret`]);
    expect(code).toBe(1);
    expect(stderr).toContain('ENOENT');
    expect(stderr).not.toContain('secret');
  });
});
