/** Appending needs a lock against a second writer, which WebAssembly does not have. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { encodeRecords } from '../../../../lib';
import { Folder } from '../../../support/records/record-files';
import { libraryOverWasm } from '../../../support/wasm-library';
import { describeWasm, lackOfWasm } from '../../../support/wasm-module';

describeWasm(`append: true${lackOfWasm}`, () => {
  const tf = lackOfWasm === '' ? libraryOverWasm() : (undefined as never);
  const folder = new Folder();
  afterAll(() => folder.remove());

  test('is refused, with the reason and the way out, before a file is touched', async () => {
    const file = folder.write('a.tfrecord', [Buffer.from('first')]);
    const missing = join(folder.path, 'missing.tfrecord');
    for (const path of [file, missing]) {
      const refused = expect.objectContaining({
        name: 'TFRecordError',
        code: 'ENOSYS',
        syscall: 'open',
        file: path,
        message: expect.stringMatching(/WebAssembly build cannot lock .* does not append.* a file of their own/) as string,
      }) as Error;
      await expect(tf.writeRecords(path, ['second'], { append: true })).rejects.toEqual(refused);
      await expect(tf.RecordWriter.open(path, { append: true })).rejects.toEqual(refused);
    }
    expect(readFileSync(file).equals(encodeRecords(['first']))).toBe(true);
    expect(existsSync(missing)).toBe(false);
  });

  test('other writers work', async () => {
    const path = join(folder.path, 'new.tfrecord');
    await tf.writeRecords(path, ['a'], { atomic: false });
    await tf.writeRecords(path, ['b']);
    expect(readFileSync(path).equals(encodeRecords(['b']))).toBe(true);
  });
});
