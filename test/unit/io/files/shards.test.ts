import fs, { chmodSync, mkdirSync } from 'node:fs';

import { expandPath, expandPathSync } from '../../../../lib/io/files/expand-paths';
import { shardPaths, shardSet } from '../../../../lib/io/files/shards';
import { onLinux } from '../../../support/on-linux';
import { Folder } from '../../../support/records/record-files';
import { readTexts, readTextsSync } from '../../../support/records/texts';
import { unprivileged } from '../../../support/unprivileged';

let folder: Folder;
beforeEach(() => {
  folder = new Folder({ others: true });
});
afterEach(() => folder.remove());

/** Shards `numbers` of `count`, which hold their numbers. */
function put(base: string, numbers: readonly number[], count: number): void {
  for (const number of numbers) {
    folder.write(`${base}-0000${number}-of-0000${count}`, [Buffer.from(String(number))]);
  }
}

/** The forms of the names that are looked for, with a star for the numbers, which is left out at the end. */
function firstNames(name: string): string[] {
  return shardSet(name)!.forms.map(({ base, end }) => (end === '' ? base : `${base}*${end}`));
}

describe('names', () => {
  test.each(['s@3', 's-?????-of-00003'])('%s is its shards, in order', async (name) => {
    put('s', [2, 0, 1], 3);
    expect(await readTexts(folder.at(name))).toEqual(['0', '1', '2']);
    expect(readTextsSync(folder.at(name))).toEqual(['0', '1', '2']);
  });

  test('base.ext@N is base-00000-of-N.ext where these are there, else base.ext-00000-of-N', async () => {
    const name = folder.at('s.tfrecord.gz@2');
    put('s.tfrecord.gz', [0, 1], 2);
    expect(await readTexts(name)).toEqual(['0', '1']);
    expect(readTextsSync(name)).toEqual(['0', '1']);
    folder.write('s-00000-of-00002.tfrecord.gz', [Buffer.from('first')]);
    // A complete set goes before an incomplete one.
    expect(await readTexts(name)).toEqual(['0', '1']);
    folder.write('s-00001-of-00002.tfrecord.gz', [Buffer.from('second')]);
    expect(await readTexts(name)).toEqual(['first', 'second']);
    expect(readTextsSync(name)).toEqual(['first', 'second']);
  });

  test.each(['.hidden@2', 'd.x/s@2'])('%s has no suffix: a dot that begins a name, or one of a folder', (name) => {
    const base = name.slice(0, -2);
    expect(shardSet(name)?.forms[0]).toEqual({ base, end: '' });
    expect(firstNames(name)).toEqual([base, ...['.gz', '.zlib', '.zz'].map((end) => `${base}*${end}`)]);
  });

  test.each([
    [
      's.tfrecord@2',
      ['s*.tfrecord', 's.tfrecord*', ...['.gz', '.zlib', '.zz'].flatMap((z) => [`s.tfrecord*${z}`, `s*.tfrecord${z}`])],
    ],
    ['s.tfrecord.gz@2', ['s*.tfrecord.gz', 's.tfrecord.gz*', 's.tfrecord*.gz']],
    ['s.tfrecord@2.gz', ['s.tfrecord*.gz', 's*.tfrecord.gz', 's.tfrecord.gz*']],
    ['s@2.tfrecord.zz', ['s*.tfrecord.zz', 's.tfrecord.zz*', 's.tfrecord*.zz']],
  ])('%s is looked for under the names %j', (name, forms) => {
    expect(firstNames(name)).toEqual(forms.map((form) => form.replace(/\*$/, '')));
  });

  test.each(['s.tfrecord@2.gz', 's.tfrecord.gz@2', 's.tfrecord@2'])(
    '%s finds the compressed shards of TensorFlow’s tools',
    async (name) => {
      for (const number of [0, 1]) folder.write(`s.tfrecord-0000${number}-of-00002.gz`, [Buffer.from(`${number}`)]);
      expect(await readTexts(folder.at(name))).toEqual(['0', '1']);
      expect(readTextsSync(folder.at(name))).toEqual(['0', '1']);
    },
  );

  test('what is not a count, or is in the name of a folder, is no set', () => {
    for (const name of ['s@2/a.gz', 's@2x.gz', 's@2.5', 's@2.', '@2.gz', 's@a.gz']) {
      expect(shardSet(name)).toBeUndefined();
    }
  });

  test('a file of that very name goes before', async () => {
    put('s', [0, 1], 2);
    folder.write('s@2', [Buffer.from('literal')]);
    expect(await readTexts(folder.at('s@2'))).toEqual(['literal']);
  });

  test('sets of more shards than five digits count are none', () => {
    const paths = (name: string): string[] => shardPaths(shardSet(name)!, shardSet(name)!.forms[0]!);
    expect(paths('s@99999').at(-1)).toBe('s-99998-of-99999');
    expect(paths('s-?????-of-99999')).toEqual(paths('s@99999'));
    expect(paths('d/s-??-of-02')).toEqual(['d/s-00-of-02', 'd/s-01-of-02']);
    for (const name of [
      's@0',
      's@100000',
      's@100000.gz',
      's-??????-of-100000',
      's-????-of-00003',
      '*-?????-of-00003',
    ]) {
      expect(shardSet(name)).toBeUndefined();
    }
  });

  test.each(['s@100000', 's@0'])('%s names the limit', async (name) => {
    const error = {
      code: 'ENOENT',
      file: folder.at(name),
      message: expect.stringContaining('takes 1 to 99999 shards'),
    };
    await expect(readTexts(folder.at(name))).rejects.toMatchObject(error);
    expect(() => readTextsSync(folder.at(name))).toThrow(expect.objectContaining(error));
    folder.write(name, [Buffer.from('literal')]);
    expect(await readTexts(folder.at(name))).toEqual(['literal']);
  });
});

