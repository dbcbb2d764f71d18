/** Damaged bytes: whatever protobufjs refuses is refused, and whatever it accepts has the same values. */
import fc from 'fast-check';

import { decodeExample, decodeSequenceExample, type Feature, type TFRecordError } from '../../../../lib';
import { tensorflow } from '../../../../lib/example/message/messages.generated';
import { plainDecoded, plainMessage } from './plain-features';
import { anyExample, anySequenceExample } from './wire';

type Change = readonly [place: number, how: 'set' | 'insert' | 'remove', value: number];

const change: fc.Arbitrary<Change> = fc.tuple(fc.nat(), fc.constantFrom('set', 'insert', 'remove'), fc.nat(255));
const changes = fc.array(change, { minLength: 1, maxLength: 3 });

function damage(record: Uint8Array, all: readonly Change[]): Uint8Array {
  const bytes = [...record];
  for (const [place, how, value] of all) {
    const at = place % (bytes.length + 1);
    if (how === 'set' && at < bytes.length) bytes[at] = value;
    else bytes.splice(at, how === 'remove' ? 1 : 0, ...(how === 'insert' ? [value] : []));
  }
  return Uint8Array.from(bytes);
}

/**
 * Reasons that protobufjs does not share: it reads longer tags and lengths than protobuf, and cut integers; and it takes
 * the fields of another type of record as unknown ones.
 */
const STRICTER =
  /is longer than (5|10) bytes|larger than 32 bits|This is (a SequenceExample|an Example|an Event of)|seems to be/;

function judged<T>(ours: () => T, theirs: () => unknown): T | undefined {
  let decoded: T;
  try {
    decoded = ours();
  } catch (error) {
    const { code, message } = error as TFRecordError;
    expect(code).toBe('TFR_EXAMPLE');
    // Native code refused it, and what words the error found why.
    expect(message).not.toContain('malformed');
    if (!STRICTER.test(message)) expect(theirs).toThrow();
    return undefined;
  }
  theirs();
  return decoded;
}

/** Where a kind comes back, protobufjs joins what protobuf takes anew: only the kind is compared then. */
function expectSame(feature: Feature | undefined, message: tensorflow.Feature.$Properties): void {
  const lists = [message.bytesList, message.floatList, message.int64List].filter(
    (list) => list !== null && list !== undefined,
  );
  const [ours, theirs] = [plainDecoded(feature), plainMessage(message)];
  if (lists.length < 2) expect(ours).toEqual(theirs);
  else expect(ours!.kind).toBe(theirs!.kind);
}

type Messages = Readonly<Record<string, tensorflow.Feature.$Properties>>;

function expectFeatures(features: Readonly<Record<string, Feature | undefined>>, messages: Messages): void {
  expect(Object.keys(features).sort()).toEqual(Object.keys(messages).sort());
  for (const [name, feature] of Object.entries(features)) expectSame(feature, messages[name]!);
}

test('Examples', () => {
  fc.assert(
    fc.property(anyExample, changes, (record, all) => {
      const damaged = damage(record, all);
      const theirs = (): tensorflow.Example => tensorflow.Example.decode(damaged);
      const features = judged(() => decodeExample(damaged), theirs);
      if (features !== undefined) expectFeatures(features, theirs().features?.feature ?? {});
    }),
    { numRuns: 4000 },
  );
});

test('SequenceExamples', () => {
  fc.assert(
    fc.property(anySequenceExample, changes, (record, all) => {
      const damaged = damage(record, all);
      const theirs = (): tensorflow.SequenceExample => tensorflow.SequenceExample.decode(damaged);
      const decoded = judged(() => decodeSequenceExample(damaged), theirs);
      if (decoded === undefined) return;
      const message = theirs();
      expectFeatures(decoded.context, message.context?.feature ?? {});
      const lists = message.featureLists?.featureList ?? {};
      expect(Object.keys(decoded.featureLists).sort()).toEqual(Object.keys(lists).sort());
      for (const [name, steps] of Object.entries(decoded.featureLists)) {
        const messages = lists[name]!.feature ?? [];
        expect(steps.length).toBe(messages.length);
        steps.forEach((step, i) => expectSame(step, messages[i]!));
      }
    }),
    { numRuns: 4000 },
  );
});
