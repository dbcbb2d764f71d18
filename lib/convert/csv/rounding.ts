/** Counts the numbers that float32 rounds, or refuses them. */
import { counted, advice, named, worded, type Text } from '../../base';
import { float32Json } from '../../example';
import { shortened } from '../job/notes';
import { RowFault } from '../jsonl/parse-line';
import { isRounded } from './literals';

/** The rounded numbers of one column. */
interface RoundedNumbers {
  count: number;
  /** Description of the first one, for a note. */
  readonly first: string;
}

/** Checks all numbers that become float32. */
export class Rounding {
  readonly #exact: boolean;
  readonly #columns = new Map<string, RoundedNumbers>();
  /** Returns the place (file and line) of the current row. */
  readonly #place: () => string;

  /** `exact`: a number that float32 rounds is an error. */
  constructor(exact: boolean, place: () => string) {
    this.#exact = exact;
    this.#place = place;
  }

  /** Checks the field of column `name` from `start` to `end` of `bytes`, whose float32 is `value`. @throws RowFault */
  take(name: string, bytes: Uint8Array, start: number, end: number, value: number): void {
    if (!isRounded(bytes, start, end, value)) return;
    const known = this.#columns.get(name);
    if (known !== undefined && !this.#exact) {
      known.count++;
      return;
    }
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
    if (!this.#exact) {
      this.#addColumn(name, text, value, 1);
      return;
    }
    const found = `${text}, which float32 rounds to ${float32Json(value)}`;
    const message = `column ${JSON.stringify(name)} is ${found}; expected a float32, because of exact: a spec with the dtype text keeps all digits`;
    throw new RowFault('TFR_FEATURE', message, name, 'a number that float32 keeps', found);
  }

  /**
   * Adds `count` numbers of column `name`, which were checked. The first one is that of the current row: its text, and its
   * float32.
   */
  add(name: string, count: number, text: string, value: number): void {
    const known = this.#columns.get(name);
    if (known === undefined) this.#addColumn(name, text, value, count);
    else known.count += count;
  }

  #addColumn(name: string, text: string, value: number, count: number): void {
    this.#columns.set(name, { count, first: `${text} in ${this.#place()} became ${float32Json(value)}` });
  }

  /** A note about each column with rounded numbers. */
  notes(): readonly Text[] {
    const notes = [...this.#columns].map(([name, { count, first }]) => {
      const verb = counted(count, 'value was', undefined, 'values were');
      const cure = advice` (${named('exact')}) refuses them, (${named('spec')}) can keep them as text`;
      return worded`Column ${JSON.stringify(name)}: ${verb} rounded to float32; ${first}.${cure}`;
    });
    return shortened(notes);
  }
}
