import { constants } from 'node:buffer';

import {
  callNative,
  checkChoice,
  checkOptions,
  invalidArgType,
  isFalseArray,
  isInstance,
  isRevoked,
  MAX_RECORD_BYTES,
  TFRecordError,
  type Bytes,
  type Compression,
  hasIterator,
} from '../../base';
import { CODEC_NAMES, newSlab } from '../../io';
import { native } from '../../native';
import { listBatch } from '../batch/gather-records';
import { ENCODED, RecordBatch } from '../batch/record-batch';
import { appendList, appendRecord, checkLengths, recordLength, type Slabs } from './append-records';
import { FrameSlab, SLAB_BYTES } from './frame-slab';
import { resolveWriteOptions } from './write-options';

/** Options of {@link encodeRecords}. Unknown names throw. */
export interface EncodeRecordsOptions {
  /** Default: `none`. */
  compression?: Compression | undefined;
  /**
   * Compression level: 0 stores, 1 is fastest, 9 is smallest. Default: 6. Refused if nothing is compressed.
   */
  level?: number | undefined;
  /** Longest record, in bytes. A longer one is TFR_RECORD_TOO_LARGE. Default: 2^31 - 1. */
  maxRecordBytes?: number | undefined;
}

const OPTION_NAMES = ['compression', 'level', 'maxRecordBytes'] as const;
const RECORDS = 'an iterable of records (Uint8Array or string); writeRecords() takes async iterables';
/** Maximum size of one result, in bytes. */
const MAX_BYTES = Math.min(constants.MAX_LENGTH, 2 ** 32 - 1);

/**
 * Returns the bytes of a TFRecord file of `records`, in order: for tests, HTTP answers, queues, and whatever else takes a
 * file in one piece. Each element is a record (bytes, or text as UTF-8) or a batch of records. The bytes are those that
 * {@link writeRecords} writes to a file with the same options.
 *
 * Works on the calling thread until it is done. For more than some MiB use `writeRecords` with a file or a stream, which
 * checksums and compresses on all cores.
 *
 * @throws TypeError ERR_INVALID_ARG_TYPE or ERR_INVALID_ARG_VALUE for wrong arguments and for records that `RecordWriter`
 *   refuses. TFRecordError TFR_RECORD_TOO_LARGE for a record over `maxRecordBytes`, and for more than 4 GiB in all (or
 *   what a Buffer can hold, if that is less). The errors that `records` throws.
 *
 * @example
 * response.end(encodeRecords(rows.map(encode), { compression: 'gzip' }));
 */
export function encodeRecords(
  records: Iterable<Uint8Array | string | RecordBatch>,
  options?: EncodeRecordsOptions,
): Bytes {
  const given = checkOptions(options, OPTION_NAMES);
  const { compression, level, maxRecordBytes } = resolveWriteOptions(
    { ...given, compression: checkChoice('options.compression', given.compression, CODEC_NAMES, 'none') },
    '',
  );
  if (!holdsRecords(records)) throw invalidArgType('records', RECORDS, records);
  const slabs = new SlabList(maxRecordBytes);
  try {
    for (const record of records instanceof RecordBatch ? [records] : records) {
      if (isInstance(record, RecordBatch)) {
        const list = listBatch(record);
        checkLengths(slabs, list);
        appendList(slabs, list);
      } else {
        appendRecord(slabs, record, recordLength(slabs, record));
      }
    }
    return slabs.encode(compression, level);
  } finally {
    slabs.release();
  }
}

/** True for iterables of records. Bytes and strings are iterable, too, but their elements are not records. */
function holdsRecords(records: unknown): records is Iterable<unknown> {
  return (
    typeof records === 'object' &&
    records !== null &&
    !isRevoked(records) &&
    !isFalseArray(records) &&
    !ArrayBuffer.isView(records) &&
    hasIterator(records)
  );
}

/** The first slab of the next call: calls for a few records are common, and need no more. */
let spare: FrameSlab | undefined;

/** Slabs that stay until all are encoded. They end where those of a writer end, and so do the GZIP members. */
class SlabList implements Slabs {
  readonly file = ENCODED;
  readonly maxRecordBytes: number;
  records = 0;
  slab = FrameSlab.none;
  readonly #full: FrameSlab[] = [];
  #first: FrameSlab | undefined;
  #bytes = 0;

  constructor(maxRecordBytes: number) {
    this.maxRecordBytes = maxRecordBytes;
  }

  makeRoom(bytes: number): void {
    this.push();
    if (this.#bytes + bytes > MAX_BYTES) throw tooManyError(this.records);
    // Lengths are checked before, so one slab serves calls with other limits.
    if (bytes > SLAB_BYTES) {
      this.slab = new FrameSlab(newSlab(bytes, this.file), bytes, MAX_RECORD_BYTES);
      return;
    }
    this.slab = this.#takeSpare() ?? new FrameSlab(newSlab(SLAB_BYTES, this.file), SLAB_BYTES, MAX_RECORD_BYTES);
    this.#first ??= this.slab;
  }

  push(): void {
    const { slab } = this;
    if (slab.records === 0) return;
    this.#full.push(slab);
    this.records += slab.records;
    this.#bytes += slab.used;
    this.slab = FrameSlab.none;
  }

  encode(compression: number, level: number): Bytes {
    this.push();
    if (this.#bytes > MAX_BYTES) throw tooManyError(this.records);
    return callNative(this.file, () =>
      native().encodeSlabs(
        this.#full.map((slab) => slab.buffer.subarray(0, slab.used)),
        Uint32Array.from(this.#full, (slab) => slab.records),
        compression,
        level,
      ),
    );
  }

  /** Leaves the first slab to the next call. No other code has seen its memory. */
  release(): void {
    this.#first?.reset();
    spare ??= this.#first;
  }

  #takeSpare(): FrameSlab | undefined {
    const taken = spare;
    spare = undefined;
    return taken;
  }
}

function tooManyError(record: number): TFRecordError {
  const expected = `at most ${MAX_BYTES} bytes`;
  return new TFRecordError(
    'TFR_RECORD_TOO_LARGE',
    `More records than one Uint8Array can hold, from record ${record} on: expected ${expected}, found more. ` +
      'Write them to a file or a stream, with writeRecords().',
    { file: ENCODED, record, expected, found: 'more' },
  );
}
