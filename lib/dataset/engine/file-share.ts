/** Which files of a source one shard of several reads: every `count`-th, from number `index` on. */
export class FileShare {
  readonly count: number;
  readonly index: number;
  #warned = false;

  constructor(count: number, index: number) {
    this.count = count;
    this.index = index;
  }

  /** Those of `files`, which are all of the source in their order. Warns where a shard has none. */
  readonly pick = <T>(files: readonly T[]): readonly T[] => {
    if (files.length < this.count && !this.#warned) {
      this.#warned = true;
      process.emitWarning(
        `There are ${files.length} files for ${this.count} shards: some have nothing to read. Write more files, or shard by record.`,
        'TFRecordWarning',
      );
    }
    return files.filter((_, number) => number % this.count === this.index);
  };
}
