/**
 * Parses files from real projects by specs made from the known facts: varLen for every feature, and fixedLen where the
 * count is constant. The numbers and hashes of the values must match the facts.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES } from '../support/records/real-data';

import {
  BytesArray,
  DenseTensor,
  fixedLen,
  fixedLenSequence,
  parseExample,
  parseSequenceExample,
  readExamples,
  readRecordsSync,
  RecordReader,
  SparseTensor,
  varLen,
  type ContextSpec,
  type DType,
  type SequenceSpec,
  type Spec,
} from '../../lib';
import { partOf } from '../../lib/tensor';

/** The facts about a feature. Its counts are the least and the most values of a record, or of a step. */
interface FeatureFacts {
  readonly count: readonly [number, number];
  readonly kind: string;
  readonly present: number;
  readonly sha256: string;
  readonly values: number;
}
type Table = Readonly<Record<string, FeatureFacts>>;
interface Facts {
  readonly local: string;
  readonly proto: string;
  readonly records: number;
  readonly features?: Table;
  readonly context?: Table;
  readonly feature_lists?: Table;
}
type Known = Pick<FeatureFacts, 'values' | 'sha256'>;

const files = REAL_FACTS as readonly Facts[];
const examples = files.filter(({ features }) => features !== undefined);
const sequences = files.filter(({ feature_lists }) => feature_lists !== undefined);

const DTYPES: Readonly<Record<string, DType>> = { bytes: 'bytes', float: 'float32', int64: 'int64' };
/** Returns the dtype of a feature. One that is unset everywhere has no values, so any dtype fits. */
const dtypeOf = ({ kind }: FeatureFacts): DType => DTYPES[kind.split('/')[0]!] ?? 'bytes';
const isFixed = ({ count, kind }: FeatureFacts): boolean => kind in DTYPES && count[0] === count[1] && count[0] > 0;

type Column = BytesArray | Float32Array | BigInt64Array;

/** Collects the values of each feature, part by part. */
class Values {
  readonly #found = new Map<string, { count: number; hash: ReturnType<typeof createHash> }>();

  add(name: string, column: Column): void {
    const found = this.#found.get(name) ?? { count: 0, hash: createHash('sha256') };
    this.#found.set(name, found);
    found.count += column.length;
    if (!(column instanceof BytesArray)) found.hash.update(column);
    else for (const value of column) found.hash.update(BigUint64Array.of(BigInt(value.length))).update(value);
  }

  addBatch(batch: object): void {
    for (const [name, value] of Object.entries(batch)) this.add(name, columnOf(value));
  }

