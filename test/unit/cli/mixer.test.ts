import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { encodeExample, float, int64 } from '../../../lib';
import { Folder } from '../../support/records/record-files';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

interface Tiles {
  readonly width: number;
  readonly height: number;
  readonly perRow: number;
  readonly rows: number;
  readonly kernel: readonly [number, number];
}

const mixerOf = ({ width, height, perRow, rows }: Tiles) => ({
  projection: { crs: 'EPSG:32610', affine: { doubleMatrix: [30, 0, 499_980, 0, -30, 4_200_000] } },
  patchDimensions: [width, height],
  patchesPerRow: perRow,
  totalPatches: perRow * rows,
});

/** The patches of a raster whose pixel at (x, y) is `value(x, y)`; the overlap has −1. */
function patchesOf({ width, height, perRow, rows, kernel }: Tiles, value: (x: number, y: number) => number) {
  const [kw, kh] = kernel;
  return Array.from({ length: perRow * rows }, (_, patch) => {
    const [left, top] = [(patch % perRow) * width, Math.floor(patch / perRow) * height];
    return Array.from({ length: (width + kw) * (height + kh) }, (_, i) => {
      const [x, y] = [(i % (width + kw)) - kw / 2, Math.floor(i / (width + kw)) - kh / 2];
      return x < 0 || x >= width || y < 0 || y >= height ? -1 : value(left + x, top + y);
    });
  });
}

const TILES: Tiles = { width: 3, height: 2, perRow: 2, rows: 2, kernel: [0, 0] };
const floatsIn = (path: string): number[] => {
  const bytes = readFileSync(folder.at(path));
  return [...new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))];
};
const run = (...args: string[]) => runHere(['convert', ...args], { cwd: folder.path });

writeFileSync(folder.at('mixer.json'), JSON.stringify(mixerOf(TILES)));
const patches = patchesOf(TILES, (x, y) => 10 * y + x).map((values, i) =>
  encodeExample({ B4: float(values), B3: float(values.map((one) => -one)), id: int64(i) }),
);
folder.write('a.tfrecord', patches.slice(0, 3));
folder.write('b.tfrecord', patches.slice(3));

