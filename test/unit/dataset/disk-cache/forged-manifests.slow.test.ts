/**
 * Manifests of caches with right checksums but wrong members are refused with a code, and no file outside the folder is
 * read.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Dataset, fixedLen, TFRecordError } from '../../../../lib';
import { sumOf } from '../../../../lib/dataset/engine/fingerprint';
import { RangeStage } from '../../../../lib/dataset/sources/range';
import { DiskCacheStage } from '../../../../lib/dataset/stages/cache';
import { MANIFEST_MUTANTS } from '../../../support/running/attack-counts';
import { comparable } from '../../../support/comparable';
import { numbered } from '../../../support/examples/example-files';
import { mutant } from '../../../support/records/mutants';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';

const LIMIT_MS = 900_000;
const folder = new Folder();
afterAll(() => folder.remove());

const examples = folder.write(
  'examples',
  Array.from({ length: 50 }, (_, i) => numbered(i)),
);
const numbers = (): Dataset<number> =>
  new Dataset(new DiskCacheStage(new RangeStage(0, 600, 1), folder.at('numbers'), 512));
const rows = (): Dataset<unknown, unknown> =>
  Dataset.tfrecord(examples)
    .parse({ id: fixedLen([], 'int64') })
    .shuffle(3, { seed: 5 })
    .cache(folder.at('rows'));

type Manifest = Record<string, unknown> & { readonly shards: readonly Record<string, unknown>[] };

function manifestOf(cache: string): Manifest {
  return JSON.parse(readFileSync(join(folder.at(cache), 'cache.json'), 'utf8')) as Manifest;
}

function write(cache: string, { sum: _, ...manifest }: Record<string, unknown>): void {
  writeFileSync(join(folder.at(cache), 'cache.json'), JSON.stringify({ ...manifest, sum: sumOf(manifest) }));
}

beforeAll(async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  await numbers().toArray();
  await rows().toArray();
});

test.each([
  '../outside.tfrecord',
  '/etc/hostname',
  'sub/cache-00000.tfrecord',
  'cache-00000.tfrecord\0',
  '..',
  '',
  'cache-00001.tfrecord',
])('a file named %j is not read', async (name) => {
  const honest = manifestOf('numbers');
  const [first, ...others] = honest.shards as [Record<string, unknown>, ...Record<string, unknown>[]];
  // A complete and right file, but outside the folder.
  copyFileSync(join(folder.at('numbers'), 'cache-00000.tfrecord'), folder.at('outside.tfrecord'));
  write('numbers', { ...honest, shards: [{ ...first, name }, ...others] });
  await expect(numbers().toArray()).rejects.toMatchObject({
    code: 'TFR_DECODE',
    file: join(folder.at('numbers'), 'cache.json'),
  });
  write('numbers', honest);
  await expect(numbers().count()).resolves.toBe(600);
});

test.each([
  ['numbers', numbers],
  ['rows', rows],
])(
  'mutants of the manifest of %s give what was kept, or a coded error',
  async (cache, make) => {
    const random = randoms(77);
    const pick = (below: number): number => Math.floor(random() * below);
    const honest = manifestOf(cache);
    const whole = (await make().toArray()).map(comparable);
    let refused = 0;
    for (let i = 0; i < MANIFEST_MUTANTS; i++) {
      const { sum: _, ...members } = honest;
      const forged = mutant(members, pick) as Record<string, unknown>;
      write(cache, typeof forged === 'object' && forged !== null ? forged : { forged });
      let given: unknown[] | undefined;
      try {
        given = (await make().toArray()).map(comparable);
      } catch (error) {
        refused++;
        if (!(error instanceof TFRecordError)) throw new Error(`uncoded: ${JSON.stringify(forged)}`, { cause: error });
      }
      // With another valid form, whole records are read in another way.
      const sameForms = JSON.stringify(forged?.['forms']) === JSON.stringify(honest['forms']);
      if (given !== undefined && sameForms) expect({ forged, given }).toEqual({ forged, given: whole });
    }
    expect(refused).toBeGreaterThan(MANIFEST_MUTANTS / 3);
    write(cache, honest);
  },
  LIMIT_MS,
);
