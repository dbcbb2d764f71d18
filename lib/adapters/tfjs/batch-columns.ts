import { invalidArgType, invalidArgValue, isList } from '../../base';
import { isRow } from '../../tensor';
import { columnValues, isTensorData, stackRows, type HostValues } from './host-values';
import { checkNames, listed, misfit, type OriginOf, type BatchPart, type TensorRules } from './rules';

/** A named column of a batch. Its values are converted on demand. */
export interface BatchColumn {
  readonly place: BatchPart;
  /** @throws TFRecordError TFR_FEATURE if the values cannot become a tensor. */
  values(): HostValues;
}

/** The columns of a batch, nested as in the batch. A labeled batch is a pair: the columns of the features, and the label. */
export type ColumnTree = BatchColumn | ReadonlyMap<string, ColumnTree> | readonly [ColumnTree, ColumnTree];

/**
 * Returns the columns of `batch`. `originOf` returns the origin of each row. @throws TypeError if `batch` is not a
 * batch, or lacks a column that `rules` refer to.
 */
export function columnsOf(batch: unknown, rules: TensorRules, originOf: OriginOf | undefined): ColumnTree {
  const place = (path: readonly string[]): BatchPart => ({ name: path.join('.'), originOf });
  const ofColumns = (value: unknown, path: readonly string[]): ColumnTree => {
    if (Array.isArray(value)) return ofRows(value, path);
    if (isObject(value)) return new Map(Object.keys(value).map((key) => [key, ofColumns(value[key], [...path, key])]));
    const at = place(path);
    if (typeof value !== 'object' || value === null) {
      throw path.length === 0
        ? invalidArgType('batch', 'a batch: columns, or an array of rows', value)
        : misfit(at, 'a column', String(value), 'Batch the dataset first');
    }
    return { place: at, values: () => columnValues(at, value, rules) ?? refuse(at, value) };
  };
  const ofRows = (rows: readonly unknown[], path: readonly string[], of?: boolean): ColumnTree => {
    const [first] = rows;
    if (!isRowObject(first)) {
      const at = { ...place(path), parsed: of };
      return { place: at, values: () => stackRows(at, rows, rules) };
    }
    const parsed = of === true || rows.every((row) => typeof row === 'object' && row !== null && isRow(row));
    const inner = (key: string): ColumnTree => {
      const at = { ...place([...path, key]), parsed };
      const values = rows.map((row, index) => {
        if (isRowObject(row) && Object.hasOwn(row, key)) return row[key];
        throw misfit({ ...at, row: index }, 'a value, as in the first row', 'none');
      });
      return ofRows(values, [...path, key], parsed);
    };
    return new Map(Object.keys(first).map((key) => [key, inner(key)]));
  };
  if (Array.isArray(batch) && batch.length === 0) throw invalidArgValue('batch', 'an array of at least one row', batch);
  const tree = isLabeled(batch)
    ? ([ofColumns(batch[0], ['0']), ofColumns(batch[1], ['1'])] as const)
    : ofColumns(batch, []);
  checkNames(rules, namesIn(tree));
  return tree;
}

/** Returns all columns of `tree`, in order. */
export function allColumns(tree: ColumnTree): BatchColumn[] {
  if ('place' in tree) return [tree];
  return [...tree.values()].flatMap(allColumns);
}

/** Returns the column called `name`. @throws TypeError ERR_INVALID_ARG_VALUE if it is missing. */
export function columnNamed(tree: ColumnTree, name: string, argument: string): BatchColumn {
  const found = allColumns(tree).find(({ place }) => place.name === name);
  if (found === undefined) throw invalidArgValue(argument, `one of ${listed(namesIn(tree))}`, name);
  return found;
}

function namesIn(tree: ColumnTree): string[] {
  return allColumns(tree).map(({ place }) => place.name);
}

function refuse(place: BatchPart, value: object): never {
  if (isRow(value)) {
    throw misfit(place, 'columns, or an array of rows', 'a row', 'Batch the dataset first, or give toTensors([row])');
  }
  throw misfit(place, 'a column, rows, or an object of these', `an instance of ${value.constructor.name}`);
}

/**
 * True for a labeled batch of `Dataset.examples`: unlike it, an array of rows never has an object first and a column
 * second.
 */
function isLabeled(batch: unknown): batch is readonly [object, object] {
  if (!isList(batch) || batch.length !== 2) return false;
  const [features, label] = batch;
  return isObject(features) && typeof label === 'object' && !Array.isArray(label) && !isObject(label);
}

/** True for a row that was parsed, or that a function returned. */
function isRowObject(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null && isRow(value)) || isObject(value);
}

/** True for a plain object of columns or values that is not itself a column. */
function isObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Also true for plain objects of other realms.
  return (prototype === null || Object.getPrototypeOf(prototype) === null) && !isTensorData(value);
}
