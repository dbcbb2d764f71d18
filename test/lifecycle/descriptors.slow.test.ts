/**
 * Opening files ahead never takes descriptors that others need: if few are left, files are opened only when their turn
 * comes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { onLinux } from '../support/on-linux';
import { Folder } from '../support/records/record-files';
import { CASE_TIMEOUT, endedWell, runCase, type Ended } from '../support/running/run-case';

const folder = new Folder();
mkdirSync(folder.at('texts'));
mkdirSync(folder.at('packed'));
for (let file = 0; file < 12; file++) {
  const name = String(file).padStart(2, '0');
  const records = [0, 1, 2].map((record) => Buffer.alloc(300_000, `${name}-${record} `));
  folder.write(name, records);
  folder.write(join('packed', `${name}.gz`), records);
  writeFileSync(folder.at(join('texts', name)), `${name}-0\n${name}-1\n${name}-2`);
}
afterAll(() => folder.remove());

/** Runs the case with a limit so low that using up all descriptors is fast. */
function withDescriptors(pipeline: string, left: number): Promise<Ended> {
  const args = [folder.path, pipeline, String(left)];
  return runCase('lifecycle/cases/limits/few-descriptors', { args, shell: 'ulimit -n 256' });
}

onLinux.each<[string, number, number]>([
  ['list', 1, 36],
  ['list of fixed length', 1, 36],
  ['list of texts', 1, 36],
  ['list of gzip', 1, 36],
  ['dataset', 1, 36],
  ['gzip lists', 2, 36],
  ['interleave', 4, 36],
  ['interleave', 6, 36],
  ['skip', 5, 36],
  ['skip of the source', 5, 36],
  ['pairs', 4, 36],
  ['fixed length', 5, 36],
  ['patterns', 5, 36],
  ['files of patterns', 5, 36],
  ['define', 5, 36],
  ['prefetched', 5, 24],
  ['nested', 8, 36],
  ['nested', 4, 36],
  ['nested skip', 4, 36],
  ['nested lists', 2, 36],
  ['nested texts', 4, 36],
  ['zipped', 2, 36],
  ['concatenated', 2, 36],
  ['mixed', 4, 36],
  ['at once', 4, 36],
  ['unordered', 2, 36],
])(
  '%s, with %i descriptors',
  async (pipeline, left, records) => {
    expect(await withDescriptors(pipeline, left)).toEqual(endedWell({ records, found: 'the same', skipped: [] }));
  },
  CASE_TIMEOUT,
);

onLinux(
  'fewer than an interleave reads in turn are an error',
  async () => {
    expect(await withDescriptors('interleave', 3)).toMatchObject({ said: [{ found: 'EMFILE' }, { unhandled: 0 }] });
    expect(await withDescriptors('unordered', 0)).toMatchObject({
      said: [{ found: [], skipped: ['EMFILE'] }, { unhandled: 0 }],
    });
  },
  CASE_TIMEOUT,
);
