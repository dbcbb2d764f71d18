import {
  advice,
  callNative,
  checkChoice,
  type Compression,
  invalidArgType,
  tfrecordError,
  worded,
  type Message,
} from '../../../base';
import type { RangedSource } from '../../../io';
import { native, type IndexHandle, type IndexState } from '../../../native';
import { toBgzip } from './bgzip';
import { toGztool } from './gztool';
import { toIndexedGzip } from './indexed-gzip';
import { rawPoints } from './inflate-points';
import { toRecordOffsets } from './record-offsets';

/** The program whose format an exported index has. */
export type IndexFormat = 'indexed_gzip' | 'gztool' | 'bgzip' | 'tfrecord2idx';

const FORMATS: readonly IndexFormat[] = ['indexed_gzip', 'gztool', 'bgzip', 'tfrecord2idx'];

/** Content between two points that an index states if it has fewer than two. */
const SPACING = 2 ** 20;

/** Yields the bytes of an index of `source`, a file of `size` bytes. @throws TFRecordError */
type IndexWriter = (handle: IndexHandle, source: RangedSource, size: number) => AsyncIterable<Uint8Array>;

/** @throws TypeError if there is no such format */
export function checkFormat(format: unknown): IndexWriter {
  if (format === undefined) throw invalidArgType('format', 'a string', format);
  return WRITERS[checkChoice('format', format, FORMATS, 'gztool')];
}

const WRITERS: Readonly<Record<IndexFormat, IndexWriter>> = {
  async *indexed_gzip(handle, source, size) {
    const { contentBytes } = fitting(handle, source.name, 'gzip');
    const sizes = { file: size, content: contentBytes, spacing: spacingOf(handle, source.name) };
    yield* toIndexedGzip(() => rawPoints(handle, source, size), sizes);
  },
  async *gztool(handle, source, size) {
    const { contentBytes } = fitting(handle, source.name, 'gzip');
    yield* toGztool(() => rawPoints(handle, source, size), contentBytes);
  },
  async *bgzip(handle, source) {
    fitting(handle, source.name, 'gzip');
    yield* toBgzip(source);
  },
  async *tfrecord2idx(handle, source) {
    const { records } = fitting(handle, source.name, 'none');
    yield* toRecordOffsets(handle, source.name, records);
  },
};

/** @throws TFRecordError TFR_STATE_MISMATCH unless the index is of a whole file with `compression` */
function fitting(handle: IndexHandle, file: string, compression: Compression): IndexState {
  const state = native().indexState(handle);
  if (state.compression !== compression) {
    throw unfit(file, KINDS[compression], KINDS[state.compression], advice` Choose the format of another program.`);
  }
  if (state.cut) throw unfit(file, 'a whole file', 'damage that hides its rest', advice` Restore the file.`);
  return state;
}

const KINDS: Readonly<Record<Compression, string>> = {
  none: 'an uncompressed file',
  gzip: 'a GZIP file',
  zlib: 'a ZLIB file',
};

function unfit(file: string, expected: string, found: string, cure: Message): Error {
  return tfrecordError(
    'TFR_STATE_MISMATCH',
    worded`The index of ${file} cannot be exported in this format: expected ${expected}, found ${found}.${cure}`,
    { file, expected, found },
  );
}

function spacingOf(handle: IndexHandle, file: string): number {
  const [first, second] = [0, 1].map((at) => callNative(file, () => native().indexPoint(handle, at)));
  return first && second ? second.offset - first.offset : SPACING;
}
