/** Checks the metadata of batches against the schema and the size of the body. */
import { counted } from '../../base';
import { FlatbufferFault, type FlatTable } from './flatbuffer';
import { PAIR_BYTES, STORED_TYPES, V5, type StoredField } from './metadata';

/** The codecs of compressed batches, by their numbers. */
export const CODECS = ['LZ4', 'ZSTD'] as const;

/** Facts about a batch. */
export interface BatchFacts {
  readonly rows: number;
  /** Number of the codec of its buffers; undefined if they are not compressed. */
  readonly codec: number | undefined;
}

const MAX_ROWS = 2 ** 31 - 1;

/**
 * Checks that `batch` has the columns `fields`, and that all their buffers lie within a body of `bodyBytes`.
 * @throws FlatbufferFault
 */
export function checkBatch(
  batch: FlatTable,
  fields: readonly StoredField[],
  bodyBytes: number,
  version: number,
): BatchFacts {
  const rows = batch.long(0);
  if (rows > MAX_ROWS) throw new FlatbufferFault(`a batch of ${counted(rows, 'row')}`);
  const nodes = batch.list(1);
  const buffers = batch.list(2);
  const views = batch.list(4);
  let node = 0;
  let buffer = 0;
  let view = 0;
  const next = (count: number): void => {
    buffer += count;
  };
  const visit = (field: StoredField, outer: boolean): void => {
    if (node === nodes.length) throw new FlatbufferFault(`${node} nodes for more columns`);
    const at = nodes.at + PAIR_BYTES * node++;
    const length = batch.sizeAt(at);
    if (length > MAX_ROWS || batch.sizeAt(at + 8) > length) {
      throw new FlatbufferFault(
        `a column of ${counted(length, 'value')} with ${counted(batch.sizeAt(at + 8), 'null')}`,
      );
    }
    if (outer && length !== rows) throw new FlatbufferFault(`a column of ${length} of ${counted(rows, 'row')}`);
    if (field.dictionary !== undefined) {
      next(2);
      return;
    }
    // Since version 5, unions have no validity bits.
    if (field.type === STORED_TYPES.Union) next((version < V5 ? 1 : 0) + (field.isDense ? 2 : 1));
    else next(BUFFERS[field.type] ?? 0);
    if (field.type === STORED_TYPES.BinaryView || field.type === STORED_TYPES.Utf8View) {
      if (view === views.length) throw new FlatbufferFault('views without memory');
      next(batch.sizeAt(views.at + 8 * view++));
    }
    for (const child of field.children) visit(child, false);
  };
  for (const field of fields) visit(field, true);
  if (node !== nodes.length)
    throw new FlatbufferFault(`${counted(nodes.length, 'node')} for ${counted(node, 'column')}`);
  if (buffer !== buffers.length) throw new FlatbufferFault(`${buffers.length} of ${buffer} buffers`);
  for (let i = 0; i < buffers.length; i++) {
    const at = buffers.at + PAIR_BYTES * i;
    const end = batch.sizeAt(at) + batch.sizeAt(at + 8);
    if (end > bodyBytes) throw new FlatbufferFault(`a buffer up to byte ${end} of ${bodyBytes}`);
  }
  return { rows, codec: batch.table(3)?.int(0, 1) };
}

/** Number of buffers of a type, without those of its children. */
const BUFFERS: Readonly<Record<number, number>> = {
  ...Object.fromEntries(Object.values(STORED_TYPES).map((type) => [type, 2])),
  [STORED_TYPES.Null]: 0,
  [STORED_TYPES.Binary]: 3,
  [STORED_TYPES.Utf8]: 3,
  [STORED_TYPES.LargeBinary]: 3,
  [STORED_TYPES.LargeUtf8]: 3,
  [STORED_TYPES.Struct]: 1,
  [STORED_TYPES.FixedSizeList]: 1,
  [STORED_TYPES.RunEndEncoded]: 0,
  [STORED_TYPES.ListView]: 3,
  [STORED_TYPES.LargeListView]: 3,
};
