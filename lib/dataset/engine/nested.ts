import { nestedSeed, type Words } from '../random';
import type { Mark, Operator } from './operator';
import type { Run } from './run';
import { openStage, type Stage } from './stage';

/** A stage that holds datasets. */
export interface HolderRun {
  readonly run: Run;
  /** Of the stage. */
  readonly path: string;
  readonly key: Words;
  /** How many of its datasets are read side by side. */
  readonly beside: number;
}

/** Puts `stage` to work as input or part `index` of a stage: a chain of its own, with a seed of its own. */
export function openNested({ run, path, key, beside }: HolderRun, stage: Stage, index: number, from: Mark): Operator {
  const seed = stage.seed ?? nestedSeed(key, index);
  const slabs = stage.passesOn() ? run.slabs : undefined;
  const inside = {
    ...run,
    slabs,
    memory: undefined,
    seed,
    call: 0,
    epoch: 0,
    path: `${path}/`,
    beside: run.beside * beside,
    files: undefined,
  };
  return openStage(stage, inside, from);
}
