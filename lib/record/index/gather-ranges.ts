import { compressionNumber, firstIndex, FRAME_BYTES, inParallel, TFRecordError } from '../../base';
import { isRanged, joinRanges, MemorySource, newSlab, type ClassifiedSource, type RangedSource } from '../../io';
import { native, type IndexHandle } from '../../native';
import type { RecordBatch } from '../batch/record-batch';
import { ErrorPolicy } from '../error-policy';
import { FaultSplitter } from '../read/splitter';
import { SyncSequence } from '../read/sync-sequence';
import { REUSED_SLAB_BYTES } from '../read/slab-sizer';
import { syncSlabStreams } from '../read/sync-slab-stream';
import { joinRecords } from './gather-records';
import type { IndexSettings } from './index-scan';
import { readRange } from './index-source';

/** Number of ranges that are read at a time. */
const AT_ONCE = 8;

/** A source of ranges, its size and its number of records. `check` throws when no more ranges may be read. */
interface RangedRecords {
  readonly source: RangedSource;
  readonly size: number;
  readonly records: number;
  readonly check: () => void;
}

/**
 * Reads records of a source of ranges by their offsets: only their bytes, and small gaps between them. Undefined if the index
 * lacks offsets, if the content is compressed, or if a record is damaged: reading from the place before it says how.
 * Settles when no range is being read any more.
 * @throws TFRecordError, or the source's own error, if a range cannot be read; what `check` throws
 */
export async function gatherByRanges(
  index: IndexHandle,
  { source, size, records, check }: RangedRecords,
  settings: IndexSettings,
  numbers: Float64Array,
): Promise<RecordBatch | undefined> {
  // The offsets are those of the content. They are bytes of the source if nothing is compressed: then both end together.
  if (numbers.length === 0 || native().indexExtents(index, records - 1, 1)?.[1] !== size) return undefined;
  const sorted = Float64Array.from(new Set(numbers)).sort();
  const extents: [start: number, end: number][] = [];
  let bytes = 0;
  for (const number of sorted) {
    const [start, end] = native().indexExtents(index, number, 1) ?? [];
    if (start === undefined || end === undefined || end - start > settings.maxRecordBytes + FRAME_BYTES)
      return undefined;
    extents.push([start, end]);
    bytes += end - start;
  }
  const slab = newSlab(bytes, source.name);
  if (!(await fillSlab(slab, source, extents, check))) return undefined;
  try {
    return ordered(slab, source.name, settings, sorted, numbers);
  } catch (error) {
    if (error instanceof TFRecordError) return undefined;
    throw error;
  }
}

/** The source, if records can be gathered of it by ranges, and its size. */
export function gatherable(source: ClassifiedSource): { source: RangedSource; size: number } | undefined {
  if (source.kind !== 'bytes' || !isRanged(source.source)) return undefined;
  const { size } = source.source;
  return size === undefined ? undefined : { source: source.source, size };
}

/** Sets `slab` to the bytes of the extents, which are in order. Resolves with false if the source lacks some of them. */
async function fillSlab(
  slab: Uint8Array,
  source: RangedSource,
  extents: readonly (readonly [start: number, end: number])[],
  check: () => void,
): Promise<boolean> {
  const targets: number[] = [];
  let target = 0;
  for (const [start, end] of extents) {
    targets.push(target);
    target += end - start;
  }
  let whole = true;
  await inParallel(joinRanges(extents), AT_ONCE, async ([start, end]) => {
    if (!whole) return;
    check();
    const bytes = await readRange(source, start, end - start);
    whole &&= bytes.length === end - start;
    if (!whole) return;
    const first = firstIndex(extents.length, (i) => extents[i]![0] >= start);
    for (let i = first; i < extents.length && extents[i]![1] <= end; i++) {
      slab.set(bytes.subarray(extents[i]![0] - start, extents[i]![1] - start), targets[i]);
    }
  });
  return whole;
}

/** Returns the framed records of `stored`, whose numbers are `sorted`, as a batch in the order of `numbers`; undefined if there are fewer. */
function ordered(
  stored: Uint8Array<ArrayBuffer>,
  name: string,
  settings: IndexSettings,
  sorted: Float64Array,
  numbers: Float64Array,
): RecordBatch | undefined {
  const plan = {
    ...settings,
    compression: compressionNumber('none'),
    batchBytes: REUSED_SLAB_BYTES,
    readAhead: 0,
    policy: new ErrorPolicy('throw'),
    signal: undefined,
  };
  const source = { kind: 'bytes', source: new MemorySource(stored, name) } as const;
  const sequence = new SyncSequence(source, plan, syncSlabStreams(plan), new FaultSplitter(plan.policy));
  const found: Uint8Array[] = [];
  for (let batch = sequence.next(); batch !== undefined; batch = sequence.next()) found.push(...batch);
  if (found.length !== sorted.length) return undefined;
  const data = new Map(Array.from(sorted, (number, i) => [number, found[i]!]));
  return joinRecords(
    Array.from(numbers, (number) => data.get(number)!),
    name,
  );
}
