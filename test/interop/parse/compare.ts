/** Compares the two outcomes of a case. */
import type { TFRecordError } from '../../../lib';
import type { ParseCase } from './cases';
import type { Oddity } from './encode';
import type { SpecModel, Violation } from './model';
import type { Answer, Outcome } from './outcomes';

/** Oddities and violations. Some of their cases must differ; the others fail in both. */
export const DEPARTURES = [
  // Section 1: ours is the protobuf library's outcome.
  'a kind twice',
  'chunk past its parent',
  'cut float chunk',
  'empty entry',
  'entry past its parent',
  'entry without key',
  'entry without value',
  'field number 0',
  'key twice in an entry',
  'kindless last',
  'list past its parent',
  'packed, then unpacked',
  'two kinds',
  'two packed chunks',
  'unknown field at the start of a list',
  'unknown field before the kind',
  'unknown field behind the kind',
  'unknown field in Features',
  'unknown field in an entry',
  'unknown field past the end',
  'unknown group',
  'unknown kind in an earlier entry',
  'unpacked, then packed',
  'value before key',
  // Sections 6, 7 and 17: ours is an error.
  'ragged partition',
  'sparse bounds',
  'sparse lengths',
  // Section 9: TensorFlow compares the largest count of a batch to the shape, even if the batch is empty.
  'empty batch with a context',
  // Section 7: in a single record, TensorFlow's check reads the first of the row splits even if there are none. Without
  // `validate`, and in batches, there are no rows.
  'no row splits, validated',
] as const satisfies readonly (Oddity | Violation | Form)[];

type Form = 'empty batch with a context' | 'no row splits, validated';

export type Kind =
  | 'equal'
  | 'error'
  | 'error of the spec'
  | '?'
  | '? surprise'
  | '? accepted'
  | '? other record'
  | Oddity
  | Violation
  | Form;

type Mine = Outcome & { readonly thrown?: TFRecordError };

/** Compares the outcomes of a case. `?` is a difference that nothing explains. */
export function compared(one: ParseCase, mine: Mine, { raw, canonical }: Answer): Kind {
  const { violation, oddity, request, spec } = one;
  if ('surprise' in raw) return '? surprise';
  if (violation !== undefined && !('error' in mine)) return '? accepted';
  if (same(mine, raw, spec)) {
    if ('values' in mine) return 'equal';
    if (mine.thrown?.code === 'TFR_SPEC') return 'error of the spec';
    return violation === undefined && oddity === undefined && !sameRecord(one, mine, raw) ? '? other record' : 'error';
  }
  if (violation !== undefined) return violation;
  if (oddity !== undefined && canonical !== null && same(mine, canonical, spec)) return oddity;
  const empty = request.form === 'sequence' && request.records.length === 0 && 'values' in mine;
  if (empty && 'error' in raw && raw.error.includes('Inconsistent max number of elements')) {
    return 'empty batch with a context';
  }
  const splits = request.single && 'values' in mine && 'error' in raw;
  if (splits && raw.error.includes('slice index 0 of dimension 0 out of bounds')) return 'no row splits, validated';
  return '?';
}

/** True if both outcomes are equal values, or both are errors. */
export function same(a: Outcome, b: Outcome, spec: SpecModel): boolean {
  if ('values' in a && 'values' in b) return textOf(a.values, spec) === textOf(b.values, spec);
  return 'error' in a && 'error' in b;
}

/** True unless TensorFlow names another record than we do. For a SequenceExample, it names the step. */
function sameRecord({ request }: ParseCase, mine: Mine, theirs: Outcome): boolean {
  const named = 'error' in theirs ? /Key: .*, Index: (\d+)\. /s.exec(theirs.error) : null;
  return (
    request.form === 'sequence' ||
    named === null ||
    mine.thrown?.code === 'TFR_SPEC' ||
    mine.thrown?.record === Number(named[1])
  );
}

function textOf(values: Readonly<Record<string, unknown>>, { context }: SpecModel): string {
  const entries = Object.entries(values).map(([name, value]) => {
    const feature = context[name.slice(1)];
    const sorts = name.startsWith('.') && feature?.type === 'sparse' && feature['alreadySorted'] !== true;
    return [name, sorts ? tiesSorted(value as Sparse) : value] as const;
  });
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Sparse {
  readonly indices: string;
  readonly values: string | readonly string[];
  readonly shape: readonly number[];
}

/** Sorts equal coordinates. Section 6 promises no order: ours is the record's, and TensorFlow's sort is not stable. */
function tiesSorted({ indices, values, shape }: Sparse): unknown {
  const coordinates = indices.match(new RegExp(`.{${16 * shape.length}}`, 'g')) ?? [];
  const size = values.length / Math.max(1, coordinates.length);
  const valueAt = (i: number): string =>
    typeof values === 'string' ? values.slice(i * size, (i + 1) * size) : values[i]!;
  let run = 0;
  const entries = coordinates.map((place, i) => {
    if (i > 0 && place !== coordinates[i - 1]) run++;
    return { run, place, value: valueAt(i) };
  });
  entries.sort((a, b) => a.run - b.run || (a.value < b.value ? -1 : Number(a.value > b.value)));
  return { entries: entries.map(({ place, value }) => [place, value]), shape };
}
