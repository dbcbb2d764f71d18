/** Parses Arrow's metadata: https://github.com/apache/arrow/tree/main/format. */
import { checkedRoot, FlatbufferFault, type FlatTable, type TableLayout } from './flatbuffer';

/** The mark before the length of a message, since version 0.15 of Arrow. */
export const MARK = -1;

/** Numbers of the readable versions of the metadata. */
export const V4 = 3;
export const V5 = 4;

/** Numbers of types in files. */
export const STORED_TYPES = {
  Null: 1,
  Int: 2,
  FloatingPoint: 3,
  Binary: 4,
  Utf8: 5,
  Bool: 6,
  Decimal: 7,
  Date: 8,
  Time: 9,
  Timestamp: 10,
  Interval: 11,
  List: 12,
  Struct: 13,
  Union: 14,
  FixedSizeBinary: 15,
  FixedSizeList: 16,
  Map: 17,
  Duration: 18,
  LargeBinary: 19,
  LargeUtf8: 20,
  LargeList: 21,
  RunEndEncoded: 22,
  BinaryView: 23,
  Utf8View: 24,
  ListView: 25,
  LargeListView: 26,
} as const;

const KEY_VALUE: TableLayout = () => ['string', 'string'];
const INT: TableLayout = () => [4, 1];
const UNIT: TableLayout = () => [2, 4];
const TYPES = new Map<number, TableLayout>([
  [STORED_TYPES.Int, INT],
  [STORED_TYPES.FloatingPoint, () => [2]],
  [STORED_TYPES.Decimal, () => [4, 4, 4]],
  [STORED_TYPES.Date, UNIT],
  [STORED_TYPES.Time, UNIT],
  [STORED_TYPES.Timestamp, () => [2, 'string']],
  [STORED_TYPES.Interval, UNIT],
  [STORED_TYPES.Duration, UNIT],
  [STORED_TYPES.Union, () => [2, { items: 4 }]],
  [STORED_TYPES.FixedSizeBinary, () => [4]],
  [STORED_TYPES.FixedSizeList, () => [4]],
  [STORED_TYPES.Map, () => [1]],
]);
for (const type of Object.values(STORED_TYPES)) if (!TYPES.has(type)) TYPES.set(type, () => []);

const DICTIONARY_ENCODING: TableLayout = () => [8, { table: INT }, 1, 2];
const FIELD: TableLayout = () => [
  'string',
  1,
  1,
  { union: TYPES },
  { table: DICTIONARY_ENCODING },
  { tables: FIELD },
  { tables: KEY_VALUE },
];
const SCHEMA: TableLayout = () => [2, { tables: FIELD }, { tables: KEY_VALUE }, { items: 8 }];
const BODY_COMPRESSION: TableLayout = () => [1, 1];
/** Size of a node (length, number of nulls) and of a buffer (position, length). */
export const PAIR_BYTES = 16;
const RECORD_BATCH: TableLayout = () => [
  8,
  { items: PAIR_BYTES },
  { items: PAIR_BYTES },
  { table: BODY_COMPRESSION },
  { items: 8 },
];
const DICTIONARY_BATCH: TableLayout = () => [8, { table: RECORD_BATCH }, 1];
const HEADERS = new Map([
  [1, SCHEMA],
  [2, DICTIONARY_BATCH],
  [3, RECORD_BATCH],
]);
const MESSAGE: TableLayout = () => [2, 1, { union: HEADERS }, 8, { tables: KEY_VALUE }];
const BLOCK_BYTES = 24;
const FOOTER: TableLayout = () => [
  2,
  { table: SCHEMA },
  { items: BLOCK_BYTES },
  { items: BLOCK_BYTES },
  { tables: KEY_VALUE },
];

/** A column, or the items of lists. */
export interface StoredField {
  readonly name: string;
  readonly type: number;
  readonly children: readonly StoredField[];
  /** Number of the dictionary to whose entries the values refer. */
  readonly dictionary: number | undefined;
  /** True for unions that store the values of each type in their own list. */
  readonly isDense: boolean;
}

