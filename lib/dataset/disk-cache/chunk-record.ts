import { frameRecord } from '../../record';
import { ArrayElements, valuesOf, type Elements } from '../engine/elements';
import type { Mark } from '../engine/operator';
import { packOrigins, unpackOrigins, type PackedOrigins } from '../engine/origins';
import { NeighbourRecords, RecordElements, Slab, type RecordForm } from '../engine/records';
import { deserialized, serialized } from './serialize';

const LENGTH_BYTES = 4;

/** A run of neighbouring elements in a cache. */
export interface StoredChunk {
  readonly elements: Elements;
  /** Number of the first element. */
  readonly first: number;
  /** Position of the first element in the input of the cache. */
  readonly mark: Mark;
}

/** The header of a chunk: stored before its records, or alone. */
interface Head {
  /** The id of the cache. */
  readonly id: string;
  readonly first: number;
  readonly mark: Mark;
  readonly places: PackedOrigins;
  /** Lengths of the records that follow, and the number of their form; undefined if the header holds values. */
  readonly records: { readonly lengths: Uint32Array; readonly form: number } | undefined;
  readonly values: readonly unknown[] | undefined;
}

/**
 * Encodes a chunk as one record: the length of the header, the header, and the bytes of its records, if any. `formOf`
 * returns the number of a form; undefined if its rows must be stored as values. @throws TypeError for values that
 * cannot be stored exactly
 */
export function chunkRecord(
  chunk: StoredChunk,
  id: string,
  formOf: (form: RecordForm) => number | undefined,
): Uint8Array {
  const { elements, first, mark } = chunk;
  const form = elements instanceof RecordElements ? formOf(elements.form) : undefined;
  const places = packOrigins(elements.origins, 0, elements.length);
  const base = { id, first, mark, places };
  if (!(elements instanceof RecordElements) || form === undefined) {
    return joined(serialized([{ ...base, records: undefined, values: valuesOf(elements) } satisfies Head]), []);
  }
  const records = Array.from({ length: elements.length }, (_, i) =>
    frameRecord(elements.slab(i).source, elements.frame(i)),
  );
  const lengths = Uint32Array.from(records, ({ length }) => length);
  return joined(serialized([{ ...base, records: { lengths, form }, values: undefined } satisfies Head]), records);
}

/**
 * Decodes the chunk that {@link chunkRecord} encoded; undefined for a chunk of another cache. Records are views of
 * `bytes`.
 * @throws Error for other bytes
 */
export function chunkOfRecord(
  bytes: Uint8Array<ArrayBuffer>,
  id: string,
  formAt: (number: number) => RecordForm,
): StoredChunk | undefined {
  const headBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const begin = LENGTH_BYTES + headBytes;
  const [head] = deserialized(bytes.subarray(LENGTH_BYTES, begin)) as [Head];
  if (head.id !== id) return undefined;
  const places = unpackOrigins(head.places);
  const { first, mark } = head;
  if (head.records === undefined) {
    return { elements: new ArrayElements(head.values ?? [], places), first, mark };
  }
  const { lengths, form } = head.records;
  const frames = new Uint32Array(2 * lengths.length);
  let at = bytes.byteOffset + begin;
  lengths.forEach((length, i) => {
    frames[2 * i] = at;
    frames[2 * i + 1] = length;
    at += length;
  });
  if (at !== bytes.byteOffset + bytes.length) throw new Error('the records do not fill their chunk');
  const source = {
    file: '',
    slab: new Uint8Array(bytes.buffer),
    frames,
    firstRecord: 0,
    base: 0,
    origins: places.origin.bind(places) as never,
  };
  const slab = new Slab(source, (frame) => places.valid(frame));
  return {
    elements: new NeighbourRecords(formAt(form), slab, 0, lengths.length),
    first,
    mark,
  };
}

function joined(head: Uint8Array, records: readonly Uint8Array[]): Uint8Array {
  const bytes = records.reduce((sum, { length }) => sum + length, LENGTH_BYTES + head.length);
  const whole = new Uint8Array(bytes);
  new DataView(whole.buffer).setUint32(0, head.length, true);
  whole.set(head, LENGTH_BYTES);
  let at = LENGTH_BYTES + head.length;
  for (const record of records) {
    whole.set(record, at);
    at += record.length;
  }
  return whole;
}
