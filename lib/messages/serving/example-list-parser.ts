/** Parses the lists of Examples that are the records of TF-Ranking. */
import { types } from 'node:util';

import {
  checkOptions,
  firstIndex,
  invalidArgType,
  isInstance,
  isList,
  messageOf,
  placedError,
  tfrecordError,
  TFRecordError,
  viewOf,
  worded,
} from '../../base';
import {
  exampleParser,
  LENGTH_DELIMITED,
  tagOf,
  WireReader,
  type Batch,
  type Element,
  type NoFeatures,
  type ParseOptions,
  type Records,
  type Spec,
} from '../../example';
import { givenLength, unsharedBytes } from '../../io';
import { RecordBatch } from '../../record';
import type { BytesAs, Int64As, ToObject } from '../../tensor';

const NAME = 'ExampleListWithContext';
const EXAMPLES = tagOf(1, LENGTH_DELIMITED);
const CONTEXT = tagOf(2, LENGTH_DELIMITED);

/** The specs of an {@link ExampleListParser}. */
export interface ExampleListSpec<C extends Spec, E extends Spec> {
  /** The features of the context. Default: none. */
  readonly context?: C | undefined;
  /** The features of each Example. */
  readonly examples: E;
}

/** A list as rows. */
export interface ExampleListRow<
  C extends Spec,
  E extends Spec,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
> {
  /** The features of the list itself. A record without a context has the defaults of its features. */
  readonly context: Element<C, I, B> & ToObject;
  /** Its items, in order. */
  readonly examples: (Element<E, I, B> & ToObject)[];
}

/** Lists as columns. */
export interface ExampleListBatch<
  C extends Spec,
  E extends Spec,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
> {
  /** The contexts: one row for each list. */
  readonly context: Batch<C, I, B> & ToObject;
  /** The Examples of all lists, one list after another. */
  readonly examples: Batch<E, I, B> & ToObject;
  /** The Examples of list i are the rows from `rowSplits[i]` to before `rowSplits[i + 1]` of `examples`. */
  readonly rowSplits: Int32Array<ArrayBuffer>;
}

/** Parses `ExampleListWithContext`s by two specs; {@link exampleListParser} returns it. Its functions need no `this`. */
export interface ExampleListParser<
  C extends Spec,
  E extends Spec,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
> {
  /** `ExampleListWithContext` */
  readonly name: string;
  /** Parses one record. @throws TFRecordError TFR_DECODE for other bytes; TFR_EXAMPLE and TFR_FEATURE, as `parseExample` */
  readonly parse: (record: Uint8Array) => ExampleListRow<C, E, I, B>;
  /** The same as `parse`, for `readMessages`. */
  readonly decode: (record: Uint8Array) => ExampleListRow<C, E, I, B>;
  /** Parses records into columns. @throws like `parse`, for the first such record, with its place */
  readonly parseBatch: (records: Records) => ExampleListBatch<C, E, I, B>;
}

/**
 * Returns a parser of `ExampleListWithContext`s, the records of TF-Ranking: each has Examples, such as the documents of a
 * search, and an Example with the features of their context, such as the query.
 *
 * `parse_from_example_list` of TF-Ranking gives each list the size of the longest, and fills it up; here a list has its
 * own length.
 * @throws TFRecordError TFR_SPEC for an invalid spec; TypeError for invalid options
 *
 * @example
 * const parser = exampleListParser({
 *   context: { query: varLen('text') },
 *   examples: { relevance: fixedLen([], 'float32', { default: 0 }) },
 * });
 * for await (const { context, examples } of readMessages('train-*.tfrecord', parser)) console.log(context, examples.length);
 */
export function exampleListParser<
  E extends Spec,
  C extends Spec = NoFeatures,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
>(spec: ExampleListSpec<C, E>, options?: ParseOptions<I, B>): ExampleListParser<C, E, I, B> {
  const { context: given, examples: wanted } = checkOptions<ExampleListSpec<C, E>>(
    spec,
    ['context', 'examples'],
    'spec',
  );
  const contexts = exampleParser<C, I, B>(given ?? ({} as C), options);
  const items = exampleParser<E, I, B>(wanted, options);

  const parse = (record: Uint8Array): ExampleListRow<C, E, I, B> => {
    const { context, examples } = partsOf(record, 'record');
    return {
      context: inPart(CONTEXT_PART, () => contexts.parse(context)),
      examples: examples.map((example, i) => inPart(examplePart(i), () => items.parse(example))),
    };
  };
  const parseBatch = (records: Records): ExampleListBatch<C, E, I, B> => {
    const { lists, rowSplits, fault } = listsOf(records);
    const context = columnsOf(
      () => contexts.parseBatch(lists.map((list) => list.context)),
      (row) => [row, CONTEXT_PART],
    );
    const examples = columnsOf(
      () => items.parseBatch(lists.flatMap((list) => list.examples)),
      (row) => {
        const list = firstIndex(rowSplits.length, (i) => rowSplits[i]! > row) - 1;
        return [list, examplePart(row - rowSplits[list]!)];
      },
    );
    if ('columns' in context && 'columns' in examples && fault === undefined)
      return { context: context.columns, examples: examples.columns, rowSplits };
    throw firstError(records, [context, examples, fault]);
  };
  return { name: NAME, parse, decode: parse, parseBatch };
}

