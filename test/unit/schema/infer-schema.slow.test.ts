/** Schemas of very many features. */
import { encodeExample } from '../../../lib';
import { inferSchema, type InferredSchema } from '../../../lib/schema';
import { tfrecord } from '../../support/records/tfrecord';

const infer = (...records: readonly Uint8Array[]): Promise<InferredSchema> => inferSchema(tfrecord(records));

test('more features than can be told apart', async () => {
  const part = (from: number): Uint8Array =>
    encodeExample(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${from + i}`, []])));
  await expect(infer(part(0), part(20_000))).rejects.toMatchObject({
    code: 'TFR_EXAMPLE',
    message: expect.stringContaining('32768') as string,
  });
  expect((await infer(part(0), part(10_000))).features).toHaveLength(30_000);
});
