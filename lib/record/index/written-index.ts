import { callNative, fullPath, TFRecordError, workingFolder, type Bytes } from '../../base';
import { INDEX_SUFFIX } from '../../io';
import { native, type IndexHandle } from '../../native';
import { gatherFromFile, sampledNumbers } from './gather-records';
import { replacedFile, saveIndex } from './index-file';
import { checkIndexOptions } from './index-options';
import { findIndexed } from './index-source';
import { newIndex, RecordIndex } from './record-index';

/**
 * The index of a file that is written, from what its writer writes. It is saved beside the file once that is complete: a crash
 * before leaves a file without an index, or with the one of the file that it replaced, which is not used.
 */
export class WrittenIndex {
  readonly #file: string;
  /** The full path of the file. */
  readonly #at: string;
  readonly #compression: number;
  readonly #settings = checkIndexOptions(undefined);
  readonly #handle: IndexHandle;

  /** `file`: the name of the file in errors. `compression`: the index in `COMPRESSIONS`. */
  constructor(file: string, path: string, compression: number) {
    this.#file = file;
    this.#at = fullPath(path, workingFolder());
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
   * Saves the index of the file, which is complete, and has `fileBytes` bytes.
   * @throws TFRecordError TFR_STATE_MISMATCH if the file is another one by now; Node's code if the index cannot be written
   */
  async save(fileBytes: number): Promise<void> {
    const seen = await findIndexed(this.#at).look();
    const { records } = native().indexState(this.#handle);
    if (seen.identity?.size !== fileBytes || !(await this.#holdsSample(records))) throw replacedFile(this.#file);
    // A file without records has been given a member by its writer.
    if (records === 0) return this.scan();
    // As a scan, which finds a place between members at the end, too.
    this.add(new Uint8Array(0), fileBytes);
    native().indexComplete(this.#handle, this.#compression, fileBytes, 0, false);
    await saveIndex(this.#handle, this.#file, seen, `${this.#at}${INDEX_SUFFIX}`);
  }

  /** Saves the index of the file after a scan: of one that was appended to, or whose members do not begin where slabs do. */
  async scan(): Promise<void> {
    const index = RecordIndex.scan(this.#at);
    try {
      await index.save(`${this.#at}${INDEX_SUFFIX}`);
    } finally {
      await index.close();
    }
  }

  async #holdsSample(records: number): Promise<boolean> {
    try {
      await gatherFromFile(this.#handle, { at: this.#at, file: this.#file }, this.#settings, sampledNumbers(records));
      return true;
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      return false;
    }
  }
}
