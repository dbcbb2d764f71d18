/** The facts about a stage by which the chain numbers its draws, and others treat it. */
import type { Words } from '../random';

/** The seed of a stage that draws. */
interface DrawSettings {
  /** The seed of this stage alone. Default: that of the chain. */
  readonly seed: Words | undefined;
  /** False: it draws the same in each epoch and each iteration. Default: true. */
  readonly reshuffle?: boolean;
}

/** Facts about a stage. Default: false. */
export interface Traits {
  /** It takes the next number of the chain for its key: `true` for the keys of datasets that it holds, else its own draws. */
  readonly draws?: true | DrawSettings | undefined;
  /** It calls functions of the user's, which may draw: it takes the next of the numbers for calls. */
  readonly calls?: boolean | undefined;
  /** It hands each element of its input on at most once, keeps none, and does not show their memory. */
  readonly passes?: boolean | undefined;
  /** It has no part in the order of elements: it may be changed, left out or added, and a state still fits. */
  readonly outsideState?: boolean | undefined;
  /** The rest of a chunk is all that its places need for the chunk to come again as it was. */
  readonly oneByOne?: boolean | undefined;
  /** The elements made of a file are the same when only that file is read: the files can be divided before it. */
  readonly perFile?: boolean | undefined;
  /** Its elements come in any order. */
  readonly unordered?: boolean | undefined;
}

/** The members of a stage that its path and its keys are made of. */
export interface NumberedStage {
  /** The kind, and which of that kind it is in its chain. */
  readonly name: string;
  readonly traits: Traits;
  /** Numbers of random stages that the chain takes, this stage included. */
  readonly draws: number;
  /** Numbers of stages with callbacks that the chain takes, this stage included. */
  readonly calls: number;
}
