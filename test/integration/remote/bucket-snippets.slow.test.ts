/** The code of docs/buckets.md runs on the compiled package, with a server of S3. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { ROOT } from '../../support/running/compiled-sources';
import { CLIENTS, s3Package } from '../../support/servers/clients';
import { describeWith } from '../../support/servers/servers';
import { bodyOf, environmentOf, serveStore, uploadObject, type ServedStore } from '../../support/servers/stores';

jest.mock('@aws-sdk/client-s3', () => s3Package(), { virtual: true });

const snippets = [...readFileSync(join(ROOT, 'docs', 'buckets.md'), 'utf8').matchAll(/^```js\n(.*?)^```/gms)].map(
  ([, code]) => code!,
);
const ENDPOINT = 'https://minio.example.org';

describeWith('clients', 's3rver')('docs/buckets.md', () => {
  const folder = new Folder();
  let served: ServedStore;

  beforeAll(async () => {
    served = await serveStore('s3rver');
    for (const key of ['train.tfrecord', 'train.tfrecord.gz']) {
      await uploadObject(served.store, served.url(key), tfrecord(['one', 'three']));
    }
    mkdirSync(folder.at('node_modules'));
    symlinkSync(ROOT, folder.at(join('node_modules', 'tfrecord-native')), 'junction');
    symlinkSync(join(CLIENTS, '@aws-sdk'), folder.at(join('node_modules', '@aws-sdk')), 'junction');
  });
  afterAll(async () => {
    folder.remove();
    await served.server.stop();
  });

  /** Runs a snippet whose servers are the one of the test. Returns what it prints. */
  const run = async (code: string): Promise<string> => {
    const file = folder.put('snippet.mjs', code.replace(ENDPOINT, served.server.url));
    const env = { ...process.env, ...environmentOf('s3rver', served) };
    return (await promisify(execFile)(process.execPath, [file], { cwd: folder.path, env })).stdout;
  };
  const sizeOf = async (key: string): Promise<number> => {
    const { signal } = new AbortController();
    const body = await served.store.read(served.url(key), { start: 0, end: 2 ** 20 }, signal);
    return (await bodyOf(body)).length;
  };

  test('reading', async () => {
    expect(await run(snippets[0]!)).toBe('3\n5\n');
  });

  test('writing', async () => {
    expect(await run(snippets[1]!)).toBe('');
    expect(await sizeOf('out.tfrecord.gz')).toBeGreaterThan(20);
  });

  test('clients of your own', async () => {
    expect(snippets[2]).toContain(ENDPOINT);
    expect(await run(snippets[2]!)).toBe('');
    expect(await sizeOf('copy.tfrecord')).toBe(tfrecord(['one', 'three']).length);
  });

  test('there are no others', () => {
    expect(snippets).toHaveLength(3);
  });
});
