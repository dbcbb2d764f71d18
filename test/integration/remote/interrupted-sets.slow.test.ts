/** Ctrl-C while the command uploads a set, or an index: no manifest says that the set is complete, and no parts are left. */
import { encodeExample, readRecords } from '../../../lib';
import { objectSource } from '../../../lib/io';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { cliResult, startCli } from '../../support/running/run-cli';
import { s3Package } from '../../support/servers/clients';
import { describeWith } from '../../support/servers/servers';
import { environmentOf, serveStore, uploadsOf, type ServedStore } from '../../support/servers/stores';

jest.mock('@aws-sdk/client-s3', () => s3Package(), { virtual: true });

const MIB = 2 ** 20;
const RECORDS = 120;

describeWith('clients', 'swift')('swift', () => {
  const folder = new Folder();
  let served: ServedStore;
  let input: string;
  beforeAll(async () => {
    served = await serveStore('swift');
    input = folder.put(
      'in.tfrecord',
      tfrecord(Array<Uint8Array>(RECORDS).fill(encodeExample({ a: Buffer.alloc(MIB) }))),
    );
  });
  afterAll(async () => {
    folder.remove();
    await served.server.stop();
  });

  const objectsOf = async (prefix: string): Promise<string[]> => {
    const urls: string[] = [];
    for await (const page of served.store.list!(served.url(prefix), new AbortController().signal)) {
      urls.push(...page.map(({ url }) => url));
    }
    return urls.sort();
  };

  test.each([
    ['a set of shards', 'set.tfrecord', ['--shards', '3']],
    ['a set by size', 'sizes.tfrecord', ['--max-bytes', `${60 * MIB}`]],
    ['lines', 'lines.jsonl', []],
  ])('%s', async (_, name, flags) => {
    const child = startCli(['convert', '--compression', 'none', ...flags, input, served.url(name)], {
      env: environmentOf('swift', served),
    });
    try {
      const result = cliResult(child);
      while ((await uploadsOf(served)) === 0) expect(child.exitCode).toBe(null);
      child.kill('SIGINT');
      expect(await result).toMatchObject({ code: 130, stderr: '' });
    } finally {
      child.kill('SIGKILL');
    }
    expect(await uploadsOf(served)).toBe(0);
    const left = await objectsOf(name.replace(/\..*/, ''));
    expect(left.filter((url) => url.endsWith('.manifest.json'))).toEqual([]);
    // Shards that were complete before are whole.
    for (const url of left) {
      let records = 0;
      for await (const _record of readRecords(objectSource(url, served.store))) records++;
      expect(records).toBeGreaterThanOrEqual(RECORDS / 3);
    }
  });
});
