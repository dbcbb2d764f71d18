/** Parses the lists of Examples that are the records of TF-Ranking. */
import { types } from 'node:util';

import { checkOptions, invalidArgType, TFRecordError, viewOf } from '../../base';
import {
  exampleParser,
  LENGTH_DELIMITED,
  tagOf,
  WireReader,
  type Batch,
  type Element,
  type NoFeatures,
  type ParseOptions,
  type Spec,
} from '../../example';
import { givenLength, unsharedBytes } from '../../io';
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
  /** Parses records into columns. @throws like `parse`, for the first such record */
  readonly parseBatch: (records: Iterable<Uint8Array>) => ExampleListBatch<C, E, I, B>;
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
    const { context, examples } = partsOf(record);
    return {
      context: inPart('The context', () => contexts.parse(context)),
      examples: examples.map((example, i) => inPart(`Example ${i}`, () => items.parse(example))),
    };
  };
  const parseBatch = (records: Iterable<Uint8Array>): ExampleListBatch<C, E, I, B> => {
    const lists = Array.from(records, partsOf);
    const rowSplits = new Int32Array(lists.length + 1);
    for (const [i, { examples }] of lists.entries()) rowSplits[i + 1] = rowSplits[i]! + examples.length;
    return {
      context: contexts.parseBatch(lists.map(({ context }) => context)),
      examples: items.parseBatch(lists.flatMap(({ examples }) => examples)),
      rowSplits,
    };
  };
  return { name: NAME, parse, decode: parse, parseBatch };
}

/** The serialized Examples of a list. */
interface ListParts {
  readonly context: Uint8Array;
  readonly examples: readonly Uint8Array[];
}

/** @throws TFRecordError TFR_DECODE */
function partsOf(record: Uint8Array): ListParts {
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  const bytes = unsharedBytes(viewOf(record, 0, givenLength('record', record)));
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

/** Names the part of the list in the error of `parse`. */
function inPart<T>(part: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    const { code, feature, expected, found } = error;
    throw new TFRecordError(code, `${part} of the list: ${error.message}`, { feature, expected, found, cause: error });
  }
}
