import { native, type IndexHandle, type IndexState } from '../../../native';
import type { Compression } from '../../../base';
import { unusable } from '../index-file';
import { findIndexed, type SeenSource } from '../index-source';
import { COUNT_BYTES, ENTRY_BYTES, fromBgzip } from './bgzip';
import { ForeignBytes } from './foreign-bytes';
import { fromGztool } from './gztool';
import { fromIndexedGzip } from './indexed-gzip';
import { type ForeignSizes, PointList } from './point-list';
import { compareOffsets } from './record-offsets';

/** An index of another program, as far as it can be checked before the file is scanned. */
export interface ForeignIndex {
  /** Points between which a GZIP file can be inflated on several threads. */
  readonly points: IndexHandle | undefined;
  /**
   * Compares it with the index that a scan made.
   * @throws TFRecordError TFR_STATE_MISMATCH if they differ, so that it is the index of another file
   */
  readonly check: (scanned: IndexHandle) => Promise<void>;
}

/** Adds what an index has to `points`. @throws TFRecordError TFR_STATE_MISMATCH if it is damaged */
type PointReader = (bytes: ForeignBytes, points: PointList) => Promise<ForeignSizes>;

/**
 * Reads the index of another program at `indexPath`, whose form its bytes show.
 * @throws TFRecordError TFR_STATE_MISMATCH if it is none, is damaged, or cannot be that of `seen`; or if a file cannot be read
 */
export async function readForeign(indexPath: string, seen: SeenSource): Promise<ForeignIndex> {
  const { identity, withRanges } = await findIndexed(indexPath).look();
  return withRanges(async (source) => {
    const bytes = new ForeignBytes({ ...source, name: indexPath }, identity!.size);
    const read = await readerOf(bytes);
    if (read !== 'text') return readPoints(indexPath, bytes, read, seen);
    return {
      points: undefined,
      check: async (scanned) => {
        const state = fitting(indexPath, scanned, 'none');
        await withRanges((again) =>
          compareOffsets(new ForeignBytes({ ...again, name: indexPath }, bytes.size), scanned, state),
        );
      },
    };
  });
}

/** Recognises an index by its first bytes, and by its size. */
async function readerOf(bytes: ForeignBytes): Promise<PointReader | 'text'> {
  if (bytes.left === 0) return 'text';
  const head = await bytes.from(0).take(Math.min(bytes.left, 16));
  const text = String.fromCharCode(...new Uint8Array(head.buffer, head.byteOffset, head.byteLength));
  if (/^\d/.test(text)) return 'text';
  if (text.startsWith('GZIDX')) return fromIndexedGzip;
  if (text.startsWith('\0\0\0\0\0\0\0\0gzipind')) return fromGztool;
  if (
    bytes.left >= COUNT_BYTES &&
    head.getBigUint64(0, true) === BigInt(bytes.left - COUNT_BYTES) / BigInt(ENTRY_BYTES)
  ) {
    if ((bytes.left - COUNT_BYTES) % ENTRY_BYTES === 0) return fromBgzip;
  }
  const found = text.startsWith('\x89TFIDX') ? 'an index of this package' : 'other data';
  throw bytes.damaged('an index of indexed_gzip, gztool, bgzip or tfrecord2idx', found);
}

async function readPoints(
  indexPath: string,
  bytes: ForeignBytes,
  read: PointReader,
  { identity, source, at, withRanges }: SeenSource,
): Promise<ForeignIndex> {
  const size = identity?.size ?? (source.kind === 'bytes' ? source.source.size : undefined) ?? Number.MAX_SAFE_INTEGER;
  const [points, sizes] = await withRanges(async (file) => {
    const list = new PointList(indexPath, file, size);
    return [list, await read(bytes, list)] as const;
  });
  if (sizes.file !== undefined && sizes.file !== 0 && identity !== undefined && sizes.file !== identity.size) {
    throw unusable(indexPath, `the index of a file of ${identity.size} bytes`, `that of ${sizes.file}`);
  }
  return {
    // Native threads read files by their paths alone.
    points: at === undefined ? undefined : points.handle,
    check: (scanned) => {
      const { contentBytes, cut } = fitting(indexPath, scanned, 'gzip');
      const { content = 0 } = sizes;
      if (!cut && content !== 0 && content !== contentBytes) {
        throw unusable(indexPath, `the index of ${contentBytes} bytes of content`, `that of ${content}`);
      }
      return Promise.resolve();
    },
  };
}

/** @throws TFRecordError TFR_STATE_MISMATCH unless the scanned file has `compression`, or no byte */
function fitting(indexPath: string, scanned: IndexHandle, compression: Compression): IndexState {
  const state = native().indexState(scanned);
  if (state.compression === compression || (state.records === 0 && !state.cut)) return state;
  throw unusable(indexPath, `the index of a file with compression '${state.compression}'`, `one for '${compression}'`);
}
