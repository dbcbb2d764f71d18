import fs, { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { RecordReader, RecordWriter } from '../../../../lib';
import { expandPath, expandPathSync } from '../../../../lib/io/files/expand-paths';
import type { ExpandedPath } from '../../../../lib/io/files/named-path';
import { onLinux } from '../../../support/on-linux';
import { Folder } from '../../../support/records/record-files';
import { readTexts, readTextsSync } from '../../../support/records/texts';
import { unprivileged } from '../../../support/unprivileged';

let folder: Folder;
beforeEach(() => {
  folder = new Folder({ others: true });
});
afterEach(() => folder.remove());

/** Files that hold their own names, and the folders they are in. */
function put(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(folder.at(name), '..'), { recursive: true });
    folder.write(name, [Buffer.from(name)]);
  }
}

/** Expands `pattern`, below the folder, in both lanes: to names, and to codes of errors with the name they tell. */
async function expand(pattern: string): Promise<string[]> {
  const name = { path: folder.at(pattern), expands: true };
  const shown = ({ path, error }: ExpandedPath): string => {
    const file = slashed(error?.file ?? path).replace(`${slashed(folder.path)}/`, '');
    return error === undefined ? file : `${error.code} ${file}`;
  };
  const found = (await expandPath(name)).map(shown);
  expect(expandPathSync(name).map(shown)).toEqual(found);
  return found;
}

