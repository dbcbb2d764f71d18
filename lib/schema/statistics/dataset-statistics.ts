import { inspect } from 'node:util';

import { inspected, type Bytes, type InspectArguments } from '../../base';
import type { JsonValue, MessageInit } from '../../example';
import { type ReadStats } from '../../record';
import { DatasetFeatureStatisticsList, type DatasetFeatureStatisticsListMessage } from './message';
import { statisticsTable } from './table';

/**
 * Statistics of all features of a source, as messages of TensorFlow Metadata. The result of {@link statistics}.
 *
 * @example
 * const found = await statistics('train-*.tfrecord.gz');
 * console.log(String(found)); // tables, with histograms
 * await writeFile('stats.pb', found.toBytes());
 */
export class DatasetStatistics {
  /** The message `DatasetFeatureStatisticsList`: the data set of all records, then the slices, if there are any. */
  readonly message: DatasetFeatureStatisticsListMessage;
  /** Number of records. */
  readonly records: number;
  /** The names of the files that were read. */
  readonly files: readonly string[];
  /** The final progress of reading: bytes, and what was skipped. */
  readonly stats: ReadStats;

  /** @internal */
  constructor(
    message: MessageInit<DatasetFeatureStatisticsListMessage>,
    { records, files, stats }: Pick<DatasetStatistics, 'records' | 'files' | 'stats'>,
  ) {
    // Encoding and decoding adds all members, and rounds numbers as they are stored.
    this.message = DatasetFeatureStatisticsList.decode(DatasetFeatureStatisticsList.encode(message));
    this.records = records;
    this.files = files;
    this.stats = stats;
  }

  /**
   * Returns the bytes of the message. A TFRecord file with these bytes as its only record can be read by
   * `load_statistics` of TensorFlow Data Validation.
   *
   * @example
   * await writeRecords('stats_tfrecord', [found.toBytes()]);
   */
  toBytes(): Bytes {
    return DatasetFeatureStatisticsList.encode(this.message);
  }

  /**
   * Returns the message in protobuf's canonical JSON. `JSON.stringify` calls it.
   *
   * @example
   * await writeFile('stats.json', JSON.stringify(found));
   */
  toJSON(): JsonValue {
    return DatasetFeatureStatisticsList.toJSON(this.message);
  }

  /**
   * Returns tables with a line for each feature. `width`: maximum width in characters. Default: 120.
   *
   * @example
   * console.log(found.toTable(process.stdout.columns));
   */
  toTable(width = 120): string {
    return statisticsTable(this.message, width);
  }

  /**
   * Returns tables, as {@link DatasetStatistics.toTable} does.
   *
   * @example
   * console.log(String(found));
   */
  toString(): string {
    return this.toTable();
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected(this.constructor.name, args, () => ({ records: this.records, message: this.message }));
  }
}
