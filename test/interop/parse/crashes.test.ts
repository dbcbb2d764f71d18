/** Parses the inputs that crash TensorFlow 2.21, each in a process of its own: our outcome is an ordinary error. */
import type { FeatureJSON } from '../../../lib';
import { exampleOf, field, float32, looseFloats, sequenceOf, tag, varint } from '../../support/examples/wire';
import { ours, Peers, type ParseRequest } from './outcomes';
import type { SpecModel } from './model';

interface Crash {
  readonly name: string;
  readonly record: Uint8Array;
  readonly context?: Record<string, FeatureJSON>;
  readonly sequence?: Record<string, FeatureJSON>;
  readonly code: string;
  readonly words: RegExp;
}

/** Many unpacked floats. */
const MANY_FLOATS = Array.from({ length: 200_000 }, () => [...tag(1, 5), ...float32(1)]).flat();
const steps: FeatureJSON = { type: 'fixedLenSequence', dtype: 'float32', shape: [2, 0], allowMissing: true };
const CRASHES: readonly Crash[] = [
  {
    name: 'an unpacked float list longer than the shape',
    record: exampleOf({ a: field(2, MANY_FLOATS) }),
    context: { a: { type: 'fixedLen', dtype: 'float32', shape: [2] } },
    code: 'TFR_FEATURE',
    words: /expected 2 float32 values, found 200000/,
  },
  {
    name: 'a bytes element of length 0xffffffff',
    record: exampleOf({ a: field(1, [...tag(1, 2), ...varint(0xffff_ffff), 1]) }),
    context: { a: { type: 'varLen', dtype: 'bytes' } },
    code: 'TFR_EXAMPLE',
    words: /malformed/,
  },
  {
    name: 'fixedLenSequence with a 0 in its shape',
    record: exampleOf({ a: looseFloats(1) }),
    context: { a: steps },
    code: 'TFR_SPEC',
    words: /dimension 1 of the shape is 0/,
  },
  {
    name: 'fixedLenSequence of a list with a 0 in its shape',
    record: sequenceOf({}, { a: [looseFloats(1)] }),
    sequence: { a: steps },
    code: 'TFR_SPEC',
    words: /dimension 1 of the shape is 0/,
  },
];

const peers = new Peers();
afterAll(() => peers.close());

test.each(CRASHES)('$name', async ({ record, context = {}, sequence, code, words }) => {
  const model: SpecModel = { context, sequence: sequence ?? {} };
  const request: ParseRequest = {
    form: sequence === undefined ? 'example' : 'sequence',
    single: false,
    spec: sequence === undefined ? context : model,
    records: [Buffer.from(record).toString('hex')],
    canonical: false,
  };
  expect(ours(request, model)).toMatchObject({ error: expect.stringMatching(words) as string, thrown: { code } });
  expect(ours({ ...request, single: true }, model)).toMatchObject({ thrown: { code } });
  const [answer] = await peers.ask([request]);
  expect(answer).toMatchObject({
    raw: { surprise: expect.stringMatching(/crash: .*signal SIG(SEGV|FPE|ABRT)/) as string },
  });
});
