import { ArrayColumn, type Column } from '../engine/elements';
import { gather, type Input } from '../engine/input';
import { movedPlaces } from '../engine/origins';
import { NeighbourRecords, RecordsColumn } from '../engine/records';

/** The next `wanted` elements of `input`, which is read for nothing else. */
export async function repeatedColumn(input: Input, wanted: number): Promise<Column> {
  const { column, failure } = await gather(input, wanted);
  await input.close();
  if (failure !== undefined) throw failure.error;
  return column;
}

/** Element `index` of `column` once more, to fill a shard: it is not valid. */
export function paddingOf(column: Column, index: number): Column {
  if (column instanceof RecordsColumn) {
    const frame = column.frame(index);
    return new NeighbourRecords(
      column.form,
      column.slab(index).withValid(() => false),
      frame,
      frame + 1,
    );
  }
  const places = movedPlaces(column.places, () => index);
  return new ArrayColumn([column.at(index)], {
    origin: (at) => places.origin(at),
    origins: (at) => places.origins(at),
    valid: () => false,
    valids: (at) => places.valids(at).map(() => false),
  });
}
