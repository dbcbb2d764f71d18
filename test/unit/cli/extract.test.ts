import fc from 'fast-check';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';

import { encodeExample, encodeSequenceExample, float, int64 } from '../../../lib';
import { extensionOf, NameTemplate, safeSegment, withExtension } from '../../../lib/cli/commands/extract/file-names';
import { PeopleFolder } from '../../support/records/people';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const picture = (id: string, label: number, value: Uint8Array) =>
  encodeExample({ 'image/encoded': value, 'image/filename': id, label: int64(label), score: float(0.5) });

folder.write('pictures.tfrecord', [
  picture('a.jpg', 0, JPEG),
  picture('b', 1, PNG),
  encodeExample({ label: int64(1) }),
  picture('c', 0, Buffer.from('text')),
]);

const extract = (...args: string[]) => folder.here('extract', ...args);
const tree = (path: string): string[] =>
  readdirSync(folder.at(path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[a-z0-9]+$/.test(name))
    .sort();

describe('tfrecord extract', () => {
  it('writes files named by number and content, and says how many', async () => {
    const { code, stdout, stderr } = await extract('pictures.tfrecord', '--feature', 'image/encoded', '-o', 'out');
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '3 files to out (1 jpg, 1 png, 1 txt; 24 bytes); 1 record without "image/encoded"\n',
      stderr: '',
    });
    expect(tree('out')).toEqual(['00000000.jpg', '00000001.png', '00000003.txt']);
    expect(readFileSync(folder.at('out/00000001.png')).equals(PNG)).toBe(true);
    expect(folder.temporary()).toEqual([]);
  });

  it('names files by features, in folders of classes', async () => {
    const { stdout } = await extract(
      ...['pictures.tfrecord', '--feature', 'image/encoded', '-o', 'classes', '--json'],
      ...['--name', 'x-{image/filename}', '--by', 'label'],
    );
    expect(JSON.parse(stdout)).toEqual({
      folder: 'classes',
      files: 3,
      bytes: 24,
      records: 4,
      missing: 1,
      types: { jpg: 1, png: 1, txt: 1 },
    });
    expect(tree('classes')).toEqual(['0/x-a.jpg', '0/x-c.txt', '1/x-b.png']);
    await extract(
      ...['pictures.tfrecord', '--feature', 'image/encoded', '-o', 'deep', '--extension', '.bin', '-m', '2'],
      ...['--name', '{file}/{label}/{score}-{record}'],
    );
    expect(tree('deep').map((name) => name.replaceAll('\\', '/'))).toEqual([
      'pictures.tfrecord',
      'pictures.tfrecord/0/0.5-00000000.bin',
      'pictures.tfrecord/1/0.5-00000001.bin',
    ]);
  });

  it('numbers several values, and those of steps', async () => {
    folder.write('lists', [
      encodeExample({ b: ['x', 'y'] }),
      encodeSequenceExample({ context: {}, featureLists: { b: [['u'], ['v', 'w']] } }),
    ]);
    expect((await extract('lists', '--feature', 'b', '-o', 'several')).code).toBe(0);
    expect(tree('several')).toEqual([
      ...['00000000-0.txt', '00000000-1.txt', '00000001-0.txt', '00000001-1.txt', '00000001-2.txt'],
    ]);
  });

  it('replaces no file unless told so, and gives no two records one file', async () => {
    const args = ['pictures.tfrecord', '--feature', 'image/encoded', '-o', 'kept', '--name', '{image/filename}'];
    mkdirSync(folder.at('kept'));
    writeFileSync(folder.at('kept/b.png'), 'mine');
    const refused = await extract(...args);
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tfrecord: error: kept/b.png exists: --force replaces files, --name gives others\n',
    });
    expect(readFileSync(folder.at('kept/b.png'), 'utf8')).toBe('mine');
    expect((await extract(...args, '--force')).code).toBe(0);
    expect(readFileSync(folder.at('kept/b.png')).equals(PNG)).toBe(true);
    const same = ['pictures.tfrecord', '--feature', 'image/encoded', '-o', 'same', '--name', 'x', '--extension', 'y'];
    const twice = await extract(...same, '--force');
    expect(twice.code).toBe(1);
    expect(twice.stderr).toMatch(
      /^tfrecord: error: TFR_FEATURE: Record 1 of pictures\.tfrecord: An earlier record has the file name "x\.y"/,
    );
    expect(readFileSync(folder.at('same/x.y')).equals(JPEG)).toBe(true);
    const skipped = await extract(...same, '--force', '--on-error', 'skip');
    expect(skipped).toMatchObject({ code: 0, stdout: expect.stringContaining('1 file to same') });
    for (const name of ['kept', 'same']) {
      expect(readdirSync(folder.at(name)).filter((entry) => entry.endsWith('.tmp'))).toEqual([]);
    }
  });

  it('fails at damage and at records that do not fit, and keeps what it wrote', async () => {
    const damaged = await extract('flipped.tfrecord', '--feature', 'name', '-o', 'damaged');
    expect(damaged).toMatchObject({ code: 1, stdout: '' });
    expect(damaged.stderr).toMatch(/TFR_CORRUPT_DATA: .*record 3/);
    expect(tree('damaged')).toEqual(['00000000.txt', '00000001.txt', '00000002.txt']);
    for (const [args, problem] of [
      [['--feature', 'age'], 'Feature "age": expected bytes values, found int64 values'],
      [['--feature', 'name', '--by', 'label'], 'Feature "label": expected 1 value .*, found no such feature'],
      [['--feature', 'name', '--name', '{x}'], 'Feature "x": expected 1 value .*, found no such feature'],
    ] as const) {
      const { code, stderr } = await extract('people.tfrecord', ...args, '-o', 'unfit');
      expect(code).toBe(1);
      expect(stderr).toMatch(new RegExp(`TFR_FEATURE: Record 0 of people\\.tfrecord: ${problem}`));
    }
    expect(existsSync(folder.at('unfit'))).toBe(false);
    const none = await extract('people.tfrecord', '--feature', 'image', '-o', 'none');
    expect(none).toMatchObject({ code: 1, stdout: '0 files to none; 5 records without "image"\n' });
    const file = await extract('people.tfrecord', '--feature', 'name', '-o', 'people.tfrecord.gz');
    expect(file).toMatchObject({
      code: 2,
      stderr: 'tfrecord: error: -o needs a folder, and people.tfrecord.gz is a file\n',
    });
  });

  it('never leaves the folder', async () => {
    const names = ['../up', '/etc/abs', '..', '.', 'a/../../b', 'nul', 'C:\\x', '.hidden', 'a\0b', '\u202Egpj.x'];
    folder.write(
      'hostile',
      names.map((id) => encodeExample({ id, data: 'x' })),
    );
    mkdirSync(folder.at('cage'));
    const before = folder.names();
    const args = ['hostile', '--feature', 'data', '-o', 'cage/in', '--name', '{id}/{id}', '--by', 'id'];
    expect(await extract(...args)).toMatchObject({ code: 0, stderr: '' });
    expect(folder.names()).toEqual(before);
    expect(readdirSync(folder.at('cage'))).toEqual(['in']);
    expect(readdirSync(folder.at('cage/in'))).toHaveLength(names.length);
  });

  (process.platform === 'win32' ? it.skip : it)('follows no link out of the folder', async () => {
    for (const name of ['outside', 'linked']) mkdirSync(folder.at(name));
    symlinkSync(folder.at('outside'), folder.at('linked/Ann'));
    const args = ['people.tfrecord', '--feature', 'name', '-o', 'linked', '--by', 'name', '--name', '{age}/x'];
    const { code, stderr } = await extract(...args, '--force');
    expect(code).toBe(2);
    expect(stderr).toBe('tfrecord: error: linked/Ann is a link that leads out of linked\n');
    expect(readdirSync(folder.at('outside'))).toEqual([]);
  });

  it.each([
    [['extract', 'people.tfrecord']],
    [['extract', 'people.tfrecord', '--feature', 'name']],
    [['extract', 'people.tfrecord', '--feature', 'name', '-o', 'x', '--name', '../x']],
    [['extract', 'people.tfrecord', '--feature', 'name', '-o', 'x', '--name', '/x']],
    [['extract', 'people.tfrecord', '--feature', 'name', '-o', 'x', '--name', 'x//{name}']],
    [['extract', 'people.tfrecord', '--feature', 'name', '-o', 'x', '--name', '']],
    [['extract', 'people.tfrecord', '--feature', 'name', '-o', 'x', '--name', '{name']],
    [['extract', 'people.tfrecord', '--feature', 'name', '-o', 'x', '--extension', 'a/b']],
  ])('refuses %j with code 2', async (args) => {
    const { code, stdout, stderr } = await folder.here(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^tfrecord: error: [^\n]*\n\(see --help\)\n$/);
    expect(existsSync(folder.at('x'))).toBe(false);
  });
});

