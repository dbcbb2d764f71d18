/** Prints statistics as tables of text, with histograms of block characters. */
import { grouped } from '../../base';
import { brief, cut, layOut, percent, shown, type Row } from '../print/layout';
import { STANDARD } from './histograms';
import type {
  CommonStatisticsMessage,
  DatasetFeatureStatisticsListMessage,
  FeatureNameStatisticsMessage,
  HistogramMessage,
} from './message';

const BLOCKS = ' ▁▂▃▄▅▆▇█';
const MAX_NAME_LETTERS = 32;
const MAX_WORD_LETTERS = 24;
/** Number of words that are shown for a feature. */
const WORDS = 5;

/** Tables of all data sets, with lines of at most `width` characters. */
export function statisticsTable({ datasets }: DatasetFeatureStatisticsListMessage, width: number): string {
  return datasets
    .map(({ name, numExamples, features }) => {
      const title = `${name === '' ? '' : `${shown(name)}: `}${grouped(numExamples)} ${numExamples === 1n ? 'record' : 'records'}`;
      const parts = [numbersTable, textsTable, bytesTable].map((table) => table(features, width));
      return [`${title}\n`, ...parts.filter((part) => part !== '')].join('\n');
    })
    .join('\n');
}

function numbersTable(features: readonly FeatureNameStatisticsMessage[], width: number): string {
  const rows = features.flatMap((feature): Row[] => {
    const { type, numStats: stats } = feature;
    if (stats === undefined) return [];
    const first = [...leading(feature, stats.commonStats), type === 0 ? 'int' : 'float'];
    if (stats.histograms.length === 0) return [first];
    const standard = stats.histograms.find((histogram) => histogram.type === STANDARD)!;
    const nans = standard.numNan === 0n ? '' : `${grouped(standard.numNan)} NaN`;
    if (standard.buckets.length === 0) return [[...first, '', '', '', '', '', '', '', nans]];
    const numbers = [stats.min, stats.median, stats.max, stats.mean, stats.stdDev].map(brief);
    return [[...first, bars(standard), ...numbers, grouped(stats.numZeros), nans]];
  });
  const head = [...LEADING, 'type', 'histogram', 'min', 'median', 'max', 'mean', 'deviation', 'zeros', ''];
  return layOut(head, rows, width, new Set(['min', 'median', 'max', 'mean', 'deviation', 'zeros']));
}

function textsTable(features: readonly FeatureNameStatisticsMessage[], width: number): string {
  const rows = features.flatMap((feature): Row[] => {
    const { stringStats: stats } = feature;
    if (stats === undefined) return [];
    const { commonStats: common, unique, avgLength, topValues, rankHistogram, invalidUtf8Count } = stats;
    const total = Number(common?.totNumValues ?? 0n);
    const first = [...leading(feature, common)];
    if (total === 0) return [[...first, '', '', '', common?.numNonMissing === 0n ? 'never a value' : 'no values']];
    const chart = blocks((rankHistogram?.buckets ?? []).slice(0, 10).map(({ sampleCount }) => sampleCount));
    const words = topValues
      .slice(0, WORDS)
      .map(({ value, frequency }) => `${cut(shown(value), MAX_WORD_LETTERS)} ${percent(frequency / total)}`);
    const bad = invalidUtf8Count === 0n ? [] : [`${grouped(invalidUtf8Count)} not UTF-8`];
    return [[...first, grouped(unique), brief(avgLength), chart, [...bad, ...words].join(', ')]];
  });
  const head = [...LEADING, 'different', 'bytes', 'ranks', 'most frequent'];
  return layOut(head, rows, width, new Set(['different', 'bytes']));
}

function bytesTable(features: readonly FeatureNameStatisticsMessage[], width: number): string {
  const rows = features.flatMap((feature): Row[] => {
    const { bytesStats: stats } = feature;
    if (stats === undefined) return [];
    const { commonStats, minNumBytes, maxNumBytesInt, avgNumBytes } = stats;
    return [[...leading(feature, commonStats), brief(minNumBytes), brief(avgNumBytes), grouped(maxNumBytesInt)]];
  });
  const head = [...LEADING, 'least bytes', 'mean', 'most bytes'];
  return layOut(head, rows, width, new Set(['least bytes', 'mean', 'most bytes']));
}

const LEADING = ['feature', 'present', 'values'] as const;

function leading({ name, path }: FeatureNameStatisticsMessage, common: CommonStatisticsMessage | undefined): Row {
  const steps = path?.step ?? [name ?? ''];
  const shownName = cut(shown(steps.at(-1) ?? ''), MAX_NAME_LETTERS);
  if (common === undefined) return [shownName, '', ''];
  const { numNonMissing, numMissing, minNumValues: min, maxNumValues: max } = common;
  const records = Number(numNonMissing + numMissing);
  const values = numNonMissing === 0n ? '' : min === max ? grouped(min) : `${grouped(min)}–${grouped(max)}`;
  const list = steps.length > 1 ? ' (list)' : '';
  return [`${shownName}${list}`, records === 0 ? '' : percent(Number(numNonMissing) / records), values];
}

function bars({ buckets }: HistogramMessage): string {
  const finite = buckets.filter(({ lowValue, highValue }) => Number.isFinite(lowValue) && Number.isFinite(highValue));
  return blocks(finite.map(({ sampleCount }) => sampleCount));
}

/** A block character for each count, as high as the count. Counts above 0 are always visible. */
function blocks(counts: readonly number[]): string {
  const most = Math.max(...counts, 1);
  return counts
    .map((count) => BLOCKS[count === 0 ? 0 : Math.max(1, Math.round((count / most) * (BLOCKS.length - 1)))])
    .join('');
}
