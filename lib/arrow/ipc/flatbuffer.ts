/**
 * Checks flatbuffers, the encoding of Arrow's metadata, before apache-arrow reads them: apache-arrow trusts all
 * positions and lengths, so that a single changed byte could make it iterate over billions of items.
 */
import { TextDecoder } from 'node:util';
import { counted } from '../../base';

/** The content of a field of a table. */
export type FieldLayout =
  /** A number of that many bytes. */
  | 1
  | 2
  | 4
  | 8
  | 'string'
  /** A list of items of that many bytes. */
  | { readonly items: number }
  | { readonly table: TableLayout }
  | { readonly tables: TableLayout }
  /** A table whose layout depends on the number in the previous field. Unknown ones are not checked. */
  | { readonly union: ReadonlyMap<number, TableLayout> };

/** The fields of a table, by their numbers. A function, because tables may contain tables of the same type. */
export type TableLayout = () => readonly FieldLayout[];

/** Thrown for a flatbuffer that contradicts itself. */
export class FlatbufferFault extends Error {}

const MAX_DEPTH = 64;
/**
 * Maximum ratio of referenced to stored bytes: texts and lists may be shared, but not so often that reading them takes
 * long.
 */
const MAX_SHARING = 8;
/** Number of bytes that may be referenced in addition, so that short lists can be shared more often. */
const FREE_BYTES = 65_536;

/** A table that was checked. Absent fields are 0, '' or undefined. */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /** True if the table has field `field`. */
  has(field: number): boolean {
    return placeOf(this.#view, this.#at, field) !== 0;
  }

  /** A number of 1, 2 or 4 bytes. */
  int(field: number, size: 1 | 2 | 4): number {
    const at = placeOf(this.#view, this.#at, field);
    if (at === 0) return 0;
    if (size === 1) return this.#view.getUint8(at);
    return size === 2 ? this.#view.getInt16(at, true) : this.#view.getInt32(at, true);
  }

  /** A number of 8 bytes. @throws FlatbufferFault unless it is a valid size */
  long(field: number): number {
    const at = placeOf(this.#view, this.#at, field);
    return at === 0 ? 0 : sizeAt(this.#view, at);
  }

  string(field: number): string {
    const { at, length } = this.list(field);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length),
    );
  }

  table(field: number): FlatTable | undefined {
    const at = placeOf(this.#view, this.#at, field);
    return at === 0 ? undefined : new FlatTable(this.#view, at + this.#view.getUint32(at, true));
  }

  tables(field: number): FlatTable[] {
    const { at, length } = this.list(field);
    return Array.from({ length }, (_, i) => {
      const item = at + 4 * i;
      return new FlatTable(this.#view, item + this.#view.getUint32(item, true));
    });
  }

  /** The position of the first item, and the number of items. */
  list(field: number): { at: number; length: number } {
    const at = placeOf(this.#view, this.#at, field);
    if (at === 0) return { at: 0, length: 0 };
    const list = at + this.#view.getUint32(at, true);
    return { at: list + 4, length: this.#view.getUint32(list, true) };
  }

  /** The number of 8 bytes at `at`, a position in a list. @throws FlatbufferFault unless it is a valid size */
  sizeAt(at: number): number {
    return sizeAt(this.#view, at);
  }

  /** The number of 4 bytes at `at`, a position in a list. */
  intAt(at: number): number {
    return this.#view.getInt32(at, true);
  }
}

function sizeAt(view: DataView, at: number): number {
  const value = view.getBigInt64(at, true);
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) throw new FlatbufferFault(`${value} is not a valid size`);
  return Number(value);
}

/** Position of a field of the table at `table`; 0 if it is absent. */
function placeOf(view: DataView, table: number, field: number): number {
  const vtable = table - view.getInt32(table, true);
  const entry = 4 + 2 * field;
  if (entry + 2 > view.getUint16(vtable, true)) return 0;
  const offset = view.getUint16(vtable + entry, true);
  return offset === 0 ? 0 : table + offset;
}

/**
 * Checks `bytes`, whose root is a table of `layout`, with all tables that it refers to. Returns the root. @throws
 * FlatbufferFault
 */
export function checkedRoot(bytes: Uint8Array, layout: TableLayout): FlatTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const root = new Check(view).follow(0);
  new Check(view).table(root, layout, 0);
  return new FlatTable(view, root);
}

class Check {
  readonly #view: DataView;
  readonly #size: number;
  /** Number of tables that may follow: each occupies at least 4 bytes. */
  #tables: number;
  /** Number of bytes in texts and lists that may follow. */
  #bytes: number;

  constructor(view: DataView) {
    this.#view = view;
    this.#size = view.byteLength;
    this.#tables = this.#size >>> 2;
    this.#bytes = MAX_SHARING * this.#size + FREE_BYTES;
  }

  table(at: number, layout: TableLayout, depth: number): void {
    if (depth > MAX_DEPTH || this.#tables-- === 0) throw new FlatbufferFault('tables without end');
    const fields = layout();
    this.#within(at, 4);
    const vtable = at - this.#view.getInt32(at, true);
    this.#within(vtable, 4);
    const vtableBytes = this.#view.getUint16(vtable, true);
    // Other code reads the size as a signed number.
    if (vtableBytes < 4 || vtableBytes > 0x7fff || vtableBytes % 2 !== 0) {
      throw new FlatbufferFault(`a table of ${counted(vtableBytes, 'byte')} of fields`);
    }
    this.#within(vtable, vtableBytes);
    fields.forEach((field, i) => {
      const place = placeOf(this.#view, at, i);
      if (place === 0) return;
      this.#field(place, field, depth, () => {
        const before = placeOf(this.#view, at, i - 1);
        return before === 0 ? 0 : this.#view.getUint8(before);
      });
    });
  }

  #field(place: number, field: FieldLayout, depth: number, typeBefore: () => number): void {
    if (typeof field === 'number') {
      this.#within(place, field);
      return;
    }
    const target = this.follow(place);
    if (field === 'string') this.#list(target, 1);
    else if ('items' in field) this.#list(target, field.items);
    else if ('table' in field) this.table(target, field.table, depth + 1);
    else if ('union' in field) {
      const layout = field.union.get(typeBefore());
      if (layout !== undefined) this.table(target, layout, depth + 1);
    } else {
      const { at, length } = this.#list(target, 4);
      for (let i = 0; i < length; i++) this.table(this.follow(at + 4 * i), field.tables, depth + 1);
    }
  }

  /** The position to which the offset at `at` refers. */
  follow(at: number): number {
    this.#within(at, 4);
    const target = at + this.#view.getUint32(at, true);
    this.#within(target, 4);
    return target;
  }

  #list(list: number, itemBytes: number): { at: number; length: number } {
    const length = this.#view.getUint32(list, true);
    this.#within(list + 4, length * itemBytes);
    this.#bytes -= length * itemBytes;
    if (this.#bytes < 0) throw new FlatbufferFault('lists without end');
    return { at: list + 4, length };
  }

  #within(at: number, bytes: number): void {
    if (at < 0 || at + bytes > this.#size) throw new FlatbufferFault(`position ${at} of ${this.#size}`);
  }
}
