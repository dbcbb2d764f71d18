import { counted } from '../../base';
import { nestedSeed, type Words } from '../random';
import { Input } from './input';
import type { Label } from './labels';
import type { Numbered } from './numbered';
import { misplaced, skipping, tallied, type Json, type Mark, type Operator } from './operator';
import { stagePath, type Run } from './run';
import { MAX_ELEMENTS, type Scope } from './scope';
import type { Traits } from './traits';

/**
 * The value of `order` and `contents` for stages without options. Both are getters, because a field of a subclass is
 * set too late.
 */
const NO_OPTIONS = null;

/**
 * A step of a dataset, which reads elements from its input and yields others. Immutable: many datasets and iterators
 * share it.
 */
export abstract class Stage {
  /** The name of the method that adds the stage, such as `shuffle`. */
  abstract readonly kind: string;
  /** The last stage of the chain that this stage reads; undefined for sources. */
  readonly input: Stage | undefined;
  /** Properties of the stage that others depend on. */
  readonly traits: Traits;
  /** Number of random stages in the chain up to here, this stage included. */
  readonly draws: number;
  /**
   * Number of stages with callbacks in the chain up to here, this stage included. They draw by element, independently
   * of random stages.
   */
  readonly calls: number;

  /** `traits` are an argument, because a field of a subclass is set after `super()`. */
  constructor(input: Stage | undefined, traits: Traits = {}) {
    this.input = input;
    this.traits = traits;
    this.draws = (input?.draws ?? 0) + (traits.draws === undefined ? 0 : 1);
    this.calls = (input?.calls ?? 0) + (traits.calls === true ? 1 : 0);
  }

  /** The kind, and its number among the stages of that kind in the chain: `map`, `map#2`. */
  get name(): string {
    let others = 0;
    for (let stage = this.input; stage !== undefined; stage = stage.input) if (stage.kind === this.kind) others++;
    return others === 0 ? this.kind : `${this.kind}#${others + 1}`;
  }

  /** The seed of the chain: that of the last `seed()`. */
  get seed(): Words | undefined {
    return this.input?.seed;
  }

  /** True if a stage up to here draws with the seed of the dataset, and no `seed()` sets one. */
  get unseeded(): boolean {
    const { draws } = this.traits;
    if (typeof draws === 'object' && draws.seed === undefined) return true;
    return (this.input?.unseeded ?? false) || this.parts.some((part) => part.unseeded);
  }

  /** True if the source of the chain reads files that shards can divide among them by `Run.files`. */
  get hasFiles(): boolean {
    return this.input?.hasFiles ?? false;
  }

  /**
   * Returns the paths of the files that a source reads; undefined for other stages. Rejects with the error of listing
   * them.
   */
  async listFiles(_scope: Scope): Promise<readonly string[] | undefined> {
    return undefined;
  }

  /** The elements as records by their numbers; undefined for stages that only read what is before them in order. */
  get numbered(): Numbered | undefined {
    return undefined;
  }

  /** True if the elements are read by their numbers, so that going to any of them costs the same. */
  get readsByNumber(): boolean {
    return this.input?.readsByNumber === true && this.numbered !== undefined;
  }

  /** The last stages of the datasets that are parts of this stage, with chains of their own. */
  readonly parts: readonly Stage[] = [];

  /**
   * The options that the elements, or their order, depend on; stored in states. Functions are left out, for they cannot
   * be compared.
   */
  get order(): Json {
    return NO_OPTIONS;
  }

  /** Everything else that decides the elements, such as the text of functions, and specs. Caches compare it. */
  get contents(): Json {
    return NO_OPTIONS;
  }

  /** The functions that print the members of `order` for `explain()`. Default: JSON. */
  readonly labels: readonly Label[] = [];

  /**
   * Text that `explain()` prints after `order`: other options, and values that the stage chose in its latest iteration.
   */
  get chosen(): string | undefined {
    return undefined;
  }

  /** Number of elements, if it is known without reading, else undefined. Infinity for endless stages. */
  get size(): number | undefined {
    return this.input?.size;
  }

  /** True if this stage and all stages before it have the trait `passes`. */
  passesOn(): boolean {
    return this.traits.passes === true && (this.input === undefined || this.input.passesOn());
  }

  /**
   * Maximum `skip` of a mark after a place: the elements of one chunk. Some stages hand on the marks of their input.
   */
  get maxSkipped(): number {
    return Math.max(MAX_ELEMENTS, this.input?.maxSkipped ?? 0);
  }

  /** Returns an operator that starts at `from`. The first `next` opens files, not this. */
  abstract open(run: Run, from: Mark): Operator;

  /** Opens the input at `from`. */
  protected openInput(run: Run, from: Mark): Operator {
    if (this.input === undefined) throw new Error(`${this.kind} is a source`);
    const { passes, draws } = this.traits;
    const handedOn = passes === true ? run : { ...run, memory: undefined, unmade: false };
    const inOrder = passes === true && draws === undefined;
    return openStage(this.input, { ...handedOn, shown: inOrder ? run.shown : undefined }, from);
  }

  /** Opens a reader of the input at `from`. `passed` is a number of elements after `from` to skip, without limit. */
  protected readInput(run: Run, from: Mark, passed = 0): Input {
    return new Input(skipping(this.openInput(run, from), passed, run.scope), run.scope, from);
  }
}

/**
 * Returns the operator of `stage` that starts at `from`, with statistics. At the start, null, `skip` has no limit.
 * @throws TFRecordError TFR_STATE_MISMATCH
 */
export function openStage(stage: Stage, run: Run, from: Mark): Operator {
  const [at, skip] = from;
  if (at !== null && skip > stage.maxSkipped) {
    throw misplaced(stagePath(run, stage), `at most ${counted(stage.maxSkipped, 'element')} to skip`, skip);
  }
  return tallied(stage.open(run, from), stagePath(run, stage), run.scope);
}

/** The context of a stage that contains datasets. */
interface HolderRun {
  readonly run: Run;
  /** The path of the stage. */
  readonly path: string;
  readonly key: Words;
  /** Number of the contained datasets that are read side by side. */
  readonly beside: number;
}

/**
 * Returns the operator of `stage`, which is input or part `index` of the containing stage: a chain of its own, with a
 * seed of its own.
 */
export function openNested({ run, path, key, beside }: HolderRun, stage: Stage, index: number, from: Mark): Operator {
  const seed = stage.seed ?? nestedSeed(key, index);
  const slabs = stage.passesOn() ? run.slabs : undefined;
  const inside = {
    ...run,
    slabs,
    memory: undefined,
    shown: undefined,
    unmade: false,
    seed,
    call: 0,
    epoch: 0,
    path: `${path}/`,
    beside: run.beside * beside,
    files: undefined,
  };
  return openStage(stage, inside, from);
}