/** Paths of Windows as those of others. */
const slashed = (path: string): string => (process.platform === 'win32' ? path.replaceAll('\\', '/') : path);
/** True if the system allows the name. */
const allowed = (name: string): boolean => process.platform !== 'win32' || !/[*"|\n]/.test(name);

describe('matches', () => {
  beforeEach(() => {
    put('Z.tfr', 'a.tfr', '.hidden.tfr', '10.tfr', '9.tfr', ...['a*b'].filter(allowed), '\u{1F600}.x', '\uFF5E.x');
    put('in/a.tfr', 'in/deep/b.tfr', 'in/deep/deeper/c.tfr', 'in/deep/deeper/c.txt');
    mkdirSync(folder.at('folder.tfr'));
  });

  const MATCHES: [pattern: string, files: string[]][] = [
    ['*.tfr', ['10.tfr', '9.tfr', 'Z.tfr', 'a.tfr']],
    ['.*.tfr', ['.hidden.tfr']],
    ['.h*', ['.hidden.tfr']],
    ['[9a].tfr', ['9.tfr', 'a.tfr']],
    ['[!9a].tfr', ['Z.tfr']],
    ['[^9a].tfr', ['Z.tfr']],
    ['[a-z].tfr', ['a.tfr']],
    ['?0.tfr', ['10.tfr']],
    ['a*b', ['a*b']],
    ['a\\**', ['a*b']],
    // By bytes, not by UTF-16.
    ['*.x', ['\uFF5E.x', '\u{1F600}.x']],
    ['in/*/*.tfr', ['in/deep/b.tfr']],
    ['in//*/*.tfr', ['in/deep/b.tfr']],
    ['in/*/./*.tfr', ['in/deep/b.tfr']],
    ['in/**/*.tfr', ['in/a.tfr', 'in/deep/b.tfr', 'in/deep/deeper/c.tfr']],
    ['in/**', ['in/a.tfr', 'in/deep/b.tfr', 'in/deep/deeper/c.tfr', 'in/deep/deeper/c.txt']],
    ['in/*/**', ['in/deep/b.tfr', 'in/deep/deeper/c.tfr', 'in/deep/deeper/c.txt']],
    ['in/**/deep*/**/c.tfr', ['in/deep/deeper/c.tfr']],
    ['**/deeper/*.tfr', ['in/deep/deeper/c.tfr']],
    ['*/deep/b.tfr', ['in/deep/b.tfr']],
  ];
  test.each(MATCHES.filter(([, files]) => files.every(allowed)))('%s', async (pattern, files) => {
    expect(await expand(pattern)).toEqual(files);
    expect(await readTexts(folder.at(pattern))).toEqual(files);
    expect(readTextsSync(folder.at(pattern))).toEqual(files);
  });

  test.each(['nothing*', 'in/*/', 'none/*.tfr', 'a.tfr/*', '*.TFR'])('%s matches nothing: ENOENT', async (pattern) => {
    const error = { code: 'ENOENT', syscall: 'glob', file: folder.at(pattern) };
    expect(await expand(pattern)).toEqual([`ENOENT ${pattern}`]);
    await expect(readTexts(folder.at(pattern))).rejects.toMatchObject(error);
    await expect(readTexts(folder.at(pattern))).rejects.toThrow(/glob '.*'\. No file matches\.$/);
    expect(() => readTextsSync(folder.at(pattern))).toThrow(expect.objectContaining(error));
  });

  test('names with a dot are named if nothing else matches', async () => {
    const [found] = await expandPath({ path: folder.at('*hid*'), expands: true });
    expect(found?.error?.message).toMatch(
      /No file matches\. Names that begin with a dot match only a pattern that does\.$/,
    );
  });

  const NAMES = ['a(1)|b', 'a+b', 'a{1,2}', '!a', 'a"b"', 'a@(b)', 'a$^.', 'a\nb', 'a,b~#', 'ä\u0308'];
  test.each(NAMES.filter(allowed))('what is no wildcard stands for itself: %j', async (name) => {
    put(`odd/${name}1.tfr`, `(odd) {x,y}/${name}2.tfr`);
    expect(await expand(`odd/${name}*.tfr`)).toEqual([`odd/${name}1.tfr`]);
    expect(await expand(`(odd) {x,y}/${name}?.tfr`)).toEqual([`(odd) {x,y}/${name}2.tfr`]);
  });

  test('relative patterns give relative paths', async () => {
    const before = process.cwd();
    process.chdir(folder.path);
    try {
      const paths = async (path: string): Promise<string[]> =>
        (await expandPath({ path, expands: true })).map((file) => file.path);
      expect(await paths('Z*')).toEqual(['Z.tfr']);
      expect(await paths('./in/*/b*')).toEqual(['./in/deep/b.tfr']);
    } finally {
      process.chdir(before);
    }
  });

  test('a URL is never a pattern', async () => {
    const file = folder.at('*.tfr');
    await expect(RecordReader.open(pathToFileURL(file))).rejects.toMatchObject({ code: 'ENOENT', file });
  });
});

describe('links', () => {
  test('are followed, to files and to folders', async () => {
    put('pool/a.tfr', 'b.tfr');
    mkdirSync(folder.at('set'));
    symlinkSync('../pool', folder.at('set/pool'));
    symlinkSync('../b.tfr', folder.at('set/b.tfr'));
    expect(await expand('set/**/*.tfr')).toEqual(['set/b.tfr', 'set/pool/a.tfr']);
    expect(await expand('set/*/a.tfr')).toEqual(['set/pool/a.tfr']);
  });

  test('that lead nowhere are errors where they match, and elsewhere are passed over', async () => {
    put('set/a.tfr');
    symlinkSync('../gone.tfr', folder.at('set/b.tfr'));
    expect(await expand('set/*.tfr')).toEqual(['set/a.tfr', 'set/b.tfr']);
    const error = { code: 'ENOENT', file: folder.at('set/b.tfr') };
    await expect(readTexts(folder.at('set/*.tfr'))).rejects.toMatchObject(error);
    expect(() => readTextsSync(folder.at('set/*.tfr'))).toThrow(expect.objectContaining(error));
    symlinkSync('/not/mounted', folder.at('set/2024'));
    expect(await expand('set/*.tfr')).toEqual(['set/a.tfr', 'set/b.tfr']);
    expect(await expand('set/**/*.tfr')).toEqual(['set/a.tfr', 'set/b.tfr']);
    expect(await expand('set/*/*.tfr')).toEqual(['ENOENT set/*/*.tfr']);
    expect(await expand('set/2024/*.tfr')).toEqual(['ENOENT set/2024/*.tfr']);
    expect(await expand('set/**')).toEqual(['set/2024', 'set/a.tfr', 'set/b.tfr']);
    expect(await readTexts(folder.at('set/**/a*.tfr'))).toHaveLength(1);
    expect(readTextsSync(folder.at('set/**/a*.tfr'))).toHaveLength(1);
  });

  test('to themselves lead nowhere', async () => {
    put('set/a.tfr');
    symlinkSync('self', folder.at('set/self'));
    expect(await expand('set/**/*.tfr')).toEqual(['set/a.tfr']);
    expect(await expand('set/self/*.tfr')).toEqual(['ELOOP set/self/*.tfr']);
  });

  test('that lead in circles end, and lose nothing', async () => {
    put('a/1.tfr', 'b/2.tfr');
    symlinkSync('.', folder.at('a/self'));
    symlinkSync('../b', folder.at('a/b'));
    symlinkSync('../a', folder.at('b/a'));
    expect(await expand('a/**/*.tfr')).toEqual(['a/1.tfr', 'a/b/2.tfr']);
    expect(await expand('a/self/*/*.tfr')).toEqual(['a/self/b/2.tfr', 'a/self/self/1.tfr']);
    expect(await expand('a/**/self/*.tfr')).toEqual(['a/self/1.tfr']);
  });
});

describe('what cannot be looked at', () => {
  onLinux('a folder that may not be listed is an error, before the files of others', async () => {
    put('set/a/1.tfr', 'set/secret/2.tfr', 'set/z/3.tfr');
    chmodSync(folder.at('set/secret'), 0o000);
    chmodSync(folder.path, 0o755);
    await unprivileged(async () => {
      const found = ['EACCES set/secret', 'set/a/1.tfr', 'set/z/3.tfr'];
      expect(await expand('set/**/*.tfr')).toEqual(found);
      expect(await expand('set/*/*.tfr')).toEqual(found);
      const [first] = expandPathSync({ path: folder.at('set/**/*.tfr'), expands: true });
      expect(first?.error).toMatchObject({ syscall: 'scandir', errno: -13 });
      expect(first?.error?.message).toMatch(
        /^EACCES: permission denied, scandir '.*secret'\. Files that '.*\*\.tfr' may?/,
      );
      // It is not asked what the pattern does not need.
      expect(await expand('set/a/*.tfr')).toEqual(['set/a/1.tfr']);
      expect(await expand('set/[az]/*.tfr')).toEqual(['set/a/1.tfr', 'set/z/3.tfr']);
      for (const name of ['set/secret/*.tfr', 'set/secret/s@3', 'set/secret/deep/s-?????-of-00002']) {
        expect(await expand(name)).toEqual([`EACCES ${name}`]);
      }
    });
    chmodSync(folder.at('set/secret'), 0o755);
  });

  test.each([
    ['ENAMETOOLONG', `${'x'.repeat(300)}*`],
    ['ENAMETOOLONG', `${'x'.repeat(300)}@3`],
    ['ENAMETOOLONG', `${'x'.repeat(300)}/*.tfr`],
    ['ENOENT', 'file/*.tfr'],
    ['ENOENT', 'file/s@3'],
  ])('%s in both lanes: %s', async (code, name) => {
    put('file');
    expect(await expand(name)).toEqual([`${code} ${name}`]);
    const error = { name: 'TFRecordError', code, file: folder.at(name) };
    await expect(readTexts(folder.at(name))).rejects.toMatchObject(error);
    expect(() => readTextsSync(folder.at(name))).toThrow(expect.objectContaining(error));
  });

  test('no descriptor left', async () => {
    put('set/a/1.tfr', 'set/z/3.tfr');
    const error = Object.assign(new Error('EMFILE'), { code: 'EMFILE', errno: -24, syscall: 'scandir' });
    const { readdirSync } = fs;
    const { readdir } = fs.promises;
    const mocks = [
      jest.spyOn(fs, 'readdirSync').mockImplementation(((path: string, options: never) => {
        if (path.includes('/z')) throw error;
        return readdirSync(path, options);
      }) as never),
      jest.spyOn(fs.promises, 'readdir').mockImplementation((async (path: string, options: never) => {
        if (path.includes('/z')) throw error;
        return readdir(path, options);
      }) as never),
    ];
    try {
      expect(await expand('set/**/*.tfr')).toEqual(['EMFILE set/z', 'set/a/1.tfr']);
      expect(mocks.every((mock) => mock.mock.calls.length > 0)).toBe(true);
    } finally {
      for (const mock of mocks) mock.mockRestore();
    }
  });

  onLinux('names that are not UTF-8', async () => {
    put('set/a.tfr');
    const raw = (name: string): Buffer =>
      Buffer.concat([Buffer.from(`${folder.path}/set/`), Buffer.from(name, 'latin1')]);
    fs.writeFileSync(raw('\xff\xe4.tfr'), '');
    expect(await expand('set/*.tfr')).toEqual(['EILSEQ set', 'set/a.tfr']);
    expect(await expand('set/*.txt')).toEqual(['ENOENT set/*.txt']);
    await expect(readTexts(folder.at('set/*'))).rejects.toThrow(
      /^EILSEQ: .*scandir '.*set'\. The name '\\xff\\xe4\.tfr'/,
    );
    fs.mkdirSync(raw('\xff'));
    symlinkSync('a.tfr', raw('\xfe'));
    expect(await expand('set/*/x.tfr')).toEqual(['EILSEQ set']);
    symlinkSync('.', raw('\xfd'));
    expect(await expand('set/*/x.tfr')).toEqual(['EILSEQ set', 'EILSEQ set']);
    expect(await expand('set/a*/x.tfr')).toEqual(['ENOENT set/a*/x.tfr']);
  });
});

describe('URLs as strings', () => {
  test.each(['ftp://example.com/a.tfrecord', 'hdfs://bucket/a*.tfrecord', 'hdfs://bucket/a@3'])(
    '%s is told to be a stream',
    async (path) => {
      const error = {
        code: 'ENOENT',
        file: path,
        message: expect.stringMatching(/URLs of https:.* are read.*the Response of a fetch/),
      };
      await expect(readTexts(path)).rejects.toMatchObject(error);
      expect(() => readTextsSync(path)).toThrow(expect.objectContaining(error));
    },
  );

  test('a URL that is not read is named without its credentials', async () => {
    const url = 'ftp://user:word@example.com/a.tfrecord?key=word';
    const shown = 'ftp://example.com/a.tfrecord';
    await expect(readTexts(url)).rejects.toMatchObject({
      file: shown,
      message: expect.not.stringContaining('word'),
    });
    expect(() => readTextsSync(new URL(url))).toThrow(`Received "${shown}"`);
  });

  test('a file URL is to be passed as one, and one without a store as a stream', async () => {
    await expect(readTexts('file:///a.tfrecord')).rejects.toThrow(/ENOENT.*new URL/);
    expect(() => readTextsSync(new URL('ftp://example.com/a'))).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_ARG_VALUE',
        message: expect.stringContaining('pass the Response of a fetch'),
      }),
    );
  });
});

