import { callNative, TFRecordError, type Bytes } from '../../base';
import { INDEX_SUFFIX } from '../../io';
import { native, type IndexHandle } from '../../native';
import { gatherFromFile, sampledNumbers } from './gather-records';
import { replacedFile, saveIndex } from './index-file';
import { checkIndexOptions, newIndex } from './index-options';
import { findIndexed } from './index-source';
import { RecordIndex } from './record-index';

/**
 * The index of a file that is being written, made of the records that its writer writes. It is saved beside the file once the
 * file is complete: a crash before that leaves the file without an index, or with that of the file it replaced, which is not used.
 */
export class WrittenIndex {
  readonly #file: string;
  readonly #compression: number;
  readonly #settings = checkIndexOptions(undefined);
  readonly #handle: IndexHandle;

  /** `file`: the name of the file in errors. `compression`: the index in `COMPRESSIONS`. */
  constructor(file: string, compression: number) {
    this.#file = file;
    this.#compression = compression;
    this.#handle = newIndex(file, this.#settings);
  }

  /** Adds framed records, which were written at byte `stored` of the file: as a member of their own, if it is compressed. */
  add(framed: Bytes, stored: number): void {
    callNative(this.#file, () => {
      native().indexWrote(this.#handle, framed, this.#compression, stored);
    });
  }

  /**
   * Saves the index of the file, which is complete, has `fileBytes` bytes, and the full path `at`.
   * @throws TFRecordError TFR_STATE_MISMATCH if the file is another one by now; Node's code if the index cannot be written
   */
  async save(at: string, fileBytes: number): Promise<void> {
    const seen = await findIndexed(at).look();
    const { records } = native().indexState(this.#handle);
    if (seen.identity?.size !== fileBytes || !(await this.#holdsSample(at, records))) throw replacedFile(this.#file);
    // A file without records has been given a member by its writer.
    if (records === 0) return scanAndSave(at);
    // As a scan, which finds a place between members at the end, too.
    this.add(new Uint8Array(0), fileBytes);
    native().indexComplete(this.#handle, this.#compression, fileBytes, 0, false);
    await saveIndex(this.#handle, this.#file, seen, `${at}${INDEX_SUFFIX}`, undefined);
  }

  async #holdsSample(at: string, records: number): Promise<boolean> {
    try {
      await gatherFromFile(this.#handle, { at, file: this.#file }, this.#settings, sampledNumbers(records));
      return true;
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      return false;
    }
  }
}

/**
 * Scans the file `path`, and saves its index beside it. Used for files that were appended to, whose members do not begin where
 * slabs do, and for files of large sets, whose indexes would take much memory while they are written.
 */
export async function scanAndSave(path: string): Promise<void> {
  const index = RecordIndex.scan(path);
  try {
    await index.save(`${path}${INDEX_SUFFIX}`);
  } finally {
    await index.close();
  }
}
