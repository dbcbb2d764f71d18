import type { Scope } from '../engine/scope';
import type { Stage } from '../engine/stage';

/** What a stage did so far. */
export interface StageStats {
  /** The stage, with those that hold it: `interleave/tfrecord`. All inputs of a holder count together. */
  readonly stage: string;
  /** Elements that it gave. */
  readonly elements: number;
  /** Steps in which it gave them. */
  readonly chunks: number;
  /** Time in which a step of it was under way, in milliseconds, without what it waited for its inputs. */
  readonly busyMs: number;
  /** Time in which it waited for its inputs, in milliseconds. */
  readonly waitedMs: number;
  /** Elements, files or rests of files that `onError` skipped. */
  readonly skipped: number;
}

/** What the stages of the chain of `stage` did, and those inside of them, from the source on. */
export function statsOf(stage: Stage, scope: Scope): StageStats[] {
  const waited = new Map<string, number>();
  for (let above: Stage | undefined = stage; above !== undefined; above = above.input) {
    const inside = [...scope.tallies].filter(
      ([path]) => path.startsWith(`${above?.name}/`) && path.split('/').length === 2,
    );
    const input = above.input === undefined ? 0 : (scope.tallies.get(above.input.name)?.ms ?? 0);
    waited.set(
      above.name,
      inside.reduce((sum, [, { ms }]) => sum + ms, input),
    );
  }
  return [...scope.tallies].map(([path, { elements, chunks, ms, skipped }]): StageStats => {
    const waitedMs = Math.min(ms, waited.get(path) ?? 0);
    return { stage: path, elements, chunks, busyMs: ms - waitedMs, waitedMs, skipped };
  });
}
