import type { Chunk, Operator } from './operator';
import type { Scope } from './scope';

/** What the operators of a stage did so far. */
export class Tally {
  elements = 0;
  chunks = 0;
  /** Time in which a step was under way, that for its inputs included, in milliseconds. */
  ms = 0;
}

/** `operator`, counted under `path`. */
export function counted(operator: Operator, path: string, scope: Scope): Operator {
  const tally = scope.tally(path);
  return {
    async next(max): Promise<Chunk | undefined> {
      const begun = performance.now();
      try {
        const chunk = await operator.next(max);
        if (chunk !== undefined) {
          tally.elements += chunk.column.length;
          tally.chunks++;
        }
        return chunk;
      } finally {
        tally.ms += performance.now() - begun;
      }
    },
    close: () => operator.close(),
  };
}
