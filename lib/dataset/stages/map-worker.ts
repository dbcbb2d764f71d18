import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import type { OnError } from '../../record';
import { bytesContents, policyContents, valueContents } from '../engine/fingerprint';
import { behind, countedPlace, type Json, type Mark, type Operator } from '../engine/operator';
import { callKey, type Run, stagePath } from '../engine/run';
import { Stage } from '../engine/stage';
import { WorkerPools } from '../worker/worker-pools';
import { MapWorkerOperator } from './map-worker-operator';

/** What is called where. */
export interface MapWorkerPlan {
  /** URL of the module. */
  readonly module: string;
  readonly data: unknown;
  readonly workers: number | 'auto';
  readonly parallel: number;
  readonly onError: OnError | undefined;
}

/** `mapWorker`: each element becomes what the function of a module makes of it, in worker threads. */
export class MapWorkerStage extends Stage {
  readonly kind = 'mapWorker';
  readonly #plan: MapWorkerPlan;

  constructor(input: Stage, plan: MapWorkerPlan) {
    super(input, 'calls');
    this.#plan = plan;
  }

  override get contents(): Json {
    const { module, data, onError } = this.#plan;
    return [moduleContents(module), valueContents(data), policyContents(onError)];
  }

  open(run: Run, from: Mark): Operator {
    const { onError, workers, ...plan } = this.#plan;
    const [place, index] = countedPlace(from, stagePath(run, this));
    const skip = from[1];
    const path = stagePath(run, this);
    const pools = run.scope.lasting(WorkerPools);
    return new MapWorkerOperator({
      // One comes of one, so the function need not be called again for what was given before.
      input: this.readInput(run, behind(place, skip)),
      index: index + skip,
      epoch: run.epoch,
      key: callKey(run, this),
      path,
      policy: onError === undefined ? run.policy(path) : run.scope.policy(path, this, onError),
      budget: run.scope.budget,
      pools,
      plan: { ...plan, workers: workers === 'auto' ? availableParallelism() : workers },
    });
  }
}

/** The text of the module, not of what it imports; where it cannot be read, its URL. */
function moduleContents(module: string): Json {
  try {
    return bytesContents(readFileSync(new URL(module)));
  } catch {
    return module;
  }
}
