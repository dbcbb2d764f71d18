/** Records of files that nginx serves: the same as those of the files, with ranges and without. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { readRecords, RecordIndex, writeRecords } from '../../../lib';
import { describeWith, startServer, type RunningServer } from '../../support/servers/servers';

const RECORDS = Array.from({ length: 2_000 }, (_, i) => randomBytes((i * 7) % 2_000));

/** Jest compares texts a thousand times as fast as bytes. */
function sumOf(record: Uint8Array): string {
  return createHash('sha1').update(record).digest('hex');
}

describeWith('nginx')('records in nginx', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer('nginx');
  });
  afterAll(() => server.stop());

  test.each([
    ['plain.tfrecord', 'none'],
    ['gzip.tfrecord.gz', 'gzip'],
    ['zlib.tfrecord', 'zlib'],
    ['no-ranges.tfrecord', 'none'],
  ] as const)('%s, in order and by number', async (name, compression) => {
    await writeRecords(join(server.folder, 'files', name), RECORDS, { compression });
    const url = `${server.url}/${name}`;
    const found: string[] = [];
    for await (const record of readRecords(url)) found.push(sumOf(record));
    expect(found).toEqual(RECORDS.map(sumOf));

    const index = RecordIndex.scan(url);
    await index.done;
    const numbers = [1_999, 5, 1_400, 1_401];
    expect(Array.from(await index.readBatch(numbers), sumOf)).toEqual(numbers.map((i) => sumOf(RECORDS[i]!)));
    await index.close();
  });
});
