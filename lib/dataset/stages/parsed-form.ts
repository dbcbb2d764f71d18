import type { ParsedBefore, RecordParsing } from '../../example';
import { type Bytes, listRecords, newSlab } from '../../record';
import { ElementFault } from '../engine/errors';
import { batchOf, type RecordForm } from '../engine/records';

/** Kept between batches, at most. */
const MAX_SCRATCH = 4 * 1024 * 1024;

/** Waking a thread takes as long as parsing so much, by the first record. */
const LATER_BYTES = 32 * 1024;
/** Of long records most is copied, which a thread does no faster. */
const LATER_RECORD_BYTES = 16 * 1024;
const MAX_LATER_BYTES = 64 * 1024 * 1024;

/** Records as what they are parsed to: one by one rows, many of them columns. */
export function parsedForm(parsing: RecordParsing): RecordForm {
  const scratch = new Scratch();
  const scratchOf = (bytes: number): Bytes => scratch.of(bytes);
  return {
    elements(records) {
      const { rows, value, error } = parsing.rows(batchOf(records, scratchOf));
      return {
        at(index) {
          if (index < rows || error === undefined) return value.at(index);
          throw error;
        },
      };
    },
    batch: (records, memory) => whole(parsing.batch(batchOf(records, scratchOf), memory)),
    copies: () => true,
    batchLater(records, memory) {
      const { length, places } = records;
      const size = records.bytes(0);
      if (size * length < LATER_BYTES || size > LATER_RECORD_BYTES) return undefined;
      const list = listRecords(records);
      if (list.bytes > MAX_LATER_BYTES) return undefined;
      const listed = { list, length, origin: (row: number) => places.origin(row)! };
      return parsing.batchLater(listed, memory).then(whole);
    },
  };
}

/** @throws ElementFault for a record that could not be parsed */
function whole({ rows, value, error }: ParsedBefore<object>): object {
  if (error !== undefined) throw new ElementFault(rows, error);
  return value;
}

/** Records that are gathered to be parsed lie here until they are, and no longer. */
class Scratch {
  #bytes: Bytes = new Uint8Array(0);

  of(bytes: number): Bytes {
    if (bytes > MAX_SCRATCH) return newSlab(bytes, '<gathered>');
    if (bytes > this.#bytes.length) this.#bytes = newSlab(Math.min(MAX_SCRATCH, 2 * bytes), '<gathered>');
    return this.#bytes;
  }
}
