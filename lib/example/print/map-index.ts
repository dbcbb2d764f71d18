/** Finds the entries of a map in a message without making objects of them. */
import { closedBy, type Cursor, lengthOf } from './wire-walk';

/** Numbers of an entry: start and end of its name, start and end of its value. */
const FIELDS = 4;
const FIRST_SIZE = 64;

/** The name of an entry, and the positions of its value in the message. */
export interface MapEntry {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Collects the entries of one map in a valid record, in the byte order of their names. Of entries with the same name,
 * the last one counts. Only the first `limit` entries are kept, so a map of millions of entries takes no more memory.
 */
export class MapIndex {
  /** The number of entries beyond `limit`; a repeated name counts again. */
  left = 0;
  readonly #bytes: Buffer;
  readonly #limit: number;
  /** For each entry: start and end of its name, start and end of its value. */
  #spans = new Float64Array(FIRST_SIZE * FIELDS);
  #count = 0;
  /** The last of the names that are kept, once there are more than `limit`. */
  #bound: readonly [start: number, end: number] | undefined;

  constructor(bytes: Uint8Array, limit: number) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#limit = limit;
  }

  /** Adds the map's entries in the message at the cursor, up to `end`. Tags take one byte. */
  scan(cursor: Cursor, end: number): void {
    while (cursor.position < end) {
      cursor.position++;
      const behind = closedBy(cursor);
      let [nameStart, nameEnd, start, stop] = [behind, behind, behind, behind];
      while (cursor.position < behind) {
        const tag = this.#bytes[cursor.position++];
        const length = lengthOf(cursor);
        if (tag === 0x0a) [nameStart, nameEnd] = [cursor.position, cursor.position + length];
        else [start, stop] = [cursor.position, cursor.position + length];
        cursor.position += length;
      }
      this.#add(nameStart, nameEnd, start, stop);
    }
  }

  *entries(): Generator<MapEntry> {
    this.#settle();
    for (let at = 0; at < this.#count * FIELDS; at += FIELDS) {
      const [nameStart = 0, nameEnd = 0, start = 0, end = 0] = this.#spans.subarray(at, at + FIELDS);
      yield { name: this.#bytes.toString('utf8', nameStart, nameEnd), start, end };
    }
  }

  #add(nameStart: number, nameEnd: number, start: number, end: number): void {
    const bound = this.#bound;
    if (bound !== undefined && this.#compare(nameStart, nameEnd, bound[0], bound[1]) > 0) {
      this.left++;
      return;
    }
    if (this.#count >= 2 * this.#limit) this.#settle();
    if (this.#count * FIELDS === this.#spans.length) {
      const larger = new Float64Array(this.#spans.length * 2);
      larger.set(this.#spans);
      this.#spans = larger;
    }
    this.#spans.set([nameStart, nameEnd, start, end], this.#count++ * FIELDS);
  }

  #compare(start: number, end: number, otherStart: number, otherEnd: number): number {
    return this.#bytes.compare(this.#bytes, otherStart, otherEnd, start, end);
  }

  /** Sorts the entries, and keeps the last of equal names, at most `limit` in all. */
  #settle(): void {
    const spans = this.#spans;
    const at = (entry: number, field: number): number => spans[entry * FIELDS + field]!;
    const compare = (a: number, b: number): number => this.#compare(at(a, 0), at(a, 1), at(b, 0), at(b, 1));
    const order = Uint32Array.from({ length: this.#count }, (_, i) => i).sort((a, b) => compare(a, b) || a - b);
    const kept = new Float64Array(Math.max(FIRST_SIZE * FIELDS, 2 * FIELDS * Math.min(this.#limit, order.length)));
    let count = 0;
    order.forEach((entry, i) => {
      const next = order[i + 1];
      if (next !== undefined && compare(entry, next) === 0) return;
      if (count < this.#limit) kept.set(spans.subarray(entry * FIELDS, (entry + 1) * FIELDS), FIELDS * count++);
      else this.left++;
    });
    this.#spans = kept;
    this.#count = count;
    if (count === this.#limit && count > 0)
      this.#bound = [kept[(count - 1) * FIELDS]!, kept[(count - 1) * FIELDS + 1]!];
  }
}
