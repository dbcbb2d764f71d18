import { inspect, types } from 'node:util';
import { basename, sep } from 'node:path';

import {
  fullPath,
  illegalConstructor,
  inspected,
  invalidArgType,
  isInstance,
  workingFolder,
  type Bytes,
  type InspectArguments,
  type Origin,
} from '../../base';
import { manifestName } from '../../io';
import { ENCODED, findEarlier, RecordBatch, ShardSet, type WriteReport } from '../../record';
import { hiveName } from './hive-name';
import { placementOf, type Placement } from './placement';
import { resolveShardedOptions, type ShardedPlan, type ShardedWriterOptions } from './sharded-options';

/** A file of a {@link ShardedWriter}. */
export interface WrittenFile {
  /** Its path: that of the target, with the number or the folder of the file. */
  readonly file: string;
  /** Number of its records. */
  readonly records: number;
  /** Size of the data of these records in bytes, uncompressed and without framing. */
  readonly bytes: number;
  /** Size of the file in bytes. */
  readonly fileBytes: number;
  /** CRC-32C of the file, as eight hexadecimal digits. */
  readonly crc32c: string;
}

/** The result of {@link ShardedWriter.close}. Its sums are those of all files. */
export interface ShardedWriteReport extends WriteReport {
  /** The files, in the order of their numbers; partitions in the order of their first records. */
  readonly files: readonly WrittenFile[];
  /** The path of the manifest. */
  readonly manifest: string;
}

/**
 * Writes records to several TFRecord files: in turn, by a key, by size, or in a folder for each value of a feature.
 *
 * ```js
 * await using writer = await ShardedWriter.open('out/train.tfrecord.gz', { shards: 10 });
 * for (const record of records) await writer.write(record);
 * const { files } = await writer.close();
 * ```
 *
 * All files appear together: `close` gives them their names, and then writes the manifest `NAME.EXT.manifest.json`, which
 * lists them with their records, sizes and CRC-32C. Until then they are in a folder `NAME.EXT.PID-….tmp` beside them. A
 * writer that ends without `close` leaves nothing, as a RecordWriter does. If the process is killed, that folder stays,
 * until the next writer of the same name removes it.
 *
 * Records keep their order within a file. Records that wait take about 16 MiB of memory, for all files together; each
 * file takes about 3 KB more.
 *
 * @example
 * await using writer = await ShardedWriter.open('out/train.tfrecord.gz', { shards: 10 });
 * for (const record of records) await writer.write(record);
 * const { files } = await writer.close();
 */
export class ShardedWriter implements AsyncDisposable {
  readonly #set: ShardSet;
  readonly #placement: Placement;
  readonly #plan: ShardedPlan;
  /** The working directory when the writer was opened. */
  readonly #folder: string | undefined;
  #closed: Promise<ShardedWriteReport> | undefined;
  /** Files before this one are complete. */
  #complete = 0;
  /** Number of records that were placed. */
  #records = 0;

  private constructor(set: ShardSet, placement: Placement, plan: ShardedPlan, folder: string | undefined) {
    if (!isInstance(set, ShardSet)) throw illegalConstructor('ShardedWriter.open()');
    this.#set = set;
    this.#placement = placement;
    this.#plan = plan;
    this.#folder = folder;
    set.watch(this);
  }

  /**
   * Begins to write the files that `target` names: a path or file URL, such as `out/train.tfrecord.gz`. Creates its folder.
   *
   * @throws TypeError or RangeError with Node's codes for wrong arguments; TFRecordError EEXIST if files of that name
   *   exist, and Node's codes of the file system; `signal.reason`.
   *
   * @example
   * await using writer = await ShardedWriter.open('out/train.tfrecord', { partitionBy: 'label' });
   */
  static async open(target: string | URL, options: ShardedWriterOptions): Promise<ShardedWriter> {
    const plan = resolveShardedOptions(target, options);
    plan.write.signal?.throwIfAborted();
    // The working directory may change before the files get their names.
    const folder = workingFolder();
    const path = fullPath(plan.path, folder);
    await findEarlier(path, prefixesOf(plan), plan.force);
    const placement = placementOf(plan);
    const set = await ShardSet.open(plan.path, path, plan.write, (index) =>
      placement.pathOf(plan.path, index, placement.count),
    );
    return new ShardedWriter(set, placement, plan, folder);
  }

  /**
   * Writes one record: bytes, or text as UTF-8. The bytes are copied before it returns, so the caller may reuse the array.
   *
   * @returns A promise if the caller should wait, otherwise undefined, as `RecordWriter.write`: a caller that does not
   *   wait uses more memory.
   * @throws What `RecordWriter.write` throws; what the function `shardBy` throws; TFRecordError TFR_EXAMPLE or TFR_FEATURE
   *   for a record without a key for `shardBy` or `partitionBy`. Such a record is not written. Rejects with TFR_CLOSED
   *   after `close`.
   *
   * @example
   * const full = writer.write(record);
   * if (full !== undefined) await full;
   */
  write(record: Uint8Array | string): Promise<void> | undefined {
    const set = this.#set;
    set.check(record);
    const refused = set.refuse();
    if (refused !== undefined) return refused;
    const bytes = types.isUint8Array(record) ? record : Buffer.from(record);
    const number = this.#records;
    const index = this.#placement.fileOf(bytes as Bytes, () => originOf(number, bytes.length));
    const closed = set.refuse();
    if (closed !== undefined) return closed;
    this.#records++;
    const full = set.write(index, bytes);
    this.#finishBefore();
    return full;
  }

