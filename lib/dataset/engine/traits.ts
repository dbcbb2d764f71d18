/** Properties of stages that the engine depends on, for example to number random draws. */
import type { Words } from '../random';

/** The seed settings of a random stage. */
interface DrawSettings {
  /** The seed of this stage only. Default: that of the chain. */
  readonly seed: Words | undefined;
  /** If false, it draws the same in each epoch and each iteration. Default: true. */
  readonly reshuffle?: boolean;
}

/** Properties of a stage. Each defaults to false. */
export interface Traits {
  /**
   * It uses the next draw number of the chain: `true` for the keys of datasets that it contains, settings for its own
   * draws.
   */
  readonly draws?: true | DrawSettings | undefined;
  /** It calls functions of the user, which may draw: it uses the next call number of the chain. */
  readonly calls?: boolean | undefined;
  /** It hands each element of its input on at most once, keeps none, and does not expose their memory. */
  readonly passes?: boolean | undefined;
  /** It does not affect the order of elements: a state stays valid if it is changed, removed or added. */
  readonly outsideState?: boolean | undefined;
  /** Resuming at one of its places restores the chunk, although elements before the stage have any order. */
  readonly oneByOne?: boolean | undefined;
  /**
   * The elements of a file are the same if only that file is read, so that files can be divided among shards before it.
   */
  readonly perFile?: boolean | undefined;
  /** It hands its elements over in any order. */
  readonly unordered?: boolean | undefined;
}

/** The members of a stage that its path and its keys depend on. */
export interface NumberedStage {
  /** The kind, and its number among the stages of that kind in the chain. */
  readonly name: string;
  readonly traits: Traits;
  /** Number of random stages in the chain up to here, this stage included. */
  readonly draws: number;
  /** Number of stages with callbacks in the chain up to here, this stage included. */
  readonly calls: number;
}
