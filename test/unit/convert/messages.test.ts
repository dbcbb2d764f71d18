import { readFileSync } from 'node:fs';

import { Example, loadMessageTypes, readMessages, type MessageTypes } from '../../../lib';
import { convert } from '../../../lib/convert';
import { ProtoFolder } from '../../support/messages/proto-folder';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new ProtoFolder();
let types: MessageTypes;
beforeAll(async () => {
  types = await loadMessageTypes(folder.at('all.proto'));
});
afterAll(() => {
  folder.remove();
});

/** Writes records of `tree`. Returns the path. */
function trees(name: string, count: number): string {
  const tree = types.type('Tree');
  return folder.put(
    name,
    tfrecord(Array.from({ length: count }, (_, i) => tree.encode({ label: `${i}`, left: { label: 'l' } }))),
  );
}

describe('convert with a message', () => {
  it.each([['jsonl'], ['protojson'], ['jsonl.gz']])('writes .%s and reads it, in shards', async (extension) => {
    const message = types.type('Tree');
    const report = await convert(trees('in.tfrecord', 1000), folder.at(`out.${extension}`), {
      message,
      shards: 3,
      force: true,
    });
    expect(report).toMatchObject({ records: 1000, skipped: 0 });
    const back = folder.fresh();
    await convert(folder.at(`out-*.${extension}`), back, { message });
    const found: unknown[] = [];
    for await (const { label } of readMessages(back, message)) found.push(label);
    expect(found).toEqual(Array.from({ length: 1000 }, (_, i) => `${i}`));
    expect(readFileSync(back)).toEqual(readFileSync(folder.at('in.tfrecord')));
  });

  it('leaves out what onError accepts: records, and lines', async () => {
    const message = types.type('Tree');
    const record = Buffer.from(message.encode({ label: 'a' }));
    const lines = folder.at('some.jsonl');
    const options = { message, onError: 'skip' as const };
    expect(await convert(tfrecord([record, Buffer.from([0xff]), record]), lines, options)).toMatchObject({
      records: 2,
      skipped: 1,
    });
    expect(readFileSync(lines, 'utf8')).toBe('{"label":"a"}\n{"label":"a"}\n');
    folder.put('bad.jsonl', Buffer.from('{"label":"a"}\n{"label":"\xff"}\n{"nope":1}\n\n', 'latin1'));
    expect(await convert(folder.at('bad.jsonl'), folder.fresh(), options)).toMatchObject({ records: 1, skipped: 2 });
    await expect(convert(tfrecord([Buffer.from([0xff])]), folder.at('no.jsonl'), { message })).rejects.toMatchObject({
      code: 'TFR_DECODE',
      record: 0,
    });
  });

  it('resumes a job of the same message only', async () => {
    const input = trees('resumed.tfrecord', 10);
    const output = folder.at('resumed.jsonl');
    await convert(input, output, { message: types.type('Tree'), shards: 2 });
    expect(await convert(input, output, { message: types.type('Tree'), shards: 2, resume: true })).toMatchObject({
      upToDate: true,
    });
    await expect(
      convert(input, output, { message: types.type('Choice'), shards: 2, resume: true }),
    ).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
    });
  });

  it('refuses other types, formats, and options about Examples', async () => {
    const message = types.type('Tree');
    const input = trees('refused.tfrecord', 1);
    const refused = (output: string, options: object) =>
      expect(convert(input, folder.at(output), options)).rejects.toMatchObject({
        code: expect.stringMatching(/^ERR_INVALID_ARG/),
      });
    await refused('a.jsonl', { message: Example });
    await refused('a.jsonl', { message: {} });
    await refused('a.csv', { message });
    await refused('a.tfrecord', { message });
    for (const option of [
      { features: ['a'] },
      { exclude: ['a'] },
      { where: 'true' },
      { split: { a: 1 }, splitBy: 'a' },
    ]) {
      await refused('a.jsonl', { message, ...option });
    }
    await refused('a.jsonl', { message, spec: {} });
  });
});
