import { counted } from '../../base';
import type { MemoryPool } from '../../io';
import type { ErrorPolicy } from '../../record';
import { callSeed, stageKey, type Words } from '../random';
import type { Scope } from './scope';
import type { NumberedStage } from './traits';

/** Stages with callbacks are numbered from here on: one more of them changes no shuffle. */
const FIRST_CALL = 0x8000_0000;

/** The circumstances in which a stage is opened. */
export interface Run {
  readonly scope: Scope;
  /** The seed of the chain that the stage stands in. */
  readonly seed: Words;
  /** Number of the iteration of the dataset: 0 for the first, and for one that was given a state or an epoch. */
  readonly call: number;
  /** Passes over the stage that are complete. */
  readonly epoch: number;
  /** The stages that hold the chain: `interleave/`. Empty at the top. */
  readonly path: string;
  /** Number of sources that are read side by side, all holders counted. */
  readonly beside: number;
  /**
   * Pool for slabs whose records were all copied. Given if all stages from the source on hand each record on once, and
   * do not show its memory.
   */
  readonly slabs?: MemoryPool | undefined;
  /**
   * Memory for batches that last until the next step. Given if all later stages hand each on once, and do not show it.
   */
  readonly memory?: MemoryPool | undefined;
  /** The share of the source's files to read. Default: all. */
  readonly files?: FileShare | undefined;
  /** For sources whose files may be opened ahead of their turn: see `ReadPlan.again`. */
  readonly again?: (() => Promise<boolean>) | undefined;
  /** The policy for errors of the stage at `path`. */
  policy(path: string): ErrorPolicy;
}

/** The name of `stage` in errors, statistics and states: `interleave/tfrecord`. */
export function stagePath(run: Run, stage: NumberedStage): string {
  return run.path + stage.name;
}

/** The key of a stage with the trait `draws`. */
export function drawKey(run: Run, stage: NumberedStage): Words {
  const { draws } = stage.traits;
  const { seed = run.seed, reshuffle = true } = typeof draws === 'object' ? draws : {};
  const [call, epoch] = reshuffle ? [run.call, run.epoch] : [0, 0];
  return stageKey(callSeed(seed, call), stage.draws - 1, epoch);
}

/** The key of a stage that takes a number of calls. */
export function callKey(run: Run, stage: NumberedStage): Words {
  return stageKey(callSeed(run.seed, run.call), FIRST_CALL + stage.calls - 1, run.epoch);
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

  /** Picks from all `files` of the source, in their order. Warns where a shard has none. */
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
