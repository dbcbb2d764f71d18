import { codeOf } from '../../base';
import {
  statistics,
  type FeatureNameStatisticsMessage,
  type HistogramMessage,
  type NumericStatisticsMessage,
} from '../../schema';
import type { Asks, Bucket, FeatureStatistics, Progress, RecordKind } from '../protocol';
import { kindOf } from './decoded-record';
import { Feed } from './feed';
import { PROGRESS_MS } from './scan';
import type { ViewedFile } from './viewed-file';

const MAX_TOP = 20;
const LONGEST_TEXT = 120;

/** Yields progress, and returns the statistics of all features of `file`. */
export async function* describe(
  file: ViewedFile,
  signal: AbortSignal,
): AsyncGenerator<Progress, Asks['statistics']['done']> {
  const check = await file.watch();
  const feed = new Feed<Progress>();
  let next = 0;
  let count = 0;
  const work = statistics(file.path, {
    ...file.reading(signal, (error) => {
      if (!error.code.startsWith('TFR_') || error.code === 'TFR_NOT_TFRECORD') return 'throw';
      count++;
      return 'skip';
    }),
    onProgress: ({ records, compressedBytes, totalBytes }) => {
      if (performance.now() < next) return;
      next = performance.now() + PROGRESS_MS;
      feed.put({ records, readBytes: compressedBytes, totalBytes: totalBytes ?? 0 });
    },
  });
  let over = false;
  const ended = (): void => {
    over = true;
    feed.wake();
  };
  work.then(ended, ended);
  while (!over) {
    const progress = await feed.next(signal);
    if (progress !== undefined) yield progress.value;
    else if (signal.aborted) break;
  }
  const { records, message } = await work;
  await check();
  const features = (message.datasets[0]?.features ?? []).map(featureOf);
  if (count === 0) return { records, features, leftOut: null };
  return { records, features, leftOut: { count, kind: await firstKind(file, signal) } };
}

/** Returns the kind of the first undamaged record; `bytes` if there is none. */
async function firstKind(file: ViewedFile, signal: AbortSignal): Promise<RecordKind> {
  try {
    const { data } = await file.placed(0, signal);
    return kindOf(data);
  } catch (error) {
    if (codeOf(error) === 'ERR_OUT_OF_RANGE') return 'bytes';
    throw error;
  }
}

function featureOf(feature: FeatureNameStatisticsMessage): FeatureStatistics {
  const { numStats, stringStats, bytesStats, structStats } = feature;
  const common = (numStats ?? stringStats ?? bytesStats ?? structStats)?.commonStats;
  const standard = numStats?.histograms.find((histogram) => histogram.type === 0);
  return {
    name: feature.path?.step.join('/') ?? feature.name ?? '',
    type: TYPES[feature.type] ?? 'BYTES',
    present: Number(common?.numNonMissing ?? 0),
    missing: Number(common?.numMissing ?? 0),
    minValues: Number(common?.minNumValues ?? 0),
    maxValues: Number(common?.maxNumValues ?? 0),
    totalValues: Number(common?.totNumValues ?? 0),
    numbers: numStats ? numbersOf(numStats, standard) : null,
    texts: stringStats
      ? {
          unique: Number(stringStats.unique),
          averageLength: stringStats.avgLength,
          top: stringStats.topValues.slice(0, MAX_TOP).map(({ value, frequency }) => ({
            text: value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value,
            count: frequency,
          })),
        }
      : null,
    blobs: bytesStats
      ? { average: bytesStats.avgNumBytes, min: bytesStats.minNumBytes, max: bytesStats.maxNumBytes }
      : null,
  };
}

const TYPES = ['INT', 'FLOAT', 'STRING', 'BYTES', 'STRUCT'] as const;

function numbersOf(
  stats: NumericStatisticsMessage,
  standard: HistogramMessage | undefined,
): FeatureStatistics['numbers'] {
  const { mean, stdDev, numZeros, min, median, max } = stats;
  const buckets: Bucket[] = [];
  let infinite = 0;
  for (const { lowValue, highValue, sampleCount } of standard?.buckets ?? []) {
    if (Number.isFinite(lowValue) && Number.isFinite(highValue)) {
      buckets.push({ low: lowValue, high: highValue, count: sampleCount });
    } else infinite += sampleCount;
  }
  return {
    // If all values are NaN, the message has zeros.
    summary:
      buckets.length + infinite === 0 ? null : { mean, deviation: stdDev, zeros: Number(numZeros), min, median, max },
    nan: Number(standard?.numNan ?? 0),
    infinite,
    buckets,
  };
}
