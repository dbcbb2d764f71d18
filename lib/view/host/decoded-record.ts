import { TFRecordError } from '../../base';
import { compareUtf8, decodeAtMost, recordType, type DecodedFeature, type DecodedSequenceExample } from '../../example';
import type { RecordKind, ValuePlace } from '../protocol';

/** A feature of a record; undefined for a feature without a kind. */
export type Feature = DecodedFeature | undefined;

/** Maximum number of features and steps, and of values, to decode: more would need too much memory and time. */
const MAX_PARTS = 2 ** 16;
const MAX_VALUES = 2 ** 25;

/** Returns the kind of a record's message; `bytes` for a message that is not decoded here. */
export function kindOf(data: Uint8Array): RecordKind {
  const type = recordType(data);
  return type === 'Example' || type === 'SequenceExample' || type === 'Event' ? type : 'bytes';
}

/** The decoded message of a record. */
export class DecodedRecord {
  readonly kind: RecordKind;
  readonly #parts: DecodedSequenceExample | undefined;

  constructor(readonly data: Uint8Array) {
    this.kind = kindOf(data);
    if (this.kind !== 'Example' && this.kind !== 'SequenceExample') return;
    this.#parts = decodeAtMost(data, MAX_PARTS, MAX_VALUES);
    if (this.#parts === undefined) {
      throw new TFRecordError(
        'TFR_RECORD_TOO_LARGE',
        'The record has too many features or values to show them here; tfrecord cat prints them.',
      );
    }
  }

  /** The features, or those of the context of a SequenceExample, in the byte order of their names. */
  get context(): readonly (readonly [string, Feature])[] {
    return entries(this.#parts?.context);
  }

  /** The feature lists, in the byte order of their names. */
  get lists(): readonly (readonly [string, readonly Feature[]])[] {
    return entries(this.#parts?.featureLists);
  }

  /** Returns the feature `name`, in a SequenceExample that of the context. */
  feature(name: string): Feature {
    return this.#parts?.context[name];
  }

  /** Returns the bytes value at `place`; undefined if there is none. */
  bytesAt({ section, name, step, index }: ValuePlace): Uint8Array | undefined {
    if (section === 'raw') return this.data;
    const feature = section === 'context' ? this.feature(name) : this.#parts?.featureLists[name]?.[step];
    return feature?.kind === 'bytes' ? feature.values.at(index) : undefined;
  }
}

/** Returns the members of an object without a prototype. */
function entries<T>(members: Record<string, T> | undefined): [string, T][] {
  return Object.entries(members ?? {}).sort(([a], [b]) => compareUtf8(a, b));
}
