import type { TFRecordError } from '../../base';
import { native, type IndexHandle, type LoadedIndex } from '../../native';
import type { CheckedIndexOptions, ScanProgress } from './index-options';
import { IndexScan, type ScanStep } from './index-scan';
import type { SeenSource } from './index-source';
import type { IndexUses } from './index-uses';

/** Time between two reports of progress. */
const PROGRESS_MS = 50;
/** The first records are known as soon as possible. */
const FIRST_MS = 5;

const MAX_FAULTS = 10_000;

/** The facts that an index has about its source, from a scan or from a loaded index. */
export class ScanState {
  /** The current state of the scan. */
  progress: ScanProgress = { records: 0, compressedBytes: 0, totalBytes: 0, complete: false };
  /** Native memory of the index, in bytes; the size of a loaded one. */
  heldBytes = 0;
  /** Number of records with wrong data, once the scan is complete. */
  damaged = 0;
  /** Damage ended the scan. */
  isCut = false;
  /** The error of that damage; undefined for a loaded index. */
  cut: TFRecordError | undefined;
  /** The errors of the damage found so far, in the order of the source. */
  readonly faults: TFRecordError[] = [];

  /** The state of an index that was loaded for a source of `fileSize` bytes, and is itself `size` bytes long. */
  static ofLoaded({ records, damaged, cut }: LoadedIndex, fileSize: number, size: number): ScanState {
    const state = new ScanState();
    state.progress = { records, compressedBytes: fileSize, totalBytes: fileSize, complete: true };
    state.heldBytes = size;
    state.damaged = damaged;
    state.isCut = cut;
    return state;
  }

  /**
   * Scans `source`, and fills the index. Resolves at the end, and after `uses` were closed.
   * @throws TFRecordError if reading fails, or the source has changed; `signal.reason`; what `onProgress` throws
   */
  async scan(
    source: Promise<SeenSource>,
    settings: CheckedIndexOptions,
    handle: IndexHandle,
    uses: IndexUses,
  ): Promise<void> {
    const { signal, onProgress } = settings;
    signal?.throwIfAborted();
    const { source: scanned, identity } = await source;
    signal?.throwIfAborted();
    if (uses.closed) return;
    const scan = new IndexScan(scanned, settings, handle);
    const close = uses.add(scan);
    const know = (step: ScanStep | undefined, complete: boolean): void => {
      this.#know(handle, step, complete);
      onProgress?.(this.progress);
    };
    try {
      const last = await this.#follow(scan, know);
      if (!uses.closed && signal?.aborted !== true) {
        await identity?.check();
        this.damaged = scan.complete();
        know(last, true);
      }
    } finally {
      // onProgress may have thrown in the middle of the source.
      await close();
      this.cut = scan.cut;
      this.isCut = scan.cut !== undefined;
    }
    signal?.throwIfAborted();
  }

  /** Follows the scan to its end, and calls `know` now and then. Resolves with the last step. */
  async #follow(scan: IndexScan, know: (step: ScanStep, complete: boolean) => void): Promise<ScanStep | undefined> {
    let last: ScanStep | undefined;
    let due = performance.now() + FIRST_MS;
    for (let step = await scan.next(); step !== undefined; step = await scan.next()) {
      last = step;
      if (step.fault !== undefined && this.faults.length < MAX_FAULTS) this.faults.push(step.fault);
      if (performance.now() < due) continue;
      know(step, false);
      due = performance.now() + PROGRESS_MS;
    }
    return last;
  }

  #know(handle: IndexHandle, step: ScanStep | undefined, complete: boolean): void {
    const { records, heldBytes } = native().indexState(handle);
    const { compressedBytes = 0, totalBytes = 0 } = step ?? {};
    this.progress = { records, compressedBytes, totalBytes: Math.max(totalBytes, 0), complete };
    this.heldBytes = heldBytes;
  }
}