  /**
   * Writes all records of `batch`, a result of `encodeExamples` or of a RecordReader's `batches()`, as `write` does for
   * each, but faster.
   *
   * @returns A promise if the caller should wait.
   * @throws TypeError ERR_INVALID_ARG_TYPE for anything but a RecordBatch; the errors of `write`. Nothing of such a batch
   *   is written. Rejects with TFR_CLOSED after `close`.
   *
   * @example
   * for await (const batch of reader.batches()) await writer.writeBatch(batch);
   */
  writeBatch(batch: RecordBatch): Promise<void> | undefined {
    if (!isInstance(batch, RecordBatch))
      throw invalidArgType('batch', 'a RecordBatch (write() takes a single record)', batch);
    const full = this.#set.writeBatch(batch, this.#placement);
    this.#records += batch.length;
    this.#finishBefore();
    return full;
  }

  /**
   * Writes all records so far to the temporary files, which keep their names until `close`. Ends a gzip member, so
   * flushing after every few records makes the files larger.
   *
   * @example
   * await writer.flush();
   */
  flush(): Promise<void> {
    return this.#set.flush(false);
  }

  /**
   * Like `flush`; when it resolves, the records are also on the disk.
   *
   * @example
   * await writer.sync();
   */
  sync(): Promise<void> {
    return this.#set.flush(true);
  }

  /**
   * Writes the rest, syncs all files to the disk, gives them their names, and writes the manifest. Rejects with the first
   * error if anything failed: then no file has its name, and an earlier set is unchanged. Calling `close` again returns
   * the same promise.
   *
   * @throws TFRecordError EEXIST if a file of that name appeared meanwhile, or if the file system does not distinguish the
   *   folders of two values, such as `A` and `a`.
   *
   * @example
   * await using sharded = await ShardedWriter.open('train.tfrecord@16', {});
   * const { records: written, manifest } = await sharded.close();
   */
  close(): Promise<ShardedWriteReport> {
    return (this.#closed ??= this.#close());
  }

  /**
   * Discards all files: none appears. Pending and later calls reject with TFR_CLOSED. Once `close` has begun to give the files
   * their names, `abort` only waits for it.
   *
   * @example
   * await writer.abort(); // does nothing after close()
   */
  abort(): Promise<void> {
    return this.#set.abort();
  }

  /** Called by `await using`: aborts, unless `close` was called. Waits for pending work, and never rejects. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#set.settled();
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected('ShardedWriter', args, () => {
      const { file, state, records } = this.#set;
      return { file, state, records };
    });
  }

  #finishBefore(): void {
    while (this.#complete < this.#placement.current) this.#set.finish(this.#complete++);
  }

  async #close(): Promise<ShardedWriteReport> {
    const { path } = this.#plan;
    const { count } = this.#placement;
    // A set without size limits has all its files, empty ones too; any other has one at least, unless it has folders.
    const least = count ?? (this.#plan.partitionBy === undefined ? 1 : 0);
    if (this.#set.refuse() === undefined) for (let index = 0; index < least; index++) this.#set.make(index);
    const manifest = manifestName(path);
    let files: readonly WrittenFile[] = [];
    await this.#set.close(async (shards) => {
      files = shards.map(({ index, ...shard }) => {
        return { file: this.#placement.pathOf(path, index, shards.length), ...shard };
      });
      return {
        paths: files.map(({ file }) => fullPath(file, this.#folder)),
        replaced: await findEarlier(fullPath(path, this.#folder), prefixesOf(this.#plan), this.#plan.force),
        manifest: {
          path: fullPath(manifest, this.#folder),
          text: manifestText(this.#plan, files, (i) =>
            this.#placement.pathOf(basename(path), shards[i]!.index, shards.length),
          ),
        },
      };
    });
    const sum = (of: (file: WrittenFile) => number): number => files.reduce((all, file) => all + of(file), 0);
    return {
      records: sum(({ records }) => records),
      bytes: sum(({ bytes }) => bytes),
      fileBytes: sum(({ fileBytes }) => fileBytes),
      files,
      manifest,
    };
  }
}

/** The beginnings of the names of folders of partitions, level by level. */
function prefixesOf({ partitionBy = [] }: ShardedPlan): string[] {
  return partitionBy.map((name) => hiveName(name, undefined).replace(/=.*/s, '='));
}

function originOf(record: number, bytes: number): Origin {
  return { file: ENCODED, record, offset: 0, bytes };
}

/** The manifest: its outputs have the members that those of a conversion have. Names are relative to its folder. */
function manifestText(plan: ShardedPlan, files: readonly WrittenFile[], nameOf: (i: number) => string): string {
  const { path, shards, shardBy, maxShardBytes, partitionBy } = plan;
  const outputs = files.map(({ records, fileBytes, crc32c }, i) => ({
    file: nameOf(i).split(sep).join('/'),
    records,
    bytes: fileBytes,
    crc32c,
  }));
  const content = {
    format: 'tfrecord-native shards',
    version: 1,
    complete: true,
    name: basename(path),
    options: {
      ...{ shards, maxShardBytes, partitionBy },
      shardBy: typeof shardBy === 'function' ? 'a function' : shardBy,
    },
    outputs,
    records: outputs.reduce((sum, { records }) => sum + records, 0),
    bytesOut: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
    finished: new Date().toISOString(),
  };
  return `${JSON.stringify(content, null, 1)}\n`;
}
