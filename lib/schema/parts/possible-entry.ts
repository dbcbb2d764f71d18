/** Rules for the numbers in the file of a part, which may be forged: what breaks one cannot come from records. */
import { isInteger } from '../../base';
import { PICTURE_FORMATS } from '../../table';
import type { PartEntry, PartExtent, PartFeature, PartTotals } from './part-entry';

/** Maximum number of different values that a survey lists. */
const MAX_DISTINCT = 100;

const areCounts = (...numbers: readonly number[]): boolean => numbers.every((each) => isInteger(each, 0));

/** True if records can have the numbers of `entry`. `totals`: those of the records that it is about. */
export function isPossible({ totals, feature, picture }: PartEntry, { records }: PartTotals): boolean {
  if (totals !== undefined) return areTotals(totals);
  if (feature !== undefined) return feature.records <= records && isFeature(feature);
  if (picture !== undefined) return [0, 2].includes(picture.size.length) && areCounts(...picture.size);
  return true;
}

function areTotals({ records, withLists, bytes, compressedBytes, skipped, lostBytes }: PartTotals): boolean {
  return areCounts(records, withLists, bytes, compressedBytes, skipped, lostBytes) && withLists <= records;
}

function isFeature(feature: PartFeature): boolean {
  const { records, bytesLists, floatLists, int64Lists, none, empty, counts, steps } = feature;
  const lists = bytesLists + floatLists + int64Lists;
  return (
    areCounts(records, bytesLists, floatLists, int64Lists, none, empty) &&
    empty <= lists &&
    lists > 0 === (counts !== undefined) &&
    [counts, steps].every((extent) => extent === undefined || isExtent(extent)) &&
    areValues(feature, counts?.total ?? 0)
  );
}

function isExtent({ min, max, total }: PartExtent): boolean {
  return areCounts(min, max, total) && min <= max && max <= total;
}

/** True if `total` values can have the summaries of a feature. */
function areValues({ int64, float32, bytes }: PartFeature, total: number): boolean {
  return (
    (int64 === undefined || areInts(int64, total)) &&
    (float32 === undefined || areFloats(float32, total)) &&
    (bytes === undefined || areBytes(bytes, total))
  );
}

function areInts({ min, max, zeros, distinct }: NonNullable<PartFeature['int64']>, total: number): boolean {
  const areWithin = distinct.every((value) => value >= min && value <= max);
  return min <= max && areCounts(zeros) && zeros <= total && distinct.length <= MAX_DISTINCT && areWithin;
}

function areFloats({ bounds, zeros, nans, infinities }: NonNullable<PartFeature['float32']>, total: number): boolean {
  const [min, max] = bounds;
  const areBounds = bounds.length === 0 || (bounds.length === 2 && bounds.every(Number.isFinite) && min! <= max!);
  return areBounds && areCounts(zeros, nans, infinities) && zeros + nans + infinities <= total;
}

function areBytes(bytes: NonNullable<PartFeature['bytes']>, total: number): boolean {
  const { lengths, notUtf8, withControls, pictures, distinct } = bytes;
  return (
    (lengths === undefined || isExtent(lengths)) &&
    areCounts(notUtf8, withControls, ...pictures) &&
    notUtf8 + withControls <= total &&
    pictures.length <= PICTURE_FORMATS.length &&
    pictures.reduce((sum, count) => sum + count, 0) <= total &&
    distinct.length <= Math.min(MAX_DISTINCT, total)
  );
}
