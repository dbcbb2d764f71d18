/** Finds the features of records that are pictures, by their content. */
import { pictureFormat } from '../../example';
import { parseTable, type Table, type Vector } from '../../table';
import type { PreparedInput, ReadSettings } from '../format';
import { silently } from '../input/framed-input';
import { JobFaults } from '../job/faults';
import { sliceOf } from '../batches';

/** Number of records to look at. */
const LOOKED_AT = 100;

/**
 * Returns the names of the bytes features whose values in the first records of `input` are all pictures. Damage is left
 * to the reader of all records.
 */
export async function findPictures(
  input: PreparedInput,
  table: Table,
  settings: ReadSettings,
): Promise<ReadonlySet<string>> {
  const may = new Map(table.columns.filter(({ dtype }) => dtype === 'bytes').map(({ key }) => [key, false]));
  const faults = new JobFaults(silently(settings.policy));
  const reader = input.open(0, 0, { ...settings, faults, policy: faults.policy });
  try {
    for (let left = LOOKED_AT; left > 0 && may.size > 0;) {
      const portion = await reader.next();
      if (portion === undefined) break;
      const { value } = await parseTable(sliceOf(portion.batch, 0, Math.min(left, portion.batch.length)), table);
      left -= portion.batch.length;
      for (const vector of value.vectors) {
        const { key } = vector.column;
        if (!may.has(key)) continue;
        const found = kindsIn(vector);
        if (found === 'other') may.delete(key);
        else if (found === 'pictures') may.set(key, true);
      }
    }
  } finally {
    await reader.close();
  }
  return new Set([...may].filter(([, found]) => found).map(([key]) => key));
}

/** Empty values, and those of rows without any, are of no kind. */
function kindsIn({ values, offsets }: Vector): 'pictures' | 'other' | 'none' {
  const bytes = values as Uint8Array;
  let found: 'pictures' | 'none' = 'none';
  for (let i = 0; i + 1 < offsets!.length; i++) {
    const [begin, end] = [offsets![i]!, offsets![i + 1]!];
    if (begin === end) continue;
    if (pictureFormat(bytes.subarray(begin, end)) === undefined) return 'other';
    found = 'pictures';
  }
  return found;
}