describe('what a writer left behind, or is still writing', () => {
  const FILE = '.a.tfr.4711-0123456789ab.tmp';
  const CACHE = 'cache.4711-0123456789abcdef.tmp';

  test.each(['*', '**', '.*', '*.tfr*', '*.tmp', '?a*', `${FILE.slice(0, -1)}?`, `*/${FILE}`, `in/**/*`])(
    'is matched by no pattern: %s',
    async (pattern) => {
      put(FILE, `in/${FILE}`, `${CACHE}/cache-00000.tfrecord`, 'a.tfr', 'in/a.tfr');
      const files = (await expand(pattern)).filter((found) => !found.startsWith('ENOENT'));
      expect(files.join()).not.toContain('.tmp');
    },
  );

  test('alone is no match, and the error says why', async () => {
    put(FILE);
    const [found] = await expandPath({ path: folder.at('*'), expands: true });
    expect(found?.error).toMatchObject({ code: 'ENOENT', message: expect.stringContaining('.NAME.PID-HEX.tmp') });
  });

  test('is read by its whole name', async () => {
    put(FILE, `${CACHE}/cache-00000.tfrecord`);
    expect(await readTexts(folder.at(FILE))).toEqual([FILE]);
    expect(await readTexts(folder.at(`${CACHE}/*`))).toEqual([`${CACHE}/cache-00000.tfrecord`]);
  });

  test('is known by its form, and nothing else is', async () => {
    put(
      'a.tfr.4711-0123456789ab.tmp',
      '.a.tfr.4711-0123456789a.tmp',
      '.a.tfr.4711-0123456789AB.tmp',
      '.4711-0123456789ab.tmp',
      '.a.tfr-0123456789ab.tmp',
      CACHE,
      `${FILE}/inside`,
    );
    expect(await expand('**')).toHaveLength(2);
    expect(await expand('.*')).toHaveLength(4);
    expect(await expand('.*/**')).toEqual([`${FILE}/inside`]);
  });

  test('has that form', async () => {
    const writers = await Promise.all(
      ['a', 'é'.repeat(127), ' .tmp', 'n\nl'].map((name) => RecordWriter.open(folder.at(name))),
    );
    expect(readdirSync(folder.path)).toHaveLength(4);
    expect(await expand('*')).toEqual(['ENOENT *']);
    for (const writer of writers) await writer.abort();
  });
});
