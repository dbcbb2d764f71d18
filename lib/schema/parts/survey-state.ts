/** Converts the survey of a feature to the message of a part, and back. */
import type { MessageInit } from '../../example';
import { PICTURE_FORMATS, type BytesSummary, type Extent, type FeatureSurvey, type PictureFormat } from '../../table';
import type { PartEntry, PartExtent, PartFeature } from './part-entry';

/** The message of a survey. */
export function surveyEntry(survey: FeatureSurvey): MessageInit<PartEntry> {
  const { section, name, records, kinds, empty, counts, steps, int64, float32, bytes } = survey;
  return {
    feature: {
      inLists: section === 'sequence',
      name,
      records,
      bytesLists: kinds.bytes,
      floatLists: kinds.float32,
      int64Lists: kinds.int64,
      none: kinds.none,
      empty,
      counts,
      steps,
      int64: int64 && {
        min: int64.min,
        max: int64.max,
        zeros: int64.zeros,
        many: int64.distinct === undefined,
        distinct: int64.distinct ?? [],
      },
      float32: float32 && {
        bounds: [float32.min, float32.max].filter((bound) => bound !== undefined),
        zeros: float32.zeros,
        nans: float32.nans,
        infinities: float32.infinities,
      },
      bytes: bytes && {
        lengths: bytes.lengths,
        notUtf8: bytes.notUtf8,
        withControls: bytes.withControls,
        pictures: PICTURE_FORMATS.map((format) => bytes.pictures[format] ?? 0),
        many: bytes.distinct === undefined,
        distinct: bytes.distinct ?? [],
      },
    },
  };
}

/** The survey of a message. */
export function surveyOf(feature: PartFeature): FeatureSurvey {
  const { inLists, name, records, bytesLists, floatLists, int64Lists, none, empty, counts, steps } = feature;
  const { int64, float32, bytes } = feature;
  const [min, max] = float32?.bounds ?? [];
  return {
    section: inLists ? 'sequence' : 'context',
    name,
    records,
    kinds: { bytes: bytesLists, float32: floatLists, int64: int64Lists, none },
    empty,
    counts: counts && extentOf(counts),
    steps: steps && extentOf(steps),
    int64: int64 && {
      min: int64.min,
      max: int64.max,
      zeros: int64.zeros,
      distinct: int64.many ? undefined : int64.distinct,
    },
    float32: float32 && { min, max, zeros: float32.zeros, nans: float32.nans, infinities: float32.infinities },
    bytes: bytes && bytesOf(bytes),
  };
}

function extentOf({ min, max, total }: PartExtent): Extent {
  return { min, max, total };
}

function bytesOf(bytes: NonNullable<PartFeature['bytes']>): BytesSummary {
  const pictures: Partial<Record<PictureFormat, number>> = {};
  PICTURE_FORMATS.forEach((format, i) => {
    const count = bytes.pictures[i] ?? 0;
    if (count > 0) pictures[format] = count;
  });
  return {
    lengths: extentOf(bytes.lengths ?? { min: 0, max: 0, total: 0 }),
    notUtf8: bytes.notUtf8,
    withControls: bytes.withControls,
    pictures,
    distinct: bytes.many ? undefined : bytes.distinct,
  };
}
