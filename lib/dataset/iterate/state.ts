import { inspect } from 'node:util';

import { invalidArgType, TFRecordError, isInteger } from '../../base';
import { sumOf } from '../engine/fingerprint';
import { type Json, type Mark, placeMark, START } from '../engine/operator';
import type { Stage } from '../engine/stage';
import { seedFromText, seedText, type Words } from '../random';
import type { ElementCursor } from './element-cursor';
import { describeOrder, isExact } from './graph';

/**
 * The position of an iterator, as small plain JSON. Valid for the same dataset over the same files; options that affect
 * only speed may differ.
 */
export interface DatasetState {
  /** The version of the format of states. */
  readonly version: 1;
  /** The version of the order contract. */
  readonly order: 1;
  /** The stages, with the options that the order depends on. */
  readonly graph: string;
  /** The seed of the dataset, as decimal digits; a random seed of the system if none was set. */
  readonly seed: string;
  /** Number of the iteration of the dataset, from 0. */
  readonly call: number;
  /** The epoch that the iteration began with, from 0. */
  readonly epoch: number;
  /**
   * `false` if resuming may repeat or lose elements: a stage yields them in any order (`ordered: false`), and a later
   * stage holds some.
   */
  readonly exact?: false;
  /** Number of elements so far. */
  readonly position: number;
  /** The place after the last element; null at the end of the epoch. */
  readonly place: unknown;
  /** The checksum of all other members: resuming from a state that was changed throws. */
  readonly sum: string;
}

/** Returns the state of `cursor`. */
export function stateOf({ iteration, given, mark }: ElementCursor): DatasetState {
  const { plan, finished } = iteration;
  const state: Omit<DatasetState, 'sum'> = {
    version: 1,
    order: 1,
    graph: describeOrder(plan.stage),
    seed: seedText(plan.seed),
    call: plan.call,
    epoch: plan.epoch,
    ...(isExact(plan.stage) && iteration.scope.exact ? undefined : { exact: false }),
    position: plan.position + given,
    place: finished ? null : mark,
  };
  return { ...state, sum: sumOfState(state) };
}

function sumOfState(state: Partial<DatasetState>): string {
  const { version, order, graph, seed, call, epoch, exact, position, place } = state;
  return sumOf([version, order, graph, seed, call, epoch, exact, position, place]);
}

/** A state that was checked against the stage that resumes from it. */
interface Resumed {
  readonly seed: Words;
  readonly call: number;
  readonly epoch: number;
  readonly position: number;
  readonly from: Mark;
  readonly done: boolean;
}

/**
 * Checks `state` for `stage`. @throws TypeError for other values; TFRecordError TFR_STATE_MISMATCH for a state of
 * another dataset
 */
export function resume(state: unknown, stage: Stage): Resumed {
  if (typeof state !== 'object' || state === null) throw invalidArgType('options.state', 'a state of state()', state);
  const { version, order, graph, seed, call, epoch, position, place, sum } = state as Partial<DatasetState>;
  if (version !== 1 || order !== 1) throw mismatch('version 1, order 1', `version ${version}, order ${order}`);
  const expected = describeOrder(stage);
  if (graph !== expected) throw mismatch(expected, String(graph));
  const words = seedFromText(seed);
  const count = (value: unknown): value is number => isInteger(value, 0);
  if (words === undefined || !count(call) || !count(epoch) || !count(position) || place === undefined) {
    throw mismatch('a whole state', shown(state));
  }
  if (sum !== ownSum(state)) throw mismatch('a state as it was given', 'one that was changed');
  if (place === null) return { seed: words, call, epoch, position, from: START, done: true };
  return { seed: words, call, epoch, position, from: placeMark('the dataset', place as Json), done: false };
}

/** Returns the checksum of `state`; undefined if it is nested too deep. */
function ownSum(state: Partial<DatasetState>): string | undefined {
  try {
    return sumOfState(state);
  } catch {
    return undefined;
  }
}

function shown(value: unknown): string {
  return inspect(value, { breakLength: Infinity }).slice(0, 200);
}

/** Returns the error for a state of another dataset. */
function mismatch(expected: string, found: string): TFRecordError {
  return new TFRecordError(
    'TFR_STATE_MISMATCH',
    `This state belongs to another dataset: expected ${expected}, found ${found}. ` +
      'Iterate the dataset that it was taken of, over the same files, or start anew.',
    { expected, found },
  );
}
