/** Prints features as a table of text. */
import { counted, escapeUnsafe } from '../../base';
import { specToJSON } from '../../example';
import { shortestFloat32 } from '../../tensor';
import type { SchemaFeature } from '../feature';
import type { InferredFeature } from '../infer/inferred-features';
import type { PictureSummary } from '../infer/pictures';
import { callOf } from './typescript';

/**
 * A table with a line for each feature. `records`: the number of records, if the features were inferred from records.
 */
export function tableOf(features: readonly SchemaFeature[], records?: number): string {
  const rows = features.map((feature) => cells(feature, records));
  return layOut([HEAD, ...rows]);
}

const HEAD = ['feature', 'kind', 'spec', 'present', 'values', 'content'] as const;

/** The cells in the line of a feature. */
function cells(feature: SchemaFeature, records: number | undefined): readonly string[] {
  const { section, presence, valueCount, shape } = feature;
  const inferred = isInferred(feature) ? feature : undefined;
  const list = section === 'sequence' ? ' (list)' : '';
  return [
    `${shown(feature.name)}${list}`,
    inferred?.text === true ? 'text' : feature.kind,
    inferred === undefined ? (shape === undefined ? '' : `[${shape.join(', ')}]`) : fitting(inferred),
    inferred === undefined || records === undefined
      ? presence === undefined
        ? ''
        : percent(presence.minFraction)
      : percent(presentIn(inferred) / records),
    range(valueCount?.min, valueCount?.max),
    inferred === undefined ? domain(feature) : content(inferred),
  ];
}

function isInferred(feature: SchemaFeature): feature is InferredFeature {
  return 'kinds' in feature;
}

/** Number of records that have the feature with a kind; for feature lists: with or without one. */
function presentIn({ section, records, kinds }: InferredFeature): number {
  return section === 'context' ? records - kinds.none : records;
}

function fitting({ spec, kind }: InferredFeature): string {
  if (spec === undefined) return `none: ${kind === 'mixed' ? 'several kinds' : 'no values'}`;
  return callOf(specToJSON({ spec })['spec']!);
}

function percent(fraction: number): string {
  if (fraction === 0 || fraction === 1) return `${fraction * 100} %`;
  // Only exact values are shown as 100 % and 0 %.
  return `${Math.min(99.9, Math.max(0.1, fraction * 100)).toFixed(1)} %`;
}

function range(min: number | bigint | undefined, max: number | bigint | undefined): string {
  if (min === undefined) return '';
  return min === max ? String(min) : `${min} to ${max ?? 'any'}`;
}

/** The cell about the values: pictures, words, or bounds. */
function content(feature: InferredFeature): string {
  const { int64, float32, bytes, pictures, counts } = feature;
  const parts: string[] = [];
  if (pictures !== undefined) parts.push(picturesText(pictures, counts?.total ?? 0));
  else if (feature.domain?.type === 'text') parts.push(domain(feature));
  else if (bytes !== undefined)
    parts.push(counted(bytes.lengths.max, 'byte', range(bytes.lengths.min, bytes.lengths.max)));
  if (int64 !== undefined) parts.push(range(int64.min, int64.max));
  if (float32 !== undefined) {
    const { min, max, nans, infinities } = float32;
    if (min !== undefined && max !== undefined) parts.push(range(shortestFloat32(min), shortestFloat32(max)));
    if (nans > 0) parts.push(`${nans} NaN`);
    if (infinities > 0) parts.push(`${infinities} infinite`);
  }
  return parts.join(', ');
}

/** `values`: number of all values, including those that are not pictures. */
function picturesText({ formats, looked, width, height }: PictureSummary, values: number): string {
  const found = Object.entries(formats);
  const others = found.reduce((left, [, count]) => left - count, values);
  const counts = [...found, ...(others > 0 ? [['other', others] as const] : [])]
    .map(([format, count]) => `${count} ${format}`)
    .join(', ');
  if (width === undefined || height === undefined) return counts;
  const size = `${range(width.min, width.max)} × ${range(height.min, height.max)} pixels`;
  return `${counts}; ${size} (of ${looked} looked at)`;
}

/** Maximum number of characters for the words of a domain. */
const MAX_LETTERS = 60;

function domain({ domain: of }: SchemaFeature): string {
  if (of === undefined) return '';
  if (of.type !== 'text') return `${of.min ?? 'any'} to ${of.max ?? 'any'}`;
  let text = '';
  for (const [i, value] of of.values.entries()) {
    const next = `${i === 0 ? '' : ', '}${shown(value)}`;
    if (text.length + next.length > MAX_LETTERS) return `${of.values.length} words: ${text}${i === 0 ? '' : ', '}…`;
    text += next;
  }
  return text;
}

/** Text that is safe in a terminal: quoted if it has characters other than letters, digits and some marks. */
function shown(text: string): string {
  return /^[\w./:\-]+$/.test(text) ? text : escapeUnsafe(JSON.stringify(text));
}

/** Pads columns to their widest cells, with two blanks between them. */
function layOut(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
