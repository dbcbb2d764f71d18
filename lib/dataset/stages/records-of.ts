import { types } from 'node:util';

import { invalidArgType } from '../../errors';
import { encodedBatch, givenLength, partsOf, type Origin } from '../../record';
import { valuesOf, type Column } from '../engine/column';
import { NeighbourRecords, RecordsColumn, Slab, type RecordForm } from '../engine/records-column';

/**
 * The elements of `column` as records: bytes of the user's are copied, side by side. @throws TypeError for what is no
 * Uint8Array, naming `stage`
 */
export function recordsOf(column: Column, form: RecordForm, stage: string): RecordsColumn {
  if (column instanceof RecordsColumn) return column.shownAs(form);
  const values = valuesOf(column);
  const frames = new Uint32Array(2 * values.length);
  let bytes = 0;
  values.forEach((value, i) => {
    if (!types.isUint8Array(value)) throw invalidArgType(`element of ${stage}`, 'a Uint8Array', value);
    frames[2 * i] = bytes;
    bytes += frames[2 * i + 1] = givenLength(`element of ${stage}`, value);
  });
  const memory = new Uint8Array(bytes);
  values.forEach((value, i) => memory.set(value as Uint8Array, frames[2 * i]));
  const { source } = partsOf(encodedBatch(memory, frames));
  const { places } = column;
  const unknown = (frame: number): Origin => ({
    file: '<bytes>',
    record: frame,
    offset: 0,
    bytes: frames[2 * frame + 1]!,
  });
  const slab = new Slab({ ...source, origins: (frame) => places.origin(frame) ?? unknown(frame) });
  return new NeighbourRecords(form, slab, 0, values.length);
}
