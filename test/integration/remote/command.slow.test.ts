/** The command with URLs of buckets, through clients that find their credentials in the environment. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ROOT } from '../../support/running/compiled-sources';
import { s3Package } from '../../support/servers/clients';
import { describeWith } from '../../support/servers/servers';
import { environmentOf, serveStore, uploadObject, type ServedStore } from '../../support/servers/stores';
import { tfrecord } from '../../support/records/tfrecord';

jest.mock('@aws-sdk/client-s3', () => s3Package(), { virtual: true });

for (const name of ['s3rver', 'azurite', 'firebase'] as const) {
  describeWith('clients', name)(`the command and ${name}`, () => {
    let served: ServedStore;

    beforeAll(async () => {
      served = await serveStore(name);
    });
    afterAll(() => served.server.stop());

    const run = async (...args: string[]): Promise<{ stdout: string; stderr: string; code?: number }> => {
      const env = { ...process.env, ...environmentOf(name, served) };
      const command = [join(ROOT, 'dist', 'cli', 'main.js'), ...args];
      return promisify(execFile)(process.execPath, command, { env }).catch((error: unknown) => error as never);
    };

    test('count, convert to and from a bucket', async () => {
      await uploadObject(served.store, served.url('a.tfrecord'), tfrecord(['', '']));
      expect((await run('count', served.url('*.tfrecord'))).stdout).toContain('2');
      const out = served.url('out.jsonl');
      expect(await run('convert', served.url('a.tfrecord'), out)).not.toHaveProperty('code');
      expect(await run('convert', served.url('a.tfrecord'), out)).toMatchObject({ code: 2 });
      expect(await run('convert', out, served.url('b.tfrecord'))).not.toHaveProperty('code');
      expect((await run('count', served.url('b.tfrecord'))).stdout).toContain('2');
    });

    test('index saves beside the object, and get uses it', async () => {
      const url = served.url('indexed.tfrecord');
      await uploadObject(served.store, url, tfrecord(['', '']));
      const { stdout } = await run('index', '--json', url);
      expect(JSON.parse(stdout)).toMatchObject({
        file: url,
        index: `${url}.tfindex`,
        records: 2,
        bytes: expect.any(Number),
      });
      expect((await run('count', '--by-index', url)).stdout).toContain('2');
      expect((await run('get', url, '1')).stdout).toContain('{}');
    });

    test('an object that is missing is an error that names it', async () => {
      const { stderr, code } = await run('count', served.url('none.tfrecord'));
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(served.url('none.tfrecord'))]);
    });
  });
}
