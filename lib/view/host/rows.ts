/** Shows records as rows of a list. */
import type { PlacedRecord } from '../../record';
import type { Row, ValuePlace } from '../protocol';
import { DecodedRecord } from './decoded-record';
import { eventCells } from './event-cells';
import { mediaOf } from './media';
import { boxesOf } from './objects';
import { problemOf } from './problem';
import { cellOf, plural, textOf } from './texts';

const MAX_CELLS = 12;
const MAX_BOXES = 50;
const RAW_TEXT = 160;

/** Returns the row of a record. */
export function rowOf({ record, offset, data, error }: PlacedRecord): Row {
  const place = { record, offset, bytes: data.length };
  const nothing = { kind: 'bytes', cells: [], more: 0, picture: null, boxes: [], problem: null } as const;
  if (error !== undefined) return { ...place, ...nothing, problem: problemOf(error) };
  try {
    const decoded = new DecodedRecord(data);
    return {
      ...place,
      kind: decoded.kind,
      ...cellsOf(decoded),
      picture: pictureOf(decoded),
      boxes: boxesOf(decoded, MAX_BOXES),
      problem: null,
    };
  } catch (thrown) {
    return { ...place, ...nothing, problem: problemOf(thrown) };
  }
}

function cellsOf(decoded: DecodedRecord): Pick<Row, 'cells' | 'more'> {
  if (decoded.kind === 'bytes' || decoded.kind === 'Event') {
    const { data } = decoded;
    const event = decoded.kind === 'Event' ? eventCells(data) : undefined;
    if (event !== undefined) {
      const shown = event.slice(0, 2 * MAX_CELLS);
      return { cells: shown, more: (event.length - shown.length) / 2 };
    }
    const text = decoded.kind === 'bytes' ? textOf(data, RAW_TEXT) : undefined;
    const shown = text ?? Buffer.from(data.subarray(0, 32)).toString('hex');
    return { cells: [text === undefined ? 'hex' : 'text', shown], more: 0 };
  }
  const cells = [
    ...decoded.context.map(([name, feature]) => ({ name, ...cellOf(feature) })),
    ...decoded.lists.map(([name, steps]) => ({ name, text: plural(steps.length, 'step'), rank: 1 })),
  ].sort((a, b) => a.rank - b.rank);
  const shown = cells.slice(0, MAX_CELLS);
  return { cells: shown.flatMap(({ name, text }) => [name, text]), more: cells.length - shown.length };
}

/** Returns the first picture of the context, else of the first steps of the feature lists. */
function pictureOf(decoded: DecodedRecord): Row['picture'] {
  // Masks of objects are pictures, too, but do not represent the record.
  const names = decoded.context.filter(([name]) => !name.includes('/object/'));
  for (const [name, feature] of names) {
    if (feature?.kind !== 'bytes') continue;
    const found = pictureIn(feature.values.at(0), { section: 'context', name, step: 0, index: 0 });
    if (found !== null) return found;
  }
  for (const [name, steps] of decoded.lists) {
    const [first] = steps;
    if (first?.kind !== 'bytes') continue;
    const found = pictureIn(first.values.at(0), { section: 'lists', name, step: 0, index: 0 });
    if (found !== null) return found;
  }
  return null;
}

function pictureIn(value: Uint8Array | undefined, place: ValuePlace): Row['picture'] {
  if (value === undefined) return null;
  const media = mediaOf(value);
  return media?.as === 'picture' ? { ...media, place, bytes: value.length } : null;
}
