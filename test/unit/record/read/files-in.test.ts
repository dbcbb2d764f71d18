import { symlink, writeFile } from 'node:fs/promises';
import { deflateSync, gzipSync } from 'node:zlib';

import { filesIn, type LeftOut } from '../../../../lib/record';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

describe('files of a folder', () => {
  it('are those named as TFRecords, wherever they are in it, or all', async () => {
    const { path, at } = folder.place();
    await writeFile(at('notes.txt'), '');
    expect(await filesIn(path)).toEqual([at('notes.txt')]);
    for (const name of ['b.tfrecord.gz', 'a-00000-of-00001', '.hidden.tfrecord']) await writeFile(at(name), '');
    await symlink('.', at('loop.tfrecord'));
    await symlink('b.tfrecord.gz', at('c.tfrecord'));
    expect(await filesIn(path)).toEqual([at('a-00000-of-00001'), at('b.tfrecord.gz'), at('c.tfrecord')]);
    // Whatever their names are, files that begin like TFRecords count, compressed ones too.
    const content = tfrecord(['one', 'two']);
    await writeFile(at('data.bin'), content);
    await writeFile(at('packed'), gzipSync(content));
    await writeFile(at('zlib'), deflateSync(content));
    await writeFile(at('notes.gz'), gzipSync('nothing of the kind'));
    const left: LeftOut[] = [];
    expect(await filesIn(path, { onLeftOut: (rest) => left.push(rest) })).toEqual(
      ['a-00000-of-00001', 'b.tfrecord.gz', 'c.tfrecord', 'data.bin', 'packed', 'zlib'].map(at),
    );
    expect(left).toEqual([{ files: [at('notes.gz'), at('notes.txt')], unread: false }]);
    // Indexes of other programs, and other text, lie beside files and have their names.
    const beside = ['b.tfrecord.gz.gzi', 'b.tfrecord.gz.gzidx', 'b.tfrecord.idx', 'a-00000-of-00001.idx'];
    for (const name of beside) await writeFile(at(name), '0 21\n');
    expect(await filesIn(path)).toEqual(
      ['a-00000-of-00001', 'b.tfrecord.gz', 'c.tfrecord', 'data.bin', 'packed', 'zlib'].map(at),
    );
    await expect(filesIn(at('missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
