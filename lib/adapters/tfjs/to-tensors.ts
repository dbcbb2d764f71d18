import type { Tensor, TensorContainer } from '@tensorflow/tfjs-core';

import { checkOptions, invalidArgType, invalidArgValue } from '../../base';
import { allColumns, columnNamed, columnsOf, type BatchColumn, type ColumnTree } from './batch-columns';
import { tfjsCore } from './peers';
import { tensorRules, type OriginOf, type TensorRules } from './rules';
import { tensorValues } from './tensor-values';
import type { TensorChoice, TensorNames, TensorOptions, TensorsOf } from './types';

/**
 * Converts the columns of a batch to tensors of tfjs, by name. A batch of rows becomes one tensor for each name. float32
 * columns are not copied: the tensor and the batch share the memory, so do not write to either. The caller disposes of
 * the tensors. If one cannot be made, all others are disposed of.
 *
 * @throws TFRecordError TFR_FEATURE, with the feature, and the number of the row as `record`, for values that a tensor
 *   cannot hold: an int64 beyond int32, rows of different lengths, sparse columns without `defaults`.
 *   ERR_MODULE_NOT_FOUND without `@tensorflow/tfjs-core`. TypeError for wrong arguments.
 *
 * @example
 * const { id } = toTensors(parseExample(records, { id: fixedLen([], 'int64') }));
 */
export function toTensors<B>(batch: B, options?: TensorOptions): TensorsOf<B>;
export function toTensors(batch: unknown, options?: TensorOptions): unknown {
  const rules = tensorRules(checkOptions(options, ['dtypes', 'defaults']));
  tfjsCore();
  return tensorsOf(columnsOf(batch, rules, undefined), rules);
}

/** Makes a tensor for each column. If one fails, disposes of the others and throws. */
function makeTensors(columns: readonly BatchColumn[], rules: TensorRules): Tensor[] {
  const tf = tfjsCore();
  const values = columns.map((column) => tensorValues(column.place, column.values(), rules));
  const tensors: Tensor[] = [];
  try {
    for (const { data, shape, dtype } of values) tensors.push(tf.tensor(data, [...shape], dtype));
  } catch (error) {
    tf.dispose(tensors);
    throw error;
  }
  return tensors;
}

/** Makes the tensors of all columns, nested as in the batch. */
export function tensorsOf(tree: ColumnTree, rules: TensorRules): unknown {
  const tensors = makeTensors(allColumns(tree), rules);
  const arranged = (inner: ColumnTree): unknown => {
    if ('place' in inner) return tensors.shift();
    if (isPair(inner)) return inner.map(arranged);
    const made: Record<string, unknown> = {};
    for (const [key, value] of inner) {
      // Not an assignment, because a feature may be called `__proto__`.
      const own = { value: arranged(value), enumerable: true, writable: true, configurable: true };
      Object.defineProperty(made, key, own);
    }
    return made;
  };
  return arranged(tree);
}

function isPair(tree: ColumnTree): tree is readonly [ColumnTree, ColumnTree] {
  return Array.isArray(tree);
}

/** Converts a batch. `originOf` returns the origin of each row, for errors. Leaves no tensors if it throws. */
export type BatchConversion = (batch: unknown, originOf: OriginOf) => TensorContainer;

/** Returns the conversion for `choice`: names of columns, or a function of the tensors. @throws TypeError */
export function conversionOf(choice: unknown, rules: TensorRules): BatchConversion {
  if (typeof choice === 'function') return computed(choice as (tensors: unknown) => unknown, rules);
  if (typeof choice !== 'object' || choice === null) {
    throw invalidArgType('choice', 'an object { xs, ys } of names, or a function', choice);
  }
  const { xs, ys } = checkOptions(choice as TensorChoice, ['xs', 'ys']);
  const chosen = { xs: namesOf('choice.xs', xs), ys: namesOf('choice.ys', ys) };
  return (batch, originOf) => {
    const tree = columnsOf(batch, rules, originOf);
    // A column in both `xs` and `ys` becomes two tensors, because fitDataset disposes of both.
    const inputs = pick(tree, chosen.xs, 'choice.xs');
    const targets = pick(tree, chosen.ys, 'choice.ys');
    const tensors = makeTensors([...inputs, ...targets], rules);
    return {
      xs: arranged(xs, chosen.xs, tensors.slice(0, inputs.length)),
      ys: arranged(ys, chosen.ys, tensors.slice(inputs.length)),
    };
  };
}

/** Returns a conversion that calls `fn` with all tensors of a batch, and disposes of those that it does not return. */
function computed(fn: (tensors: unknown) => unknown, rules: TensorRules): BatchConversion {
  return (batch, originOf) =>
    tfjsCore().tidy(() => {
      const made = fn(tensorsOf(columnsOf(batch, rules, originOf), rules));
      // The async function continues with disposed tensors and fails; its rejection must not count as unhandled.
      if (isPromise(made)) Promise.resolve(made).catch(() => undefined);
      else if (typeof made === 'object' && made !== null) return made as TensorContainer;
      throw invalidArgValue('choice', 'a function that returns an object of tensors, not a promise', made);
    });
}

/** True for a promise. A feature called `then` is a tensor, not a function. */
function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Pairs [key, name]. {@link arranged} puts the tensor of the column `name` at `key`. */
type Named = readonly (readonly [key: string, name: string])[];

function pick(tree: ColumnTree, names: Named, argument: string): BatchColumn[] {
  return names.map(([, name]) => columnNamed(tree, name, argument));
}

/** Arranges `tensors` like `given`: one tensor, an array, or an object. */
function arranged(given: TensorNames, names: Named, tensors: readonly Tensor[]): TensorContainer {
  if (typeof given === 'string') return tensors[0];
  if (Array.isArray(given)) return [...tensors];
  return Object.fromEntries(names.map(([key], i) => [key, tensors[i]!]));
}

function namesOf(argument: string, given: unknown): Named {
  const expected = 'a name, an array of names, or an object of names';
  if (typeof given === 'string') return [['', given]];
  if (typeof given !== 'object' || given === null) throw invalidArgType(argument, expected, given);
  return Object.entries(given).map(([key, name]) => {
    if (typeof name !== 'string') throw invalidArgType(argument, expected, given);
    return [key, name];
  });
}