/** A fault of the list at a row of the records. */
interface ListFault {
  readonly list: number;
  readonly error: TFRecordError;
}

/** The lists before the first that is malformed, and its fault. */
interface Lists {
  readonly lists: readonly ListParts[];
  readonly rowSplits: Int32Array<ArrayBuffer>;
  readonly fault: ListFault | undefined;
}

function listsOf(records: Records): Lists {
  if (!isInstance(records, RecordBatch) && !isList(records))
    throw invalidArgType('records', 'a RecordBatch or an array of Uint8Arrays', records);
  const lists: ListParts[] = [];
  let fault: ListFault | undefined;
  for (let list = 0; list < records.length && fault === undefined; list++) {
    try {
      lists.push(partsOf(records.at(list)!, `records[${list}]`));
    } catch (error) {
      if (!(error instanceof TFRecordError) || error.code !== 'TFR_DECODE') throw error;
      fault = { list, error };
    }
  }
  const rowSplits = new Int32Array(lists.length + 1);
  for (const [i, { examples }] of lists.entries()) rowSplits[i + 1] = rowSplits[i]! + examples.length;
  return { lists, rowSplits, fault };
}

/** Returns the columns, or the fault of the first row that cannot be parsed. `place`: the list of a row, and its part. */
function columnsOf<T>(
  parse: () => T,
  place: (row: number) => readonly [list: number, part: string],
): { readonly columns: T } | ListFault {
  try {
    return { columns: parse() };
  } catch (error) {
    // An error without a record is about all of them.
    if (!(error instanceof TFRecordError) || error.record === undefined) throw error;
    const [list, part] = place(error.record);
    return { list, error: partError(error, part) };
  }
}

/** Returns the error of the first list that has one, with its place. `parts` are in the order of `parse`. */
function firstError(records: Records, parts: readonly (object | undefined)[]): TFRecordError {
  const faults = parts.filter((part): part is ListFault => part !== undefined && 'error' in part);
  const { list, error } = faults.reduce((first, next) => (next.list < first.list ? next : first));
  if (isInstance(records, RecordBatch)) return placedError(error, records.origin(list)!);
  const { code, feature, expected, found } = error;
  const details = { record: list, feature, expected, found, cause: error };
  return tfrecordError(code, worded`Record ${list}: ${messageOf(error)}`, details);
}

/** The serialized Examples of a list. */
interface ListParts {
  readonly context: Uint8Array;
  readonly examples: readonly Uint8Array[];
}

/** `name`: of the argument. @throws TFRecordError TFR_DECODE */
function partsOf(record: Uint8Array, name: string): ListParts {
  if (!types.isUint8Array(record)) throw invalidArgType(name, 'a Uint8Array', record);
  const bytes = unsharedBytes(viewOf(record, 0, givenLength(name, record)));
  const reader = new WireReader(bytes, `an ${NAME}`, 'TFR_DECODE');
  const examples: Uint8Array[] = [];
  const contexts: Uint8Array[] = [];
  while (reader.position < bytes.length) {
    const tag = reader.tag(bytes.length);
    if (tag !== EXAMPLES && tag !== CONTEXT) {
      reader.skipField(tag, bytes.length, 0);
      continue;
    }
    const end = reader.contentEnd(bytes.length);
    (tag === EXAMPLES ? examples : contexts).push(bytes.subarray(reader.position, end));
    reader.position = end;
  }
  // Protobuf merges a message that comes several times, which is what its bytes in a row mean.
  return { examples, context: contexts.length === 1 ? contexts[0]! : Buffer.concat(contexts) };
}

const CONTEXT_PART = 'The context of the list';

function examplePart(index: number): string {
  return `Example ${index} of the list`;
}

/** Calls `parse` for one record, whose errors name the part of the list. */
function inPart<T>(part: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof TFRecordError && error.record !== undefined ? partError(error, part) : error;
  }
}

/** `error` of a record that is a part of a list, with the part in the place of the record. */
function partError(error: TFRecordError, part: string): TFRecordError {
  const { code, feature, expected, found, record } = error;
  const message = messageOf(error).withValue(`Record ${record}`, part);
  return tfrecordError(code, message, { feature, expected, found, cause: error });
}
