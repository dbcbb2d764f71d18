/** All values of curves as CSV, read from the logs anew: a curve itself keeps a part of a long log. */
import { stringify } from 'csv-stringify/sync';

import type { TFRecordError } from '../../../base';
import { eventBlocks, ScalarCsv } from '../../../events';
import type { FileOptions } from '../viewed-file';
import type { NamedCurve } from './log-curves';

/** Yields the lines of the curves `wanted`, as `tfrecord scalars --csv` prints them. */
export async function* curveCsv(
  sources: readonly string[],
  wanted: readonly NamedCurve[],
  reading: FileOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, { rows: number; faults: number }> {
  const runs = new Map<string, Set<string>>();
  for (const { run, tag } of wanted) runs.set(run, (runs.get(run) ?? new Set()).add(tag));
  const csv = new ScalarCsv(stringify, (run, tag) => runs.get(run)?.has(tag) === true);
  let faults = 0;
  const onError = (_: TFRecordError): 'skip' => {
    faults++;
    return 'skip';
  };
  // A name with a star stands for other tags, too: these are left out again.
  const tags = [...new Set(wanted.map(({ tag }) => tag))];
  const source = eventBlocks([...sources], { ...reading, tags, kinds: ['scalar'], signal, onError });
  try {
    yield encoder.encode(`${ScalarCsv.header}\n`);
    for await (const block of source.blocks) {
      const lines = csv.lines(block);
      if (lines !== '') yield encoder.encode(`${lines}\n`);
    }
  } finally {
    await source.close();
  }
  return { rows: csv.rows, faults };
}

/** Not Buffer, whose short texts share memory that a MessagePort would clone. */
const encoder = new TextEncoder();
