/** Prints the distances between two data sets as a table of text. */
import { counted, grouped } from '../../base';
import { cut, layOut, shown, type Row } from '../print/layout';
import { sixDigits } from './comparators';
import type { ComparedDataset, FeatureDistance } from './feature-distance';

const MAX_NAME_LETTERS = 32;
const MAX_WORD_LETTERS = 24;
const HEAD = ['feature', 'values', 'Jensen-Shannon', 'L-infinity', 'most different'];

/** The data sets, then a line for each feature, the most different ones first. */
export function comparisonTable(
  {
    base,
    current,
    features,
  }: {
    readonly base: ComparedDataset;
    readonly current: ComparedDataset;
    readonly features: readonly FeatureDistance[];
  },
  width: number,
): string {
  const title = `${titleOf(base, 'base')}; ${titleOf(current, 'current')}`;
  const rows = [...features].sort((a, b) => rank(b) - rank(a)).map(rowOf);
  const table = layOut(HEAD, rows, width, new Set(['Jensen-Shannon', 'L-infinity']));
  return table === '' ? `${title}\n` : `${title}\n\n${table}`;
}

function titleOf({ name, records }: ComparedDataset, side: string): string {
  return `${name === '' ? side : shown(name)}: ${counted(records, 'record', grouped(records))}`;
}

/** Features that only one data set has come first, those without a distance last. */
function rank({ base, current, jensenShannon, lInfinity }: FeatureDistance): number {
  if (base === undefined || current === undefined) return 2;
  return jensenShannon ?? lInfinity ?? -1;
}

function rowOf({ path, base, current, jensenShannon, lInfinity, mostDifferent }: FeatureDistance): Row {
  const name = `${cut(shown(path.at(-1) ?? ''), MAX_NAME_LETTERS)}${path.length > 1 ? ' (list)' : ''}`;
  const values = base === current ? valuesOf(base) : `${valuesOf(base)} → ${valuesOf(current)}`;
  const text = mostDifferent === undefined ? '' : cut(shown(mostDifferent), MAX_WORD_LETTERS);
  return [name, values, brief(jensenShannon), brief(lInfinity), text];
}

function valuesOf(values: FeatureDistance['base']): string {
  return values === undefined ? 'missing' : values === 'none' ? 'no values' : values;
}

function brief(distance: number | undefined): string {
  return distance === undefined ? '' : sixDigits(distance);
}
