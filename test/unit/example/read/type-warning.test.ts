/** The warning about records of another type comes from the records that the reader has, not from a second reading. */
import { relative } from 'node:path';

import { encodeExample, encodeSequenceExample, int64, readExamples, varLen } from '../../../../lib';
import { onLinux } from '../../../support/on-linux';
import { Folder } from '../../../support/records/record-files';
import { pieces, tfrecord } from '../../../support/records/tfrecord';
import { isOpen } from '../../../support/running/descriptors';

const folder = new Folder();
afterAll(() => folder.remove());

const emit = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterAll(() => emit.mockRestore());

const sequence = encodeSequenceExample({ featureLists: { a: [int64(1)] } });
const ONE = [expect.stringMatching(/^Record 0 of .*This is a SequenceExample/)];

async function warningsOf(source: Parameters<typeof readExamples>[0], maxRecordBytes?: number): Promise<unknown[]> {
  emit.mockClear();
  for await (const { z } of readExamples(source, { z: varLen('int64') }, { maxRecordBytes })) {
    expect(z).toHaveLength(0);
  }
  return emit.mock.calls.map(([text]) => text);
}

onLinux('after process.chdir', async () => {
  const file = folder.write('moved.tfrecord', [sequence]);
  const before = process.cwd();
  emit.mockClear();
  try {
    const rows = readExamples(relative(before, file), { z: varLen('int64') })[Symbol.asyncIterator]();
    const first = rows.next();
    while (!isOpen(file)) await new Promise(setImmediate);
    process.chdir('/');
    expect(await first).toMatchObject({ done: false });
    await rows.return?.();
  } finally {
    process.chdir(before);
  }
  expect(emit.mock.calls.map(([text]) => text)).toEqual(ONE);
});

test('of each file', async () => {
  const right = folder.write('right.tfrecord', [encodeExample({ z: undefined })]);
  const empty = folder.write('empty.tfrecord', []);
  const later = folder.write('later.tfrecord', [sequence]);
  for (const source of [
    [right, later],
    [empty, later],
    [right, later, later],
  ]) {
    expect(await warningsOf(source)).toEqual([expect.stringContaining(`Record 0 of ${later}`)]);
  }
});

test('with the maxRecordBytes of the caller, of records over 64 KiB, and of streams', async () => {
  const long = encodeSequenceExample({ featureLists: { a: [new Uint8Array(200_000)] } });
  const file = folder.write('long.tfrecord', [long]);
  for (const source of [file, tfrecord([long]), pieces(tfrecord([long]), 10_000)]) {
    expect(await warningsOf(source, 200_100)).toEqual(ONE);
  }
});
