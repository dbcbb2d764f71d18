import type { RecordList } from '../../batch/gather-records';

/** Records for one file. */
export interface FileList {
  /** Number of the file. */
  readonly index: number;
  readonly list: RecordList;
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

  /** Returns the groups of `list`, whose records were added, in the order of their first records. */
  divided(list: RecordList): FileList[] {
    if (this.#files.length === 1) return [{ index: this.#files[0]!, list }];
    const { slabs, records, unseen } = list;
    const sorted = new Uint32Array(3 * this.#records);
    const next = new Uint32Array(this.#files.length);
    for (let group = 1; group < next.length; group++) next[group] = next[group - 1]! + 3 * this.#counts[group - 1]!;
    const bytes = new Float64Array(next.length);
    for (let i = 0; i < this.#records; i++) {
      const group = this.#groups[i]!;
      const at = next[group]!;
      sorted[at] = records[3 * i]!;
      sorted[at + 1] = records[3 * i + 1]!;
      sorted[at + 2] = records[3 * i + 2]!;
      bytes[group]! += records[3 * i + 2]!;
      next[group] = at + 3;
    }
    return this.#files.map((index, group) => ({
      index,
      list: {
        slabs,
        records: sorted.subarray(next[group]! - 3 * this.#counts[group]!, next[group]),
        bytes: bytes[group]!,
        unseen,
      },
    }));
  }
}
