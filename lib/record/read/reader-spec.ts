import type { IndexHandle, ReaderSpec, ReadStart } from '../../native';
import type { ReadPlan } from './read-options';

/** The settings that native code needs of one input of a reader. */
export interface InputSettings {
  /** Size of the input, if it is known. */
  readonly bytes: number | undefined;
  /** Default: the first record. */
  readonly start?: ReadStart | undefined;
  /** Default: true. */
  readonly membersAhead?: boolean;
  /** The index to which the reader adds. */
  readonly index?: IndexHandle | undefined;
}

/** Returns the spec by which native code reads one input of a reader with `plan`. */
export function readerSpec(plan: ReadPlan, { bytes, start, membersAhead = true, index }: InputSettings): ReaderSpec {
  const { compression, verify, maxRecordBytes, framing, policy } = plan;
  return {
    compression,
    verify,
    maxRecordBytes,
    continues: !policy.endsAtFirst,
    countsLost: policy.countsLost(bytes),
    membersAhead,
    start,
    framing,
    index,
  };
}

/** Returns the spec of a scan and of the jumps after it, which end at damage. The scan itself goes on after damage. */
export function scanSpec(settings: Pick<ReaderSpec, 'compression' | 'verify' | 'maxRecordBytes'>): ReaderSpec {
  return { ...settings, continues: false, countsLost: false, membersAhead: true, start: undefined, framing: undefined };
}