describe('missing shards', () => {
  test.each(['s@3', 's-?????-of-00003'])('%s: they are named, and skip reads the others', async (name) => {
    put('s', [0, 2], 3);
    const error = {
      code: 'ENOENT',
      file: folder.at(name),
      message: expect.stringMatching(/1 of 3 shards is missing: '.*s-00001-of-00003'\.$/),
    };
    await expect(readTexts(folder.at(name))).rejects.toMatchObject(error);
    expect(() => readTextsSync(folder.at(name))).toThrow(expect.objectContaining(error));
    expect(await readTexts(folder.at(name), { onError: 'skip' })).toEqual(['0', '2']);
    expect(readTextsSync(folder.at(name), { onError: 'skip' })).toEqual(['0', '2']);
  });

  test('of base.ext@N: the form of which something is there is named', async () => {
    put('s.tfrecord', [0], 2);
    await expect(readTexts(folder.at('s.tfrecord@2'))).rejects.toThrow(
      /1 of 2 shards is missing: '.*s\.tfrecord-00001-of-00002'\.$/,
    );
    folder.write('t-00001-of-00002.tfrecord', [Buffer.from('1')]);
    await expect(readTexts(folder.at('t.tfrecord@2'))).rejects.toThrow(
      /1 of 2 shards is missing: '.*t-00000-of-00002\.tfrecord'\.$/,
    );
    await expect(readTexts(folder.at('t.tfrecord@3'))).rejects.toThrow(
      / There are others: 't-00001-of-00002\.tfrecord'\.$/,
    );
    await expect(readTexts(folder.at('s.tfrecord@3'))).rejects.toThrow(
      / There are others: 's\.tfrecord-00000-of-00002'\.$/,
    );
  });

  test('all of them: the first are named, and the shards of other sets', async () => {
    await expect(readTexts(folder.at('weather@7'))).rejects.toThrow(
      /7 of 7 shards are missing: '.*weather-00000-of-00007', .*'.*weather-00004-of-00007' and 2 more\. Also looked for: 'weather-00000-of-00007\.gz', '.*\.zlib', '.*\.zz'\.$/,
    );
    put('weather', [0, 1], 2);
    await expect(readTexts(folder.at('weather@3'))).rejects.toThrow(
      /3 of 3 shards are missing: .* There are others: 'weather-00000-of-00002', 'weather-00001-of-00002'\.$/,
    );
    await expect(readTexts(folder.at('s.tfrecord@2.gz'))).rejects.toThrow(
      /missing: .*s\.tfrecord-00000-of-00002\.gz', .* Also looked for: 's-0.*2\.tfrecord\.gz', 's\.tfrecord\.gz-0.*2'\.$/,
    );
    await expect(readTexts(folder.at('none/weather@1'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('the look for them', () => {
  test.each([[[0]], [[]]])('is one listing, however many (%j are there)', async (numbers) => {
    put('s', numbers, 2);
    const { promises } = fs;
    const spies = [
      jest.spyOn(promises, 'readdir'),
      jest.spyOn(promises, 'lstat'),
      jest.spyOn(promises, 'stat'),
      jest.spyOn(promises, 'access'),
    ];
    try {
      const [first, ...rest] = await expandPath({ path: folder.at('s@99999'), expands: true });
      expect(first?.error).toMatchObject({ code: 'ENOENT', message: expect.stringContaining(' and 99994 more') });
      expect(rest).toEqual([]);
      // The name itself, and one of the missing, in each of the four forms.
      expect(spies.map((spy) => spy.mock.calls.length)).toEqual([1, 5, 0, 0]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  onLinux('does without a folder that may be passed through, but not listed', async () => {
    mkdirSync(folder.at('in'));
    put('in/s', [0, 1], 2);
    chmodSync(folder.path, 0o755);
    chmodSync(folder.at('in'), 0o711);
    if (process.geteuid?.() !== 0) chmodSync(folder.at('in'), 0o311);
    await unprivileged(async () => {
      expect(readTextsSync(folder.at('in/s@2'))).toEqual(['0', '1']);
      expect(await readTexts(folder.at('in/s@2'))).toEqual(['0', '1']);
    });
    chmodSync(folder.at('in'), 0o755);
  });

  test('trusts a name that the file system knows by another spelling', () => {
    put('s', [0, 1], 2);
    const spy = jest.spyOn(fs, 'readdirSync').mockReturnValue([] as never);
    try {
      const files = ['s-00000-of-00002', 's-00001-of-00002'].map((name) => ({ path: folder.at(name) }));
      expect(expandPathSync({ path: folder.at('s@2'), expands: true })).toEqual(files);
    } finally {
      spy.mockRestore();
    }
  });
});
