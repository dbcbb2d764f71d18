import { compressionNumber, faultError, type TFRecordError } from '../../base';
import { freeBytes, MemoryPool, type ClassifiedSource } from '../../io';
import { FillOutcome, native, type IndexHandle, type SlabFill } from '../../native';
import { ErrorPolicy } from '../error-policy';
import { InputSequence } from '../read/input-sequence';
import type { FilledSlab, Splitter, Step } from '../read/input-stream';
import { slabStreams } from '../read/record-cursor';
import { LENGTH_UNREAD, UNREAD, type ReadPlan } from '../read/read-options';
import { isSkippable, lostAfter } from '../read/splitter';
import { KeyCollector } from './index-keys';

/**
 * Longer records take no memory in a scan. In a plain file their data is then not read, so it is not checked: the read of
 * such a record does that.
 */
const LONGEST_CHECKED = 64 * 2 ** 20;
const SLAB_BYTES = 256 * 1024;

/** `verify` of a scan whose records may stay unread, by that of its options. */
const UNREAD_BY_VERIFY = [0, LENGTH_UNREAD, UNREAD];

/** How an indexed source is read. */
export interface IndexSettings extends Pick<ReadPlan, 'compression' | 'verify' | 'maxRecordBytes'> {
  /** The feature whose values are keys. */
  readonly keys?: string | undefined;
  /** An index between whose checkpoints the scan inflates on several threads. */
  readonly checkpoints?: IndexHandle | undefined;
}

/** A step of a scan: some damage, or the next records. */
export interface ScanStep {
  readonly fault?: TFRecordError | undefined;
  readonly compressedBytes: number;
  /** Size of the source; -1 if it is unknown. */
  readonly totalBytes: number;
}

/** Reads a whole source, and an index notes where its records are. After damage, it continues where the next record is certain. */
export class IndexScan {
  readonly #index: IndexHandle;
  readonly #splitter: ScanSplitter;
  readonly #sequence: InputSequence<FilledSlab, ScanStep>;
  readonly #memory = new MemoryPool();

  constructor(source: ClassifiedSource, settings: IndexSettings, index: IndexHandle) {
    const { compression, verify, maxRecordBytes, keys, checkpoints } = settings;
    const plan: ReadPlan = {
      compression,
      verify: keys === undefined ? UNREAD_BY_VERIFY[verify]! : verify,
      maxRecordBytes: keys === undefined ? Math.min(maxRecordBytes, LONGEST_CHECKED) : maxRecordBytes,
      batchBytes: SLAB_BYTES,
      readAhead: 2,
      memory: this.#memory,
      index,
      checkpoints,
      policy: continuing(),
      signal: undefined,
    };
    this.#index = index;
    const collector = keys === undefined ? undefined : new KeyCollector(index, keys);
    this.#splitter = new ScanSplitter(maxRecordBytes, this.#memory, collector);
    this.#sequence = new InputSequence(source, plan, slabStreams(plan), this.#splitter);
  }

  /** Resolves with the next step; undefined at the end, and when closed. @throws TFRecordError if reading fails */
  async next(): Promise<ScanStep | undefined> {
    const step = await this.#sequence.next();
    if (step === undefined) await this.close();
    return step;
  }

  /** The damage that has ended the scan; undefined if there is none so far. */
  get cut(): TFRecordError | undefined {
    return this.#splitter.cut;
  }

  /** The scan has come to its end: states that the index is complete. Returns the number of records with wrong data. */
  complete(): number {
    const { last, damaged, cut } = this.#splitter;
    const compression = compressionNumber(last?.compression ?? 'none');
    native().indexComplete(this.#index, compression, last?.compressedBytes ?? 0, damaged, cut !== undefined);
    return damaged;
  }

  async close(): Promise<void> {
    await this.#sequence.close();
    this.#memory.close();
  }
}

/** The splitter handles damage, so this policy decides only about a source that cannot be opened. */
function continuing(): ErrorPolicy {
  const report = (error: TFRecordError): never => {
    throw error;
  };
  return new ErrorPolicy({ action: 'skip', maxRate: 1, report });
}

class ScanSplitter implements Splitter<FilledSlab, ScanStep> {
  readonly #maxRecordBytes: number;
  readonly #memory: MemoryPool;
  readonly #keys: KeyCollector | undefined;
  #file = '';
  /** The slab whose faults were not all reported. */
  #filled: FilledSlab | undefined;
  #fault = 0;
  /** Errors of records of that slab that cannot have keys. */
  #keyless: TFRecordError[] = [];
  /** The last slab's result. */
  last: SlabFill | undefined;
  /** Number of records with wrong data. */
  damaged = 0;
  /** The damage that has ended the scan. */
  cut: TFRecordError | undefined;

  constructor(maxRecordBytes: number, memory: MemoryPool, keys: KeyCollector | undefined) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#memory = memory;
    this.#keys = keys;
  }

  load(file: string, filled: FilledSlab): void {
    this.#file = file;
    this.#filled = filled;
    this.#fault = 0;
    this.last = filled.result;
    this.damaged += filled.result.faults.length;
    this.#keyless = this.#keys?.add(file, filled) ?? [];
    // Nobody else reads them, and V8 would collect those of hundreds of slabs too late.
    freeBytes(filled.result.frames);
    this.#memory.end(filled.slab);
  }

  next(): Step<ScanStep> {
    if (this.cut !== undefined) return 'stop';
    if (this.#filled === undefined) return this.#after();
    const { compressedBytes, totalBytes, faults } = this.#filled.result;
    const keyless = this.#keyless.shift();
    if (keyless !== undefined) return { fault: keyless, compressedBytes, totalBytes };
    const fault = faults.at(this.#fault++);
    if (fault === undefined) this.#filled = undefined;
    const error = fault === undefined ? this.#haltOf() : faultError(fault, { file: this.#file });
    return { fault: error, compressedBytes, totalBytes };
  }

  /** Returns the error of the halt after a slab, if it is one. @throws TFRecordError for that of the system */
  #haltOf(): TFRecordError | undefined {
    const { outcome, halt } = this.last!;
    if (outcome !== FillOutcome.Halt) return undefined;
    if (isSkippable(halt!)) {
      if (halt!.found <= this.#maxRecordBytes) return undefined;
      return faultError({ ...halt!, expected: BigInt(this.#maxRecordBytes) }, { file: this.#file });
    }
    const error = faultError(halt!, { file: this.#file, ...lostAfter(halt!, this.last!) });
    if (!error.code.startsWith('TFR_')) throw faultError(halt!, { file: this.#file });
    this.cut = error;
    return error;
  }

  /** The step after a slab. */
  #after(): Step<ScanStep> {
    if (this.last?.outcome === FillOutcome.End) return 'done';
    return this.last?.outcome === FillOutcome.Halt ? 'skip' : 'fill';
  }
}
