/** Ctrl-C while the command uploads: the upload is given up, and an object that was there before stays. */
import { encodeExample, readRecords } from '../../../lib';
import { objectSource } from '../../../lib/io';
import { tfrecord } from '../../support/records/tfrecord';
import { cliResult, startCli } from '../../support/running/run-cli';
import { s3Package } from '../../support/servers/clients';
import { describeWith } from '../../support/servers/servers';
import { environmentOf, serveStore, uploadObject, uploadsOf, type ServedStore } from '../../support/servers/stores';

jest.mock('@aws-sdk/client-s3', () => s3Package(), { virtual: true });

const MIB = 2 ** 20;
/** Two full parts and more; the emulator of firebase publishes an object with its first part. */
const SIZES = { swift: 20, azurite: 20, firebase: 4 } as const;

function recordsOf(mebibytes: number): Buffer {
  return tfrecord(Array.from({ length: mebibytes }, () => encodeExample({ a: Buffer.alloc(MIB) })));
}

for (const name of ['swift', 'azurite', 'firebase'] as const) {
  describeWith('clients', name)(name, () => {
    let served: ServedStore;
    beforeAll(async () => {
      served = await serveStore(name);
    });
    afterAll(() => served.server.stop());

    test.each(['SIGINT', 'SIGTERM'] as const)('%s leaves the object as it was, and no parts', async (signal) => {
      const url = served.url(`${signal}.tfrecord`);
      await uploadObject(served.store, url, tfrecord(['before']));
      const args = ['convert', '--force', '--compression', 'none', '-', url];
      const child = startCli(args, { env: environmentOf(name, served) });
      try {
        const result = cliResult(child);
        child.stdin.on('error', () => undefined);
        // More input would follow. Once the command has read this, it has begun to upload.
        await new Promise((resolve) => child.stdin.write(recordsOf(SIZES[name]), resolve));
        if (name === 'swift') while ((await uploadsOf(served)) === 0);
        else await new Promise((resolve) => setTimeout(resolve, 1_000));
        child.kill(signal);
        expect(await result).toMatchObject({ code: signal === 'SIGINT' ? 130 : 143, stderr: '' });
      } finally {
        child.kill('SIGKILL');
      }
      if (name === 'swift') expect(await uploadsOf(served)).toBe(0);
      const records: string[] = [];
      for await (const record of readRecords(objectSource(url, served.store)))
        records.push(Buffer.from(record).toString());
      expect(records).toEqual(['before']);
    });
  });
}
