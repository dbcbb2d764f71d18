import { counted } from '../../base';
import { nestedSeed, type Words } from '../random';
import { Input } from './input';
import type { Label } from './labels';
import { misplaced, skipping, tallied, type Json, type Mark, type Operator } from './operator';
import { stagePath, type Run } from './run';
import { MOST_ELEMENTS, type Scope } from './scope';
import type { Traits } from './traits';

/** Subclasses override getters that give it: a field would be set too late. */
const NO_OPTIONS = null;

/**
 * A step of a dataset: it gives elements, and reads from its input. A value: it never changes, and serves many datasets
 * and iterators at once.
 */
export abstract class Stage {
  /** `shuffle`. */
  abstract readonly kind: string;
  /** The chain that the stage goes on with; undefined for sources. */
  readonly input: Stage | undefined;
  /** The facts about it that others go by. */
  readonly traits: Traits;
  /** Numbers of random stages that the chain takes, this stage included. */
  readonly draws: number;
  /** Numbers of stages with callbacks that the chain takes, this stage included. They draw by element, apart from the others. */
  readonly calls: number;

  /** `traits` are an argument, as a field of a subclass would be set too late. */
  constructor(input: Stage | undefined, traits: Traits = {}) {
    this.input = input;
    this.traits = traits;
    this.draws = (input?.draws ?? 0) + (traits.draws === undefined ? 0 : 1);
    this.calls = (input?.calls ?? 0) + (traits.calls === true ? 1 : 0);
  }

  /** The kind, and which of that kind it is in its chain: `map`, `map#2`. */
  get name(): string {
    let others = 0;
    for (let stage = this.input; stage !== undefined; stage = stage.input) if (stage.kind === this.kind) others++;
    return others === 0 ? this.kind : `${this.kind}#${others + 1}`;
  }

  /** The seed of the chain: the one that was given last. */
  get seed(): Words | undefined {
    return this.input?.seed;
  }

  /** True if a stage up to here draws with the seed of the dataset, and no `seed()` has given one yet. */
  get unseeded(): boolean {
    const { draws } = this.traits;
    if (typeof draws === 'object' && draws.seed === undefined) return true;
    return (this.input?.unseeded ?? false) || this.parts.some((part) => part.unseeded);
  }

  /** True if the source of the chain reads files, of which a shard may read a part, as `Run.files` says. */
  get hasFiles(): boolean {
    return this.input?.hasFiles ?? false;
  }

  /** The paths of the files that a source reads. Rejects with the error of a name. */
  async listFiles(_scope: Scope): Promise<readonly string[] | undefined> {
    return undefined;
  }

  /** The datasets that are parts of it, with chains of their own. */
  readonly parts: readonly Stage[] = [];

  /** The options that its elements, or their order, depend on. Functions cannot be compared. */
  get order(): Json {
    return NO_OPTIONS;
  }

  /** Everything else that is known to decide its elements: the text of functions, specs. Caches compare it. */
  get contents(): Json {
    return NO_OPTIONS;
  }

  /** The labels by which `explain()` prints the parts of `order`. Default: JSON. */
  readonly labels: readonly Label[] = [];

  /** Options that `explain()` prints beside `order`, and values that the stage chose in its latest iteration. */
  get chosen(): string | undefined {
    return undefined;
  }

  /** Number of elements, if it is known without reading. Infinity for endless stages. */
  get size(): number | undefined {
    return this.input?.size;
  }

  /** True if this stage and all stages before it have the trait `passes`. */
  passesOn(): boolean {
    return this.traits.passes === true && (this.input === undefined || this.input.passesOn());
  }

  /** Most elements that a mark can skip behind a place: those of one chunk. Some stages pass on the marks of their input. */
  get mostSkipped(): number {
    return Math.max(MOST_ELEMENTS, this.input?.mostSkipped ?? 0);
  }

  /** Returns its operator from `from` on. Opens no file: the first `next` does. */
  abstract open(run: Run, from: Mark): Operator;

  /** The operator of its input. */
  protected openInput(run: Run, from: Mark): Operator {
    if (this.input === undefined) throw new Error(`${this.kind} is a source`);
    return openStage(this.input, this.traits.passes === true ? run : { ...run, memory: undefined }, from);
  }

  /** Reads its input. `passed`: elements behind `from` to pass over, however many. */
  protected readInput(run: Run, from: Mark, passed = 0): Input {
    return new Input(skipping(this.openInput(run, from), passed, run.scope), run.scope, from);
  }
}

/**
 * Returns the operator of `stage` from `from` on, counted. Behind the start, which no state names, any number of
 * elements may be passed over. @throws TFRecordError TFR_STATE_MISMATCH
 */
export function openStage(stage: Stage, run: Run, from: Mark): Operator {
  const [at, skip] = from;
  if (at !== null && skip > stage.mostSkipped) {
    throw misplaced(stagePath(run, stage), `at most ${counted(stage.mostSkipped, 'element')} to skip`, skip);
  }
  return tallied(stage.open(run, from), stagePath(run, stage), run.scope);
}

/** A stage that holds datasets. */
interface HolderRun {
  readonly run: Run;
  /** The path of the stage. */
  readonly path: string;
  readonly key: Words;
  /** Number of its datasets that are read side by side. */
  readonly beside: number;
}

/** Returns the operator of `stage`, input or part `index` of a stage: a chain of its own, with a seed of its own. */
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
