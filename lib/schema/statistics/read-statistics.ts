import { TFRecordError } from '../../base';
import { readSmallFile } from '../../io';
import { crc32c, maskCrc32c, readRecords } from '../../record';
import { inFile, isProtoText, pathOf, textOf } from '../read/small-file';
import { DatasetFeatureStatisticsList, type DatasetFeatureStatisticsListMessage } from './message';

/**
 * Reads statistics that were saved: the message `DatasetFeatureStatisticsList` as bytes (`tfrecord stats -o stats.pb`),
 * as protobuf's JSON or text, or as the only record of a TFRecord file, as TensorFlow Data Validation writes it. The
 * content of the file determines its form, not its name.
 *
 * @throws TFRecordError, naming the file: Node's code if it is missing; TFR_DECODE if it is none of these.
 *
 * @example
 * const before = await readStatistics('monday.pb');
 * console.log(before.datasets[0]?.numExamples);
 */
export async function readStatistics(path: string | URL): Promise<DatasetFeatureStatisticsListMessage> {
  const file = pathOf(path);
  const bytes = await readSmallFile(file, notStatistics);
  try {
    return await statisticsIn(bytes, file);
  } catch (error) {
    throw inFile(error, file);
  }
}

async function statisticsIn(bytes: Buffer, file: string): Promise<DatasetFeatureStatisticsListMessage> {
  const text = textOf(bytes);
  if (text !== undefined && /^\s*\{/.test(text)) return DatasetFeatureStatisticsList.fromJSON(text);
  if (text !== undefined && text.trim() !== '' && isProtoText(text)) return DatasetFeatureStatisticsList.fromText(text);
  const message = isFramed(bytes) ? await onlyRecord(bytes, file) : bytes;
  const statistics = DatasetFeatureStatisticsList.decode(message);
  if (statistics.datasets.length === 0) throw notStatistics(file, 'it describes no data set');
  return statistics;
}

/** True for the beginning of a TFRecord file, or of a compressed one. */
function isFramed(bytes: Buffer): boolean {
  if (bytes.length < 12) return false;
  const isPlain = bytes.readUInt32LE(8) === maskCrc32c(crc32c(bytes.subarray(0, 8)));
  return isPlain || bytes.readUInt16BE(0) === 0x1f8b || (bytes[0] === 0x78 && bytes.readUInt16BE(0) % 31 === 0);
}

async function onlyRecord(bytes: Buffer, file: string): Promise<Uint8Array> {
  let only: Uint8Array | undefined;
  for await (const record of readRecords(bytes)) {
    if (only !== undefined) throw notStatistics(file, 'it has more than one record');
    only = record;
  }
  if (only === undefined) throw notStatistics(file, 'it has no record');
  return only;
}

function notStatistics(file: string, reason: string): TFRecordError {
  const expected = 'the message DatasetFeatureStatisticsList: bytes, JSON, text, or the only record of a TFRecord file';
  return new TFRecordError('TFR_DECODE', `${file} has no statistics: ${reason}. Expected ${expected}.`, {
    file,
    expected,
  });
}
