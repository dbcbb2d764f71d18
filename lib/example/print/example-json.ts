/** Prints the features of Examples and SequenceExamples as JSON; `RecordPrinter` documents the form. */
import { float32Json, type JsonText } from './json';
import { MapIndex, type MapEntry } from './map-index';
import type { PrintContext } from './print-context';
import { closedBy, forEachValue, int64At, kindOf, KINDS, lengthOf, type Cursor } from './wire-walk';

/** Tag bytes of a SequenceExample; an Example has only the first. */
const FEATURES = 0x0a;
const FEATURE_LISTS = 0x12;

/**
 * Adds the members of a valid Example or SequenceExample. Makes no objects for values that are not printed: they could
 * take many times the memory of the record.
 */
export function printExample(record: Uint8Array, sequence: boolean, context: PrintContext, out: JsonText): void {
  const print = (entry: MapEntry): void => {
    printFeature(record, entry.start, entry.end, context, out);
  };
  if (!sequence) {
    printMap(record, FEATURES, 'features', 'moreFeatures', context, out, print);
    return;
  }
  printMap(record, FEATURES, 'context', 'moreContext', context, out, print);
  out.add(',');
  printMap(record, FEATURE_LISTS, 'featureLists', 'moreFeatureLists', context, out, ({ start, end }) => {
    const cursor = { bytes: record, position: start };
    context.all(out, context.limits.steps, (next) => {
      while (cursor.position < end) {
        cursor.position++;
        const stop = closedBy(cursor);
        if (next()) printFeature(record, cursor.position, stop, context, out);
        cursor.position = stop;
      }
    });
  });
}

/**
 * Adds an object of names and values, in the byte order of the names, and the number of names left out, if there are
 * any.
 */
function printMap(
  record: Uint8Array,
  field: number,
  member: string,
  more: string,
  context: PrintContext,
  out: JsonText,
  print: (entry: MapEntry) => void,
): void {
  const index = new MapIndex(record, context.limits.names);
  const cursor = { bytes: record, position: 0 };
  // Protobuf merges a message that occurs several times.
  while (cursor.position < record.length) {
    const tag = record[cursor.position++];
    const end = closedBy(cursor);
    if (tag === field) index.scan(cursor, end);
    cursor.position = end;
  }
  out.add(`"${member}":{`);
  let separator = '';
  for (const entry of index.entries()) {
    out.add(`${separator}${context.name(entry.name)}:`);
    print(entry);
    separator = ',';
  }
  out.add('}');
  if (index.left === 0) return;
  context.cuts++;
  out.add(`,"${more}":${index.left}`);
}

function printFeature(bytes: Uint8Array, start: number, end: number, context: PrintContext, out: JsonText): void {
  const kind = kindOf(bytes, start, end);
  if (kind === undefined) {
    out.add('null');
    return;
  }
  const name = KINDS[kind.tag] ?? 'bytes';
  const print = printerOf(name, bytes, context, out);
  const skip = SKIP[name];
  if (context.kinds) out.add(`{"${name}":`);
  context.all(out, context.limits.values, (next) => {
    forEachValue(bytes, kind.start, end, kind.tag, (cursor) => {
      if (next()) print(cursor);
      else skip(cursor);
    });
  });
  if (context.kinds) out.add('}');
}

type Kind = 'bytes' | 'float' | 'int64';

/** Moves the cursor past a value. */
const SKIP: Readonly<Record<Kind, (cursor: Cursor) => void>> = {
  float: (cursor) => {
    cursor.position += 4;
  },
  bytes: (cursor) => {
    cursor.position = closedBy(cursor);
  },
  int64: lengthOf,
};

/** Adds the value at the cursor, and moves the cursor past it. */
function printerOf(kind: Kind, bytes: Uint8Array, context: PrintContext, out: JsonText): (cursor: Cursor) => void {
  switch (kind) {
    case 'int64':
      return (cursor) => {
        out.add(String(int64At(cursor)));
      };
    case 'float': {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return (cursor) => {
        out.add(float32Json(view.getFloat32(cursor.position, true)));
        cursor.position += 4;
      };
    }
    case 'bytes':
      return (cursor) => {
        const end = closedBy(cursor);
        context.printBytes(bytes.subarray(cursor.position, end), out);
        cursor.position = end;
      };
  }
}
