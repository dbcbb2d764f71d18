import { counted } from '../../base';
import type { MemoryPool } from '../../io';
import type { ErrorPolicy, ShownMemory } from '../../record';
import { callSeed, stageKey, type Words } from '../random';
import type { Scope } from './scope';
import type { NumberedStage } from './traits';

/** The numbers of stages with callbacks start here, so that adding one does not change the draws of a shuffle. */
const FIRST_CALL = 0x8000_0000;

/** The context in which a stage is opened. */
export interface Run {
  readonly scope: Scope;
  /** The seed of the chain that the stage belongs to. */
  readonly seed: Words;
  /** Number of the iteration of the dataset: 0 for the first, and for an iteration with option `state` or `epoch`. */
  readonly call: number;
  /** Number of complete passes over the stage. */
  readonly epoch: number;
  /** Path of the stages that contain the chain, such as `interleave/`. Empty at the top. */
  readonly path: string;
  /** Number of sources that are read side by side, in all containing stages. */
  readonly beside: number;
  /**
   * Pool for slabs whose records were all copied. Given only if all stages from the source on hand each record on once,
   * and do not expose its memory.
   */
  readonly slabs?: MemoryPool | undefined;
  /**
   * Memory for batches that are valid until the next step. Given only if all later stages hand each batch on once, and
   * do not expose it.
   */
  readonly memory?: MemoryPool | undefined;
  /**
   * Memory for raw records that are valid until the next step. Given only if all later stages hand each record on once and in
   * order, and do not expose it.
   */
  readonly shown?: ShownMemory | undefined;
  /**
   * True if a later stage parses batches of raw records, and all stages up to it hand each batch on and do not read it:
   * then `batch` leaves it unmade (`UnmadeBatch`). Default: false.
   */
  readonly unmade?: boolean | undefined;
  /** The share of the source's files to read. Default: all. */
  readonly files?: FileShare | undefined;
  /** The part of the records of the source's files to read. Default: all. */
  readonly part?: FilePart | undefined;
  /** See `ReadPlan.again`. Given to sources whose files may be opened ahead of their turn. */
  readonly again?: (() => Promise<boolean>) | undefined;
  /** Returns the policy for errors of the stage at `path`. */
  policy(path: string): ErrorPolicy;
}

/** Returns the name of `stage` in errors, statistics and states, such as `interleave/tfrecord`. */
export function stagePath(run: Run, stage: NumberedStage): string {
  return run.path + stage.name;
}

/** Returns the key for random numbers of a stage with the trait `draws`; `further`: for those of number `further`. */
export function drawKey(run: Run, stage: NumberedStage, further = 0): Words {
  const { draws } = stage.traits;
  const { seed = run.seed, reshuffle = true } = typeof draws === 'object' ? draws : {};
  const [call, epoch] = reshuffle ? [run.call, run.epoch] : [0, 0];
  return stageKey(callSeed(seed, call), stage.draws - 1 + further, epoch);
}

/** Returns the key for random numbers of a stage with the trait `calls`. */
export function callKey(run: Run, stage: NumberedStage): Words {
  return stageKey(callSeed(run.seed, run.call), FIRST_CALL + stage.calls - 1, run.epoch);
}

/** One of `count` parts of about as many bytes. */
export interface FilePart {
  readonly index: number;
  readonly count: number;
}

/** The files of a source that one shard of several reads: every `count`-th, from number `index` on. */
export class FileShare {
  readonly count: number;
  readonly index: number;
  #warned = false;

  constructor(count: number, index: number) {
    this.count = count;
    this.index = index;
  }

  /**
   * Picks the files of this shard from all `files` of the source, in their order. Warns if some shards have no file.
   */
  readonly pick = <T>(files: readonly T[]): readonly T[] => {
    if (files.length < this.count && !this.#warned) {
      this.#warned = true;
      process.emitWarning(
        `There ${files.length === 1 ? 'is' : 'are'} ${counted(files.length, 'file')} for ${counted(this.count, 'shard')}: some have nothing to read. Write more files, or shard by record.`,
        'TFRecordWarning',
      );
    }
    return files.filter((_, number) => number % this.count === this.index);
  };
}
