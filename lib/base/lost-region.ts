import type { Fault } from './fault';

/** A part of a file that `onError: 'salvage'` cannot give as records, and what is known of the records around it. */
export interface LostRegion {
  /** Offset of the first lost byte in the uncompressed content. */
  readonly start: number;
  /**
   * Offset of the byte after the last lost one, where reading goes on, or where the content ends. Absent if compressed data
   * is damaged, unless reading goes on at a checkpoint of an index: else nobody knows where the content would have ended.
   */
  readonly end?: number;
  /**
   * Offset in the compressed file at which inflating noticed the damage, if compressed data is damaged. The damaged byte lies at
   * or before it, and the records from `start` to there are lost, too. After a wrong checksum of a member: the end of that
   * member. If inflating noticed the damage only after `compressedEnd`: the start of the damaged member, or the last known
   * checkpoint before it.
   */
  readonly compressedStart?: number;
  /** The byte after the last lost one in the compressed file, if compressed data is damaged and this place is known. */
  readonly compressedEnd?: number;
  /** Number of the last record before the region; absent if there is none. */
  readonly before?: number;
  /**
   * Number of the first record after the region; absent if nothing after it can be read. A region counts as one record
   * unless its file says how many it had, so later records may have had larger numbers.
   */
  readonly after?: number;
  /** Number of whole records that lie in the region as data of the damaged record. They are not delivered. */
  readonly inside: number;
  /**
   * Number of records directly before the region that may be data of an earlier damaged record, for example of one that
   * holds a TFRecord file. They were delivered.
   */
  readonly doubtful: number;
}

/** Returns the region that a reader which salvages loses by `fault`. `totalBytes`: the size of the file, -1 if unknown. */
export function regionOf(fault: Fault, totalBytes: number): LostRegion {
  const { code, offset: start = 0, record = 0, resumes = false, regionEnd, resumesAt, resumesWith, trailerEnd } = fault;
  const { compressedOffset, inside = 0, doubtful = 0 } = fault;
  const isCut = regionEnd === undefined && compressedOffset !== undefined;
  const ofCodec = resumesAt !== undefined || code === 'TFR_COMPRESSION' || code === 'TFR_TRAILING_DATA' || isCut;
  const compressedStart = ofCodec ? (trailerEnd ?? compressedOffset) : undefined;
  const compressedEnd = ofCodec ? (resumesAt ?? (resumes || totalBytes < 0 ? undefined : totalBytes)) : undefined;
  return {
    start,
    ...(regionEnd === undefined ? {} : { end: regionEnd }),
    ...(compressedStart === undefined ? {} : { compressedStart }),
    ...(compressedEnd === undefined ? {} : { compressedEnd }),
    ...(record === 0 ? {} : { before: record - 1 }),
    ...(resumes ? { after: resumesWith ?? record + 1 } : {}),
    inside,
    doubtful,
  };
}