  get all(): Record<string, Known> {
    return Object.fromEntries(
      [...this.#found].map(([name, { count, hash }]) => [name, { values: count, sha256: hash.digest('hex') }]),
    );
  }
}

/** A value of a row, or a column of a batch. */
function columnOf(value: unknown): Column {
  if (value instanceof SparseTensor) return value.values as Column;
  if (value instanceof DenseTensor) return value.data as Column;
  if (typeof value === 'bigint') return BigInt64Array.of(value);
  if (typeof value === 'number') return Float32Array.of(value);
  return value instanceof Uint8Array ? BytesArray.from([value]) : (value as Column);
}

const known = (table: Table): Record<string, Known> =>
  Object.fromEntries(Object.entries(table).map(([name, { values, sha256 }]) => [name, { values, sha256 }]));

const specOf = <F>(table: Table, make: (facts: FeatureFacts) => F): Record<string, F> =>
  Object.fromEntries(Object.entries(table).map(([name, facts]) => [name, make(facts)]));
/** Returns the shape of a feature: [] for one value. */
const shapeOf = ({ count: [n] }: FeatureFacts): readonly number[] => (n === 1 ? [] : [n]);

const varLens = (table: Table) => specOf(table, (facts) => varLen(dtypeOf(facts)));
/** Returns fixedLen for features with the same count in every record, else varLen. */
const fixedLens = (table: Table, records: number) =>
  specOf(table, (facts) =>
    isFixed(facts) && facts.present === records ? fixedLen(shapeOf(facts), dtypeOf(facts)) : varLen(dtypeOf(facts)),
  );
const countFixed = (spec: Spec): number => Object.values(spec).filter((feature) => 'shape' in feature).length;

if (files.length === 0) {
  test.todo(NO_REAL_FILES);
} else {
  test('most of the features have a constant count', () => {
    const specs = examples.map(({ features, records }) => fixedLens(features!, records));
    const total = (count: (spec: Spec) => number): number => specs.reduce((sum, spec) => sum + count(spec), 0);
    expect([total(countFixed), total((spec) => Object.keys(spec).length)]).toEqual([41, 56]);
    expect([examples.length, sequences.length]).toEqual([8, 2]);
  });

  describe.each(examples)('$local', ({ local, features, records }) => {
    const path = join(REAL_FILES, local);
    describe.each<[string, Spec]>([
      ['varLen', varLens(features!)],
      ['fixedLen where the count is constant', fixedLens(features!, records)],
    ])('as %s', (_name, spec) => {
      const wanted = known(features!);

      test('readExamples, batches', async () => {
        const found = new Values();
        for await (const batch of readExamples(path, spec).batches(64)) found.addBatch(batch);
        expect(found.all).toEqual(wanted);
      });

      test('readExamples, rows', async () => {
        const found = new Values();
        let rows = 0;
        for await (const row of readExamples(path, spec)) {
          for (const name of Object.keys(spec)) found.add(name, columnOf(row[name]));
          rows++;
        }
        expect(rows).toBe(records);
        expect(found.all).toEqual(wanted);
      });

      test('parseExample', async () => {
        const found = new Values();
        const reader = await RecordReader.open(path);
        for await (const batch of reader.batches()) found.addBatch(parseExample(batch, spec));
        expect(found.all).toEqual(wanted);
      });
    });
  });

  describe.each(sequences)('$local', ({ local, context, feature_lists: lists, records }) => {
    const all = [...readRecordsSync(join(REAL_FILES, local))];

    test('as varLen', () => {
      const spec = { context: varLens(context!), sequence: varLens(lists!) };
      const parsed = parseSequenceExample(all, spec);
      const [inContext, inLists] = [new Values(), new Values()];
      inContext.addBatch(parsed.context);
      inLists.addBatch(parsed.sequence);
      expect(inContext.all).toEqual(known(context!));
      expect(inLists.all).toEqual(known(lists!));
    });

    test('as fixedLen and fixedLenSequence where the count is constant', () => {
      const spec: { context: ContextSpec; sequence: SequenceSpec } = {
        context: fixedLens(context!, records),
        sequence: specOf(lists!, (facts) =>
          isFixed(facts) ? fixedLenSequence(shapeOf(facts), dtypeOf(facts)) : varLen(dtypeOf(facts)),
        ),
      };
      expect(countFixed(spec.context)).toBe(Object.keys(context!).length);
      expect(countFixed(spec.sequence)).toBeGreaterThan(0);
      const parsed = parseSequenceExample(all, spec);
      const [inContext, inLists] = [new Values(), new Values()];
      inContext.addBatch(parsed.context);
      const lengths: Readonly<Record<string, Int32Array>> = parsed.lengths;
      for (const [name, value] of Object.entries(parsed.sequence)) {
        if (value instanceof DenseTensor) addSteps(inLists, name, value, lengths[name]!);
        else inLists.add(name, columnOf(value));
      }
      expect(inContext.all).toEqual(known(context!));
      expect(inLists.all).toEqual(known(lists!));
    });
  });
}

/** Adds the steps of each record, without the padding. */
function addSteps(values: Values, name: string, { shape, data }: DenseTensor<DType>, lengths: Int32Array): void {
  const width = data.length / lengths.length;
  const size = width / shape[1]!;
  lengths.forEach((length, row) => values.add(name, columnOf(partOf(data, row * width, row * width + length * size))));
}
