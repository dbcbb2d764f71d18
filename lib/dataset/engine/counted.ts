import type { TFRecordError } from '../../errors';
import { ErrorPolicy, type OnError } from '../../record';
import type { Chunk, Operator } from './operator';
import type { Scope } from './scope';

/** What the operators of a stage did so far. */
export class Tally {
  elements = 0;
  chunks = 0;
  /** Time in which a step was under way, that for its inputs included, in milliseconds. */
  ms = 0;
  /** What `onError` skipped. */
  skipped = 0;
}

/** A policy whose skips are told. */
export class CountedPolicy extends ErrorPolicy {
  readonly #tally: () => Tally;

  /** `tally` is asked for late: tallies are in the order in which stages begin. */
  constructor(tally: () => Tally, onError: OnError | undefined) {
    super(onError);
    this.#tally = tally;
  }

  override resolve(error: TFRecordError): 'skip' | 'stop' {
    const action = super.resolve(error);
    if (action === 'skip') this.#tally().skipped++;
    return action;
  }
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
