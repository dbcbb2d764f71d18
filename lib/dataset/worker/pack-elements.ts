import { memoryError, type Bytes } from '../../base';
import { sharedMemory } from '../../io';
import { gatherRecords, partsOf } from '../../record';
import type { Elements } from '../engine/elements';
import { RAW } from '../engine/record-forms';
import { RecordElements } from '../engine/records';
import { OUR_CLASSES } from './our-classes';
import { isCloneable } from './packed-thrown';
import { packValues, type Parcel } from './packed-values';

/** Size of a chunk from which on no further element is added, in bytes. */
const CHUNK_BYTES = 1024 * 1024;
const NAME = '<gathered>';

/** Elements that are packed for a worker, and the error of the element after them. */
interface PackedElements {
  readonly parcel: Parcel;
  /** The error if the next element cannot be made. */
  readonly failure: { readonly error: unknown } | undefined;
}

/**
 * Packs the first elements of `elements`, at least `least` and as many as fit into a chunk; none if the first cannot be
 * made. Records, and other byte arrays, are copied once, into shared memory. @throws TFRecordError ENOMEM
 */
export function packElements(elements: Elements, least: number): PackedElements {
  return (
    (elements instanceof RecordElements && elements.form === RAW ? packRecords(elements, least) : undefined) ??
    packOthers(elements, least)
  );
}

/** Packs records; undefined if that is impossible because the memory of a record was released. */
function packRecords(elements: RecordElements, least: number): PackedElements | undefined {
  let count = 0;
  for (let bytes = 0; count < elements.length && (count < least || bytes < CHUNK_BYTES); count++) {
    bytes += elements.bytes(count);
  }
  const records = elements.slice(0, count);
  const memory = (bytes: number): Bytes => new Uint8Array(sharedMemory(bytes, NAME)) as Uint8Array as Bytes;
  let source;
  try {
    ({ source } = partsOf(gatherRecords(records, records.origins, memory)));
  } catch {
    // Packing them one by one throws the error at its element.
    return undefined;
  }
  const lengths = new Uint32Array(count);
  for (let i = 0; i < count; i++) lengths[i] = source.frames[2 * i + 1]!;
  return { parcel: { packed: { bytes: source.slab, lengths }, count, transfer: [] }, failure: undefined };
}

function packOthers(elements: Elements, least: number): PackedElements {
  const values: unknown[] = [];
  let failure: PackedElements['failure'];
  try {
    while (values.length < elements.length) values.push(elements.at(values.length));
  } catch (error) {
    failure = { error };
  }
  const parcel = packed(values, least);
  return { parcel, failure: parcel.count < values.length ? undefined : failure };
}

function packed(values: readonly unknown[], least = values.length): Parcel {
  const memory = (bytes: number): SharedArrayBuffer => sharedMemory(bytes, NAME);
  const limit = CHUNK_BYTES;
  try {
    return packValues(values.length, (i) => values[i], { forms: OUR_CLASSES, memory, limit, least });
  } catch (cause) {
    if (cause instanceof RangeError) throw memoryError(NAME, cause);
    throw cause;
  }
}

/** Returns the first `count` elements, with undefined for those that cannot be cloned, and the numbers of these. */
export function withoutUncloneable(
  elements: Elements,
  count: number,
): { readonly parcel: Parcel; readonly without: readonly number[] } {
  const without: number[] = [];
  const values = Array.from({ length: count }, (_, i) => {
    const value = elements.at(i);
    const sent = packed([value]).packed;
    if (isCloneable(sent)) return value;
    without.push(i);
    return undefined;
  });
  return { parcel: packed(values), without };
}
