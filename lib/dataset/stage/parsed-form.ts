import type { RecordParsing } from '../../example';
import { ElementFault } from '../core/element-fault';
import type { RecordForm } from '../core/records-column';
import { newSlab, type Bytes } from '../../record';
import { batchOf } from '../source/raw-form';

/** Kept between batches, at most. */
const MAX_SCRATCH = 4 * 1024 * 1024;

/** Records as what they are parsed to: one by one rows, many of them columns. */
export function parsedForm(parsing: RecordParsing): RecordForm {
  const scratch = new Scratch();
  const memory = (bytes: number): Bytes => scratch.of(bytes);
  return {
    elements(records) {
      const { rows, value, error } = parsing.rows(batchOf(records, memory));
      return {
        at(index) {
          if (index < rows || error === undefined) return value.at(index);
          throw error;
        },
      };
    },
    batch(records) {
      const { rows, value, error } = parsing.batch(batchOf(records, memory));
      if (error !== undefined) throw new ElementFault(rows, error);
      return value;
    },
  };
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
