import { ErrorPolicy, type OnError } from '../../record';
import { policyContents } from '../engine/fingerprint';
import type { Json, Mark, Operator } from '../engine/operator';
import type { Run } from '../engine/run';
import { Stage } from '../engine/stage';

/**
 * The stage of `onError`, which holds the policy for errors of the stages before; each counts its own skips. It has no
 * operator of its own.
 */
export class OnErrorStage extends Stage {
  readonly kind = 'onError';
  readonly #onError: OnError;

  static of(input: Stage, policy: OnError): OnErrorStage {
    // Only checks the argument.
    new ErrorPolicy(policy);
    return new OnErrorStage(input, policy);
  }

  private constructor(input: Stage, onError: OnError) {
    super(input, { passes: true, oneByOne: true, perFile: true, outsideState: true });
    this.#onError = onError;
  }

  override get size(): undefined {
    return undefined;
  }

  override get contents(): Json {
    return policyContents(this.#onError);
  }

  open(run: Run, from: Mark): Operator {
    return this.openInput({ ...run, policy: (path) => run.scope.policy(path, this, this.#onError) }, from);
  }
}
