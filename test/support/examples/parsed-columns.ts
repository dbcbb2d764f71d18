/** Makes parsed columns by hand: those that native code would make from these records. */
import type { ColumnData } from '../../../lib/example/columns';
import type { ParsedColumns } from '../../../lib/example/parse/parsed-columns';
import type { Plan } from '../../../lib/example/parse/plan';

/** The values of a feature. Text means bytes. */
export type Values = readonly (number | bigint | string)[];
/** A record: its features and its feature lists, each a list of steps. */
export interface HandMade {
  readonly features?: Readonly<Record<string, Values>>;
  readonly lists?: Readonly<Record<string, readonly Values[]>>;
}

/** Returns the parsed columns of Examples. Missing features have no values. */
export function examplesPiece(
  plan: Plan,
  records: readonly Readonly<Record<string, Values>>[],
  numbers = false,
): ParsedColumns {
  return recordsPiece(
    plan,
    records.map((features) => ({ features })),
    numbers,
  );
}

/** Returns the parsed columns of SequenceExamples. */
export function recordsPiece(plan: Plan, records: readonly HandMade[], numbers = false): ParsedColumns {
  const columns = plan.columns.map(({ section, kind, count }, i): ColumnData => {
    const key = plan.keys[i]!;
    const steps = new Int32Array(records.length + 1);
    const lists: Values[] = [];
    records.forEach(({ features, lists: featureLists }, row) => {
      lists.push(...(section === 0 ? [features?.[key] ?? []] : (featureLists?.[key] ?? [])));
      steps[row + 1] = lists.length;
    });
    if (count >= 0 && lists.some(({ length }) => length !== count)) throw new Error(`${key}: native code refuses that`);
    const splits = positions(lists);
    const all = lists.flat();
    const bytes = all.map((value) => Buffer.from(String(value)));
    return {
      steps: section === 1 ? steps : undefined,
      splits: count < 0 ? splits : undefined,
      offsets: kind === 1 ? positions(bytes) : undefined,
      values:
        kind === 1
          ? new Uint8Array(Buffer.concat(bytes))
          : kind === 2
            ? Float32Array.from(all, Number)
            : numbers
              ? Float64Array.from(all, Number)
              : BigInt64Array.from(all, BigInt),
    };
  });
  return { plan, rows: records.length, columns };
}

function positions(parts: readonly { readonly length: number }[]): Int32Array<ArrayBuffer> {
  const ends = new Int32Array(parts.length + 1);
  parts.forEach(({ length }, i) => (ends[i + 1] = ends[i]! + length));
  return ends;
}
