/** The values of logs as columns of DuckDB. */
import type { ValueBlock } from '../../events';
import { newBits, setBit } from '../../tensor';
import type { WrittenColumn, WrittenVector } from '../column-types';

/** Maximum size of the data of a column of a block: positions are int32. */
const MAX_BYTES = 0x7fff_ffff;

const value = (name: string, dtype: WrittenColumn['dtype'], nullable = false): WrittenColumn => {
  return { name, key: name, section: 0, dtype, shape: [], nullable };
};
const list = (name: string, dtype: WrittenColumn['dtype']): WrittenColumn => {
  return { name, key: name, section: 0, dtype, shape: undefined, nullable: true };
};

/** The columns of all values. */
export const EVENT_COLUMNS = [
  value('run', 'text'),
  value('tag', 'text'),
  value('step', 'int64'),
  value('wall_time', 'float64'),
  value('kind', 'text'),
  value('value', 'float64', true),
  list('texts', 'text'),
  list('data', 'bytes'),
  list('bucket_left', 'float64'),
  list('bucket_right', 'float64'),
  list('bucket_count', 'float64'),
] as const;

type Data = Omit<WrittenVector, 'column' | 'rows'>;
type Content = NonNullable<NonNullable<ValueBlock['contents']>[number]>;

/** Makes the columns of blocks. */
export class EventVectors {
  /** The texts of a column in which all rows have the same one. */
  #run = '';
  #same: Texts = { offsets: new Int32Array(1), values: new Uint8Array(0) };

  /** Returns the column of `EVENT_COLUMNS` at `index`. @throws RangeError for data of more than 2 GiB */
  of(block: ValueBlock, index: number): WrittenVector {
    const column = EVENT_COLUMNS[index]!;
    return { column, rows: block.rows, ...this.#data(block, index) };
  }

  #data(block: ValueBlock, index: number): Data {
    const { tags, rows, tagIds, steps, wallTimes } = block;
    switch (index) {
      case 0:
        return { ...WHOLE, ...this.#runs(block) };
      case 1:
        return { ...WHOLE, ...textsOf(rows, (row) => tags[tagIds[row]!]!.bytes) };
      case 2:
        return { ...WHOLE, values: steps.slice(0, rows) };
      case 3:
        return { ...WHOLE, values: wallTimes.slice(0, rows) };
      case 4:
        return { ...WHOLE, ...textsOf(rows, (row) => KIND_BYTES[block.contents?.[row]?.kind ?? 'scalar']) };
      case 5:
        return scalarsOf(block);
      case 6:
        return stringLists(block, (content) => {
          return content.kind === 'text' ? content.texts.map((text) => Buffer.from(text)) : undefined;
        });
      case 7:
        return stringLists(block, blobsOf);
      default:
        return numberLists(block, (['left', 'right', 'count'] as const)[index - 8]!);
    }
  }

  #runs({ run, rows }: ValueBlock): Texts {
    if (this.#run !== run || this.#same.offsets.length <= rows) {
      const name = Buffer.from(run);
      this.#run = run;
      this.#same = textsOf(rows, () => name);
    }
    return this.#same;
  }
}

const WHOLE = { validity: undefined, nulls: 0, steps: undefined, splits: undefined, offsets: undefined } as const;

const KIND_BYTES: Readonly<Record<Content['kind'], Uint8Array>> = {
  scalar: Buffer.from('scalar'),
  tensor: Buffer.from('tensor'),
  histogram: Buffer.from('histogram'),
  text: Buffer.from('text'),
  image: Buffer.from('image'),
  audio: Buffer.from('audio'),
};

interface Texts {
  readonly offsets: Int32Array<ArrayBuffer>;
  readonly values: Uint8Array<ArrayBuffer>;
}

/** Joins `count` strings. */
function textsOf(count: number, at: (index: number) => Uint8Array): Texts {
  const offsets = new Int32Array(count + 1);
  let total = 0;
  for (let i = 0; i < count; i++) offsets[i + 1] = total += at(i).length;
  if (total > MAX_BYTES) throw new RangeError(`The values of a column have ${total} bytes, more than ${MAX_BYTES}`);
  const values = new Uint8Array(total);
  for (let i = 0; i < count; i++) {
    const bytes = at(i);
    const start = offsets[i]!;
    // Names are short: a call for each would take longer.
    if (bytes.length > 64) values.set(bytes, start);
    else for (let j = 0; j < bytes.length; j++) values[start + j] = bytes[j]!;
  }
  return { offsets, values };
}

function scalarsOf({ rows, scalars, contents }: ValueBlock): Data {
  const values = scalars.slice(0, rows);
  if (contents === undefined) return { ...WHOLE, values };
  return { ...WHOLE, values, ...validityOf(rows, (row) => contents[row] === undefined) };
}

function validityOf(rows: number, isValid: (row: number) => boolean): Pick<Data, 'validity' | 'nulls'> {
  const validity = newBits(rows);
  let nulls = 0;
  for (let row = 0; row < rows; row++) {
    if (isValid(row)) setBit(validity, row);
    else nulls++;
  }
  return { validity, nulls };
}

/** Lists, which are null where `of` returns undefined. */
function listsOf<T extends { readonly length: number }>(
  { rows, contents }: ValueBlock,
  of: (content: Content) => T | undefined,
): { readonly lists: readonly T[]; readonly shape: Omit<Data, 'values'> } {
  const found = Array.from({ length: rows }, (_, row) => (contents?.[row] && of(contents[row])) ?? undefined);
  const splits = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row++) splits[row + 1] = splits[row]! + (found[row]?.length ?? 0);
  const validity = validityOf(rows, (row) => found[row] !== undefined);
  return { lists: found.filter((one) => one !== undefined), shape: { ...WHOLE, ...validity, splits } };
}

function stringLists(block: ValueBlock, of: (content: Content) => readonly Uint8Array[] | undefined): Data {
  const { lists, shape } = listsOf(block, of);
  const strings = lists.flat();
  return { ...shape, ...textsOf(strings.length, (i) => strings[i]!) };
}

/** The encoded pictures or sounds of `content`. */
function blobsOf(content: Content): readonly Uint8Array[] | undefined {
  if (content.kind === 'image') return content.images;
  return content.kind === 'audio' ? content.clips : undefined;
}

function numberLists(block: ValueBlock, member: 'left' | 'right' | 'count'): Data {
  const { lists, shape } = listsOf(block, (content) => (content.kind === 'histogram' ? content[member] : undefined));
  const values = new Float64Array(shape.splits!.at(-1)!);
  let at = 0;
  for (const numbers of lists) {
    values.set(numbers, at);
    at += numbers.length;
  }
  return { ...shape, values };
}