describe('names', () => {
  it.each([
    ['a', 'a'],
    ['', '_'],
    ['.', '_'],
    ['..', '__'],
    ['../x', '_.._x'],
    ['a/b\\c:d', 'a_b_c_d'],
    ['x. .', 'x___'],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['console', 'console'],
    ['COM1.a', '_COM1.a'],
    ['Zoë 猫', 'Zoë 猫'],
  ])('%j is written as %j', (text, name) => {
    expect(safeSegment(text)).toBe(name);
  });

  it('are safe, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const name = safeSegment(text);
        expect(name).not.toMatch(/^\.|[. ]$|[\x00-\x1f/\\:]/);
        expect(Buffer.byteLength(name)).toBeGreaterThan(0);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(181);
      }),
    );
  });

  it('that are long stay apart', () => {
    const [a, b] = ['1', '2'].map((end) => safeSegment('ü'.repeat(300) + end));
    expect(a).not.toBe(b);
  });

  it.each([
    ['a', 'jpg', 'a.jpg'],
    ['a.JPEG', 'jpg', 'a.JPEG'],
    ['a.tiff', 'tif', 'a.tiff'],
    ['a.png', 'jpg', 'a.png.jpg'],
    ['v1.0', 'bin', 'v1.0.bin'],
  ])('%j with %s: %j', (name, extension, whole) => {
    expect(withExtension(name, extension)).toBe(whole);
  });

  it.each([
    ['ffd8ffe1', 'jpg'],
    ['89504e470d0a1a0a', 'png'],
    ['52494646000000005745425056503820', 'webp'],
    ['52494646000000005741564566', 'wav'],
    ['00000018667479706d703432', 'mp4'],
    ['934e554d5059', 'npy'],
    ['', 'bin'],
    ['00', 'bin'],
    ['68692e0a', 'txt'],
    ['424d6f6f', 'txt'],
  ])('content %s: %s', (hex, extension) => {
    expect(extensionOf(Buffer.from(hex, 'hex'))).toBe(extension);
  });

  it('templates name features with slashes, and those called as a placeholder', () => {
    expect(NameTemplate.parse('{a/b}/x{feature:record}-{record}').features).toEqual(['a/b', 'record']);
    expect(NameTemplate.parse('{record}').isUnique).toBe(true);
    expect(NameTemplate.parse('x{record}').isUnique).toBe(false);
  });
});
