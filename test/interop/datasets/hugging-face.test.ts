/** Files for Hugging Face: `datasets` shows the pictures, the names of classes and the sounds. */
import { join } from 'node:path';
import { PNG } from 'pngjs';

import { bytes, encodeExample, float, int64 } from '../../../lib';
import { convert } from '../../../lib/convert';
import { Folder } from '../../support/records/record-files';
import { withPackage } from '../python';

const { describe, python: datasets } = withPackage('datasets', join(__dirname, 'peer.py'));

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

interface Read {
  readonly features: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** The pixels of a picture of 2 × 1, and the picture. */
function pictureOf(seed: number): { pixels: number[]; png: Buffer } {
  const picture = new PNG({ width: 2, height: 1 });
  const pixels = [seed, 2, 3, 255, 4, seed, 6, 255];
  picture.data = Buffer.from(pixels);
  return { pixels, png: PNG.sync.write(picture) };
}

describe('datasets reads our files', () => {
  const pictures = [pictureOf(1), pictureOf(2), pictureOf(3)];
  const [one, two, three] = pictures.map(({ png }) => png);
  const shown = (i: number) => ({ size: [2, 1], pixels: pictures[i]!.pixels });
  const wav = Buffer.from('52494646ff', 'hex');
  const records = [
    encodeExample({ image: one!, views: [two!, three!], label: int64(1), wav, score: float([0.5, 1]), 7: 'a' }),
    encodeExample({ views: bytes([]), label: int64(0), wav, score: float([2, 3]), 7: 'b' }),
    encodeExample({ image: three!, views: [one!], label: int64(-1), wav, score: float([4, 5]) }),
  ];

  test.each([
    ['parquet', 'rows.parquet', ''],
    ['arrow', 'rows.arrow', ', length=2'],
    ['arrow', 'rows.arrows', ', length=2'],
  ])('%s: %s', async (kind, name, length) => {
    folder.write('rows.tfrecord', records);
    await convert(folder.at('rows.tfrecord'), folder.at(name), {
      huggingface: { audio: ['wav'], classNames: { label: ['cat', 'dog'] } },
      force: true,
    });
    const { features, names, rows } = JSON.parse(datasets(kind, folder.at(name))) as Read;
    expect(features).toEqual({
      7: "Value('string')",
      image: expect.stringMatching(/^Image\(/),
      views: expect.stringMatching(/^List\(Image\(/),
      label: "ClassLabel(names=['cat', 'dog'])",
      wav: expect.stringMatching(/^Audio\(/),
      score: `List(Value('float32')${length})`,
    });
    expect(names).toEqual({ label: ['cat', 'dog'] });
    const common = { wav: { bytes: wav.toString('latin1'), path: null } };
    expect(rows).toEqual([
      { 7: 'a', image: shown(0), views: [shown(1), shown(2)], label: 1, score: [0.5, 1], ...common },
      { 7: 'b', image: null, views: [], label: 0, score: [2, 3], ...common },
      { 7: null, image: shown(2), views: [shown(0)], label: -1, score: [4, 5], ...common },
    ]);
  });
});