export interface StoredSchema {
  readonly version: number;
  readonly isBigEndian: boolean;
  readonly fields: readonly StoredField[];
  /** The type of the entries, for each dictionary. */
  readonly dictionaries: ReadonlyMap<number, StoredField>;
}

/** The position of a message in a file. */
export interface Block {
  readonly offset: number;
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

export interface StoredFooter {
  readonly schema: StoredSchema;
  readonly dictionaries: readonly Block[];
  readonly batches: readonly Block[];
}

/** A message whose metadata was checked. */
export type StoredMessage =
  | { readonly kind: 'schema'; readonly bodyBytes: number; readonly schema: StoredSchema }
  | { readonly kind: 'dictionary'; readonly bodyBytes: number; readonly id: number; readonly batch: FlatTable }
  | { readonly kind: 'batch'; readonly bodyBytes: number; readonly batch: FlatTable };

/** @throws FlatbufferFault */
export function footerOf(bytes: Uint8Array): StoredFooter {
  const footer = checkedRoot(bytes, FOOTER);
  const schema = footer.table(1);
  if (schema === undefined) throw new FlatbufferFault('a footer without a schema');
  return {
    schema: schemaOf(schema, footer.int(0, 2)),
    dictionaries: blocksOf(footer, 2),
    batches: blocksOf(footer, 3),
  };
}

function blocksOf(footer: FlatTable, field: number): Block[] {
  const { at, length } = footer.list(field);
  return Array.from({ length }, (_, i) => {
    const block = at + BLOCK_BYTES * i;
    return {
      offset: footer.sizeAt(block),
      metadataBytes: footer.intAt(block + 8),
      bodyBytes: footer.sizeAt(block + 16),
    };
  });
}

/** @throws FlatbufferFault */
export function messageOf(bytes: Uint8Array): StoredMessage {
  const message = checkedRoot(bytes, MESSAGE);
  const type = message.int(1, 1);
  const header = message.table(2);
  if (!HEADERS.has(type) || header === undefined) throw new FlatbufferFault(`a message of type ${type}`);
  const bodyBytes = message.long(3);
  if (type === 1) return { kind: 'schema', bodyBytes, schema: schemaOf(header, message.int(0, 2)) };
  if (type === 3) return { kind: 'batch', bodyBytes, batch: header };
  const batch = header.table(1);
  if (batch === undefined) throw new FlatbufferFault('a dictionary without entries');
  return { kind: 'dictionary', bodyBytes, id: header.long(0), batch };
}

function schemaOf(schema: FlatTable, version: number): StoredSchema {
  const dictionaries = new Map<number, StoredField>();
  const fields = schema.tables(1).map((field) => fieldOf(field, dictionaries));
  return { version, isBigEndian: schema.int(0, 2) !== 0, fields, dictionaries };
}

function fieldOf(field: FlatTable, dictionaries: Map<number, StoredField>): StoredField {
  const name = field.string(0);
  const type = field.int(2, 1);
  const details = field.table(3);
  const children = field.tables(5).map((child) => fieldOf(child, dictionaries));
  const encoding = field.table(4);
  const isSized = type === STORED_TYPES.FixedSizeList || type === STORED_TYPES.FixedSizeBinary;
  if (isSized && !(details !== undefined && details.int(0, 4) >= 0)) throw new FlatbufferFault('lists without a size');
  if (LISTS.includes(type) && children.length !== 1) throw new FlatbufferFault(`lists of ${children.length} kinds`);
  const isDense = type === STORED_TYPES.Union && details?.int(0, 2) === 1;
  const stored = { name, type, children, dictionary: encoding?.long(0), isDense };
  if (stored.dictionary !== undefined && !dictionaries.has(stored.dictionary)) {
    dictionaries.set(stored.dictionary, { ...stored, dictionary: undefined });
  }
  return stored;
}

const LISTS: readonly number[] = [
  STORED_TYPES.List,
  STORED_TYPES.LargeList,
  STORED_TYPES.FixedSizeList,
  STORED_TYPES.Map,
];