describe('tfrecord convert --mixer', () => {
  it.each([
    ['an input', 'in-B4.raw', 'in.raw'],
    ['the mixer', 'q-B4.raw', 'q.raw'],
  ])('never replaces %s', async (_what, taken, output) => {
    const isMixer = taken.startsWith('q');
    writeFileSync(folder.at(taken), readFileSync(folder.at(isMixer ? 'mixer.json' : 'a.tfrecord')));
    const inputs = isMixer ? ['a.tfrecord', 'b.tfrecord'] : [taken, 'b.tfrecord'];
    const before = readFileSync(folder.at(taken));
    const found = await run(...inputs, output, '--mixer', isMixer ? taken : 'mixer.json', '--force');
    expect(found).toMatchObject({ code: 2, stderr: expect.stringContaining(`${taken} is an input`) as string });
    expect(readFileSync(folder.at(taken))).toEqual(before);
  });

  it('refuses rasters with the names of headers', async () => {
    const found = await run('a.tfrecord', 'b.tfrecord', 'h.hdr', '--mixer', 'mixer.json', '--force');
    expect(found).toMatchObject({ code: 2, stderr: expect.stringContaining('name the rasters otherwise') as string });
  });

  it('gives bands with points, and no extension, a header each', async () => {
    const dotted = patches.map(() =>
      encodeExample({ 'B.1': float([1, 2, 3, 4, 5, 6]), 'B.2': float([0, 0, 0, 0, 0, 0]) }),
    );
    folder.write('dotted.tfrecord', dotted);
    expect(await run('dotted.tfrecord', 'dots', '--mixer', 'mixer.json')).toMatchObject({ code: 0 });
    const names = readdirSync(folder.path).filter((name) => name.startsWith('dots'));
    expect(names.sort()).toEqual(['dots-B.1', 'dots-B.1.hdr', 'dots-B.2', 'dots-B.2.hdr']);
  });

  it('stitches the patches of several files to a raster for each band', async () => {
    const { code, stdout, stderr } = await run(
      'a.tfrecord',
      'b.tfrecord',
      'scene.raw',
      '--mixer',
      'mixer.json',
      '--json',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ patches: 4, files: ['scene-B3.raw', 'scene-B4.raw'] });
    const expected = Array.from({ length: 24 }, (_, i) => 10 * Math.floor(i / 6) + (i % 6));
    expect(floatsIn('scene-B4.raw')).toEqual(expected);
    expect(floatsIn('scene-B3.raw')).toEqual(expected.map((one) => -one));
    expect(readFileSync(folder.at('scene-B4.hdr'), 'utf8')).toBe(
      [
        ...['ENVI', 'samples = 6', 'lines = 4', 'bands = 1', 'header offset = 0', 'file type = ENVI Standard'],
        ...['data type = 4', 'interleave = bsq', 'byte order = 0', 'band names = {B4}'],
        'map info = {Arbitrary, 1, 1, 499980, 4200000, 30, 30}',
        ...['; affine = 30, 0, 499980, 0, -30, 4200000', '; crs = EPSG:32610', ''],
      ].join('\n'),
    );
    const again = ['a.tfrecord', 'b.tfrecord', 'scene.raw', '--mixer', 'mixer.json', '--features', 'B4'];
    expect(await run(...again)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exists: --force replaces it'),
    });
    expect((await run(...again, '--force')).code).toBe(0);
  });

  it('keeps every pixel of any tiling', async () => {
    const side = fc.integer({ min: 1, max: 4 });
    const even = fc.constantFrom(0, 2, 4);
    const tilings = fc.record({ width: side, height: side, perRow: side, rows: side, kernel: fc.tuple(even, even) });
    await fc.assert(
      fc.asyncProperty(tilings, async (tiles) => {
        const across = tiles.width * tiles.perRow;
        writeFileSync(folder.at('any.json'), JSON.stringify(mixerOf(tiles)));
        const all = patchesOf(tiles, (x, y) => y * across + x);
        folder.write(
          'any.tfrecord',
          all.map((values) => encodeExample({ b: float(values) })),
        );
        const flags = ['--mixer', 'any.json', '--kernel', tiles.kernel.join(','), '--force'];
        expect((await run('any.tfrecord', 'any.raw', ...flags)).code).toBe(0);
        expect(floatsIn('any-b.raw')).toEqual([...Array(across * tiles.height * tiles.rows).keys()]);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['missing', patches.slice(0, 3), 'TFR_DECODE: The mixer describes 4 patches, and the files have 3 patches'],
    ['extra', [...patches, patches[0]!], 'TFR_DECODE: Record 4 of bad.tfrecord: The mixer describes 4 patches'],
    [
      'short',
      [...patches.slice(0, 2), encodeExample({ B4: float([1]), B3: float([1]) })],
      'TFR_FEATURE: Record 2 of bad.tfrecord: Feature "B3": expected 6 floats (a patch of 3 × 2), found 1 value of float',
    ],
    [
      'without a band',
      [...patches.slice(0, 1), encodeExample({ id: int64(1) })],
      'TFR_FEATURE: Record 1 of bad.tfrecord: Feature "B3": expected 6 floats (a patch of 3 × 2), found none',
    ],
    [
      'of integers',
      [encodeExample({ B4: int64([1, 2, 3, 4, 5, 6]) })],
      'TFR_FEATURE: Record 0 of bad.tfrecord: Expected',
    ],
  ])('refuses patches that are %s, and leaves no file', async (_, records, problem) => {
    folder.write('bad.tfrecord', records);
    const { code, stderr } = await run('bad.tfrecord', 'bad.raw', '--mixer', 'mixer.json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(problem) });
    expect(readdirSync(folder.path).filter((name) => name.startsWith('bad-') || name.includes('.tmp'))).toEqual([]);
  });

  it.each([
    ['{', 'expected JSON'],
    ['{}', 'expected patchDimensions'],
    [JSON.stringify({ ...mixerOf(TILES), patchesPerRow: 3 }), 'totalPatches that are whole rows of 3'],
    [JSON.stringify({ ...mixerOf(TILES), totalPatches: 2 ** 31 }), 'totalPatches'],
    [JSON.stringify({ ...mixerOf(TILES), projection: { affine: { doubleMatrix: [1] } } }), 'an affine transform'],
    [JSON.stringify({ ...mixerOf(TILES), patchDimensions: [2 ** 31 - 1, 2 ** 31 - 1] }), 'a raster of at most'],
  ])('refuses the mixer %s', async (text, problem) => {
    writeFileSync(folder.at('wrong.json'), text);
    const { code, stderr } = await run('a.tfrecord', 'w.raw', '--mixer', 'wrong.json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(problem) });
    expect(stderr).toContain('TFR_SPEC: wrong.json');
  });

  it.each([
    [['--kernel', '2,2'], '--kernel needs --mixer'],
    [['--mixer', 'mixer.json', '--kernel', '1,1'], 'Expected two even numbers'],
    [['--mixer', 'mixer.json', '--shards', '2'], '--shards does not go together with --mixer'],
    [['--mixer', 'mixer.json', '--on-error', 'skip'], '--on-error does not go together with --mixer'],
  ])('refuses %j', async (flags, problem) => {
    expect(await run('a.tfrecord', 'w.raw', ...flags)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    });
    expect(existsSync(folder.at('w-B4.raw'))).toBe(false);
  });
});
