/** Compares the features of files from real projects with known digests. */
import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';

import { readRecordsSync } from '../../lib';
import {
  decodeExample,
  decodeSequenceExample,
  type DecodedFeatures,
  type DecodedSequenceExample,
  type Feature,
} from '../../lib/example';
import { BytesArray } from '../../lib/tensor';
import { compareUtf8 } from '../../lib/example/message';
import { tensorflow } from '../../lib/example/message/messages.generated';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES } from '../support/records/real-data';

interface Facts {
  readonly local: string;
  readonly proto: string;
  readonly features_digest: string | null;
}

const files = REAL_FACTS as readonly Facts[];

/** The facts about one name in one table. */
class Summary {
  readonly kinds = new Set<string>();
  present = 0;
  values = 0;
  readonly hash: Hash = createHash('sha256');

  add(feature: Feature | undefined): void {
    this.present++;
    this.kinds.add(feature?.kind ?? 'unset');
    if (feature === undefined) return;
    const { values } = feature;
    this.values += values.length;
    if (values instanceof BytesArray) {
      for (const value of values) this.hash.update(BigUint64Array.of(BigInt(value.length))).update(value);
    } else {
      this.hash.update(values);
    }
  }

  line(table: string, name: string): string {
    const kinds = [...this.kinds].sort().join('/');
    return `${[table, name, kinds, this.present, this.values, this.hash.digest('hex')].join('\t')}\n`;
  }
}

/** Computes the digest of a file: one line per name, names in byte order, table after table. */
class Digest {
  readonly #tables = new Map<string, Map<string, Summary>>();

  add(table: string, features: Record<string, Feature | undefined>): void {
    for (const name of Object.keys(features)) this.#summary(table, name).add(features[name]);
  }

  addLists(table: string, lists: Record<string, (Feature | undefined)[]>): void {
    for (const name of Object.keys(lists)) for (const step of lists[name]!) this.#summary(table, name).add(step);
  }

  finish(): string {
    const hash = createHash('sha256');
    for (const [table, names] of this.#tables) {
      for (const name of [...names.keys()].sort(compareUtf8)) hash.update(names.get(name)!.line(table, name));
    }
    return hash.digest('hex');
  }

  #summary(table: string, name: string): Summary {
    let names = this.#tables.get(table);
    if (names === undefined) this.#tables.set(table, (names = new Map()));
    let summary = names.get(name);
    if (summary === undefined) names.set(name, (summary = new Summary()));
    return summary;
  }
}

interface Decoder {
  readonly example: (record: Uint8Array) => DecodedFeatures;
  readonly sequenceExample: (record: Uint8Array) => DecodedSequenceExample;
}

function digestOf(path: string, proto: string, decoder: Decoder): string {
  const digest = new Digest();
  for (const record of readRecordsSync(path)) {
    if (proto === 'SequenceExample') {
      const { context, featureLists } = decoder.sequenceExample(record);
      digest.add('c', context);
      digest.addLists('l', featureLists);
    } else {
      digest.add('f', decoder.example(record));
    }
  }
  return digest.finish();
}

function fromMessage(message: tensorflow.Feature.$Properties): Feature | undefined {
  const { bytesList, floatList, int64List } = message;
  if (bytesList) return { kind: 'bytes', values: BytesArray.from(bytesList.value ?? []) };
  if (floatList) return { kind: 'float', values: Float32Array.from(floatList.value ?? []) };
  if (!int64List) return undefined;
  const values = (int64List.value ?? []) as unknown as { toBigInt(): bigint }[];
  return { kind: 'int64', values: BigInt64Array.from(values, (value) => value.toBigInt()) };
}

function mapped<T, U>(map: Record<string, T> | null | undefined, convert: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map ?? {}).map(([name, value]) => [name, convert(value)]));
}

const protobufjs: Decoder = {
  example: (record) => mapped(tensorflow.Example.decode(record).features?.feature, fromMessage),
  sequenceExample: (record) => {
    const { context, featureLists } = tensorflow.SequenceExample.decode(record);
    return {
      context: mapped(context?.feature, fromMessage),
      featureLists: mapped(featureLists?.featureList, (list) => (list.feature ?? []).map(fromMessage)),
    };
  },
};
const ours: Decoder = { example: decodeExample, sequenceExample: decodeSequenceExample };

if (files.length === 0) {
  test.todo(NO_REAL_FILES);
} else {
  const withFeatures = files.filter(({ features_digest }) => features_digest);
  test('ten of the files have features', () => expect(withFeatures.length).toBe(10));

  describe.each(withFeatures)('$local', ({ local, proto, features_digest }) => {
    const path = join(REAL_FILES, local);
    test('decodeExample', () => expect(digestOf(path, proto, ours)).toBe(features_digest));
    test('protobufjs', () => expect(digestOf(path, proto, protobufjs)).toBe(features_digest));
  });
}
