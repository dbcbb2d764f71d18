/* eslint-disable @typescript-eslint/no-require-imports -- generated code that is needed by few */
/** The messages in the file of a part, as plain objects: proto/part.proto describes them. */
import { messageType, reflectedTypes, type MessagePackage } from '../../example';

/** The version of these messages. */
export const PART_VERSION = 1;

/** `PartEntry`: it has one of its members. */
export interface PartEntry {
  readonly totals?: PartTotals;
  readonly feature?: PartFeature;
  readonly values?: PartValues;
  readonly words?: PartWords;
  readonly picture?: PartPicture;
  readonly rule?: PartRule;
  readonly slice?: PartSlice;
}

export interface PartTotals {
  readonly records: number;
  readonly withLists: number;
  readonly bytes: number;
  readonly compressedBytes: number;
  readonly skipped: number;
  readonly lostBytes: number;
  /** {@link PART_VERSION} */
  readonly version: number;
}

export interface PartFeature {
  readonly inLists: boolean;
  readonly name: string;
  readonly records: number;
  readonly bytesLists: number;
  readonly floatLists: number;
  readonly int64Lists: number;
  readonly none: number;
  readonly empty: number;
  readonly counts?: PartExtent | undefined;
  readonly steps?: PartExtent | undefined;
  readonly int64?:
    | {
        readonly min: bigint;
        readonly max: bigint;
        readonly zeros: number;
        readonly many: boolean;
        readonly distinct: readonly bigint[];
      }
    | undefined;
  readonly float32?:
    | { readonly bounds: readonly number[]; readonly zeros: number; readonly nans: number; readonly infinities: number }
    | undefined;
  readonly bytes?:
    | {
        readonly lengths?: PartExtent | undefined;
        readonly notUtf8: number;
        readonly withControls: number;
        readonly pictures: readonly number[];
        readonly many: boolean;
        readonly distinct: readonly Uint8Array[];
      }
    | undefined;
}

export interface PartExtent {
  readonly min: number;
  readonly max: number;
  readonly total: number;
}

export interface PartValues {
  readonly kind: string;
  readonly lengths?: PartLengths | undefined;
  readonly stepLengths?: PartLengths | undefined;
  readonly stepCounts?: PartLengths | undefined;
  readonly moments?: PartMoments | undefined;
  readonly sample?: PartSample | undefined;
  readonly binary: boolean;
  readonly large: number;
}

export interface PartLengths {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly total: number;
  readonly only: number;
  readonly sample?: PartSample | undefined;
}

export interface PartMoments {
  readonly count: number;
  readonly positiveInfinities: number;
  readonly negativeInfinities: number;
  readonly origin: number;
  readonly mean: number;
  readonly squares: number;
}

export interface PartSample {
  readonly values: readonly number[];
  readonly stride: number;
  readonly untilKept: number;
  readonly untilBlock: number;
  readonly random: number;
}

export interface PartWords {
  readonly data: Uint8Array;
  readonly ends: readonly number[];
  readonly counts: readonly number[];
}

/** The width and the height of a picture; empty if they could not be read. */
export interface PartPicture {
  readonly size: readonly number[];
}

/** The slice that the next totals and features belong to. */
export interface PartSlice {
  readonly name: string;
  readonly rule: number;
  readonly values: readonly string[];
}

export interface PartRule {
  readonly path: readonly string[];
  readonly records: readonly { readonly file: string; readonly record: number }[];
  readonly hasState: boolean;
  readonly count: number;
  readonly values: Uint8Array;
}

let reflected: ReturnType<typeof reflectedTypes> | undefined;

const PARTS: MessagePackage = {
  statics: () => (require('./messages.generated') as { readonly tfrecord_native: object }).tfrecord_native,
  reflected(name) {
    reflected ??= reflectedTypes(
      require('./descriptor.generated') as typeof import('./descriptor.generated'),
      'tfrecord_native',
    );
    return reflected(name);
  },
  code: () => 'TFR_STATE_MISMATCH',
};

/** `PartEntry`: a record of the file of a part. */
export const PartEntryType = messageType<PartEntry>('PartEntry', PARTS);
