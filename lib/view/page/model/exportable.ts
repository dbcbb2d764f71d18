import type { Selection } from '../../protocol';
import { countText, plural } from '../format';
import { conditionsOf, type Search } from './search';

/** A choice of records to export. */
export interface Exportable {
  readonly id: string;
  readonly label: string;
  readonly selection: Selection;
}

/** Returns the choices for a file: the marked records, the found records, `record`, and all. */
export function exportables(
  marks: ReadonlySet<number>,
  search: Search | undefined,
  record: number | undefined,
): Exportable[] {
  const choices: Exportable[] = [];
  if (marks.size > 0) {
    choices.push({
      id: 'marked',
      label: plural(marks.size, 'marked record'),
      selection: { ranges: rangesOf(marks), conditions: [] },
    });
  }
  if (search !== undefined && !search.failed) {
    choices.push({
      id: 'found',
      label: `Records that match ${search.text}`,
      selection: { ranges: null, conditions: conditionsOf(search.text) },
    });
  }
  if (record !== undefined) {
    choices.push({
      id: `record-${record}`,
      label: `Record ${countText(record)}`,
      selection: { ranges: [[record, record + 1]], conditions: [] },
    });
  }
  choices.push({ id: 'all', label: 'All records of the file', selection: { ranges: null, conditions: [] } });
  return choices;
}

/** Converts sorted numbers to ranges, each from its first number to before its second. */
function rangesOf(numbers: Iterable<number>): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === number) last[1]++;
    else ranges.push([number, number + 1]);
  }
  return ranges;
}
