/**
 * The features of files from real projects, against the digests that were written down about them. The folder is what
 * TFRECORD_REAL_DATA names, else ../shared/data/real beside the repository; it is never part of the repository.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readRecordsSync } from '../../lib';
import { BytesArray, decodeExample, decodeSequenceExample, type Feature } from '../../lib/example';
import { compareUtf8 } from '../../lib/example/message';
import { tensorflow } from '../../lib/example/message/messages.generated';

interface Facts {
  readonly local: string;
  readonly proto: string;
  readonly features_digest: string | null;
}

const FOLDER = process.env['TFRECORD_REAL_DATA'] ?? join(__dirname, '..', '..', '..', 'shared', 'data', 'real');
const LIST = join(FOLDER, 'facts.json');
const there = existsSync(LIST);
const files = there ? (JSON.parse(readFileSync(LIST, 'utf8')) as Facts[]) : [];

/** What is known of one name in one table. */
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

/** The digest of a whole file: a line a name, names in byte order, table after table. */
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
  readonly example: typeof decodeExample;
  readonly sequenceExample: typeof decodeSequenceExample;
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

if (!there) {
  test.todo(`real files: no facts.json in the folder of TFRECORD_REAL_DATA or ../shared/data/real: skipped`);
} else {
  const withFeatures = files.filter(({ features_digest }) => features_digest);
  test('ten of the files have features', () => expect(withFeatures.length).toBe(10));

  describe.each(withFeatures)('$local', ({ local, proto, features_digest }) => {
    const path = join(FOLDER, local);
    test('decodeExample', () => expect(digestOf(path, proto, ours)).toBe(features_digest));
    test('protobufjs', () => expect(digestOf(path, proto, protobufjs)).toBe(features_digest));
  });
}
