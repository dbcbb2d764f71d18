import type { ReaderSpec, ReadStart } from '../../native';
import { salvageIndex } from '../index/salvage-index';
import type { ReadPlan } from './read-options';

/** The settings that native code needs of one input of a reader. */
export interface InputSettings {
  /** Size of the input, if it is known. */
  readonly bytes: number | undefined;
  /** Full path of a regular file. */
  readonly at?: string | undefined;
  /** Default: the first record. */
  readonly start?: ReadStart | undefined;
  /** Default: true. */
  readonly membersAhead?: boolean;
}

/** Returns the spec by which native code reads one input of a reader with `plan`. */
export function readerSpec(plan: ReadPlan, { bytes, at, start, membersAhead = true }: InputSettings): ReaderSpec {
  const { compression, verify, maxRecordBytes, framing, index, checkpoints, policy } = plan;
  const salvagesAt = policy.salvages && framing === undefined ? at : undefined;
  return {
    compression,
    verify,
    maxRecordBytes,
    continues: !policy.endsAtFirst,
    countsLost: policy.countsLost(bytes),
    salvages: policy.salvages,
    membersAhead,
    start,
    framing,
    index,
    checkpoints: checkpoints ?? (salvagesAt === undefined ? undefined : salvageIndex(salvagesAt, bytes ?? 0)),
  };
}
