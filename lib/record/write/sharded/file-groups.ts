import type { ListedRecords } from '../../batch/gather-records';

/** Records for one file. */
export interface FileList {
  /** Number of the file. */
  readonly index: number;
  /** They are `count` records of it, from number `first` on. */
  readonly list: ListedRecords;
  readonly first: number;
  readonly count: number;
}

/** Divides the records of a batch among files: a few steps a record, and a few arrays a batch. Reuse it for each batch. */
export class FileGroups {
  /** By the number of a file: its group in this batch, from 1 on; 0 if it has none. */
  #groupOf = new Uint32Array(16);
  /** By the number of a record: its group, from 0 on. */
  #groups = new Uint32Array(0);
  #records = 0;
  /** By group: the number of its file, and of its records. */
  #files: number[] = [];
  #counts: number[] = [];

  /** Begins a batch of at most `records`. */
  begin(records: number): void {
    for (const file of this.#files) this.#groupOf[file] = 0;
    this.#files = [];
    this.#counts = [];
    this.#records = 0;
    if (this.#groups.length < records) this.#groups = new Uint32Array(records);
  }

  /** Adds the next record, for file number `file`. */
  add(file: number): void {
    if (file >= this.#groupOf.length) {
      const grown = new Uint32Array(2 * file);
      grown.set(this.#groupOf);
      this.#groupOf = grown;
    }
    let group = this.#groupOf[file]! - 1;
    if (group < 0) {
      group = this.#files.push(file) - 1;
      this.#groupOf[file] = group + 1;
      this.#counts.push(0);
    }
    this.#counts[group]!++;
    this.#groups[this.#records++] = group;
  }

  /**
   * Returns the groups of `list`, whose records were added, in the order of their first records. One by one, so that few
   * objects are alive at a time.
   */
  *divided({ slabs, records }: ListedRecords): Generator<FileList> {
    if (this.#files.length === 1) {
      yield { index: this.#files[0]!, list: { slabs, records }, first: 0, count: this.#records };
      return;
    }
    const sorted = new Uint32Array(3 * this.#records);
    const next = new Uint32Array(this.#files.length);
    for (let group = 1; group < next.length; group++) next[group] = next[group - 1]! + this.#counts[group - 1]!;
    for (let i = 0; i < this.#records; i++) {
      const at = 3 * next[this.#groups[i]!]!++;
      sorted[at] = records[3 * i]!;
      sorted[at + 1] = records[3 * i + 1]!;
      sorted[at + 2] = records[3 * i + 2]!;
    }
    const list = { slabs, records: sorted };
    for (const [group, index] of this.#files.entries()) {
      const count = this.#counts[group]!;
      yield { index, list, first: next[group]! - count, count };
    }
  }
}
