/**
 * docs/from-tensorflow.md, "Where we differ": checks each row against the outcomes of TensorFlow 2.21
 * (test/golden/differences.json) and against ours. A row without a recorded outcome fails, and so does a recorded
 * difference without a row.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';

import { differences, ourDifference, spansOf, type Difference } from '../../support/examples/differences';

interface Row {
  readonly id: string;
  readonly cells: readonly string[];
}

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'from-tensorflow.md'), 'utf8');
const section = page.slice(page.indexOf('## Where we differ'), page.indexOf('## Queues and threads'));

const rows: readonly Row[] = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| input |'))
  .map((line) => {
    const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
    return { id: /^<a id="([\w-]+)"><\/a>/.exec(cells[0] ?? '')?.[1] ?? `no id: ${line}`, cells };
  });

const cases = new Map<string, Difference[]>();
for (const difference of differences()) cases.set(difference.row, [...(cases.get(difference.row) ?? []), difference]);

/** Returns the code spans of a cell. */
const codeOf = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]*)`/g)].map(([, code]) => code ?? '');

/** False if this Node lacks the feature that some rows are about. */
const hasZstd = 'zstdDecompressSync' in zlib;
const ABSENT = new Set([hasZstd ? 'no-zstd' : 'zstd-frames', ...(existsSync('/dev/full') ? [] : ['writer-full'])]);

test('every row has a recorded outcome, and every recorded difference a row', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.map(({ id }) => id).sort()).toEqual([...cases.keys()].sort());
});

test.each(rows)('$id: TensorFlow did what the row says', ({ id, cells }) => {
  expect(cells).toHaveLength(4);
  const [shown] = cases.get(id)!;
  expect(codeOf(cells[1])).toEqual(spansOf(shown!));
});

test.each(rows.filter(({ id }) => !ABSENT.has(id)))(
  '$id: we do what the row says, and differ',
  async ({ id, cells }) => {
    const all = cases.get(id)!;
    for (const [i, difference] of all.entries()) {
      const ours = await ourDifference(difference);
      if (i === 0) expect(spansOf(ours)).toEqual(codeOf(cells[2]));
      expect({ difference, spans: spansOf(ours) }).not.toEqual({ difference, spans: spansOf(difference) });
      // Two errors are not a difference, even with different names.
      const failed = [difference, ours].filter(
        ({ out, error, crash }) => out === undefined && (error ?? crash) !== undefined,
      );
      if (difference.crash !== true) expect(failed.length).toBeLessThan(2);
    }
  },
);
