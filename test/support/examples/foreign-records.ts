/** Records of messages that are no Examples, as their writers make them. */
import { encodeExample, float, int64 } from '../../../lib';
import { field, float32, record, tag, text, varint, type Wire } from './wire';

const wire = (message: Uint8Array): Wire => [...message];

const query = encodeExample({ query: 'shoes', length: int64(5) });
const documents = [
  encodeExample({ title: 'red shoes', price: float(19.5) }),
  encodeExample({ title: 'hats', price: float(7) }),
];

/** TF-Ranking's: its examples, and its context. */
export const listWithContext = record(...documents.map((document) => field(1, wire(document))), field(2, wire(query)));
/** One example with one feature, and no context: a single field 1, like an Example. */
export const listOfOne = record(field(1, wire(encodeExample({ title: 'one' }))));
/** Without examples: a single field 2, like a SequenceExample. */
export const contextOnly = record(field(2, wire(query)));

const modelSpec = (...version: Wire): Wire => [...field(1, text('ranker')), ...version];
const versioned = modelSpec(...field(2, tag(1, 0), varint(7)));
const input = field(1, ...documents.map((document) => field(1, wire(document))));

/** TensorFlow Serving's, of a call of Predict, with metadata. */
export const predictLog = record(
  field(1, field(1, versioned), field(2, tag(1, 1), [0, 0, 0, 0, 0, 0, 0xf0, 0x3f])),
  field(
    6,
    field(1, field(1, versioned), field(2, field(1, text('x')), field(2, tag(1, 0), [1], field(5, float32(1))))),
    field(2, field(1, field(1, text('y')), field(2, tag(1, 0), [1], field(5, float32(2))))),
  ),
);
/** Of a call of Classify, without metadata: it has the form of a SequenceExample with an unreadable name. */
export const classifyLog = record(field(2, field(1, field(1, modelSpec()), field(2, input))));

/** DeepVariant's: a variant, the indices of its alleles, and likelihoods. */
export const callVariants = record(
  field(1, field(6, text('A')), field(7, text('T')), [...tag(13, 0), ...varint(1001)], field(14, text('chr20'))),
  field(2, field(1, [0])),
  field(3, [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
);

/** A message with other fields than those of an Example. */
export const otherMessage = record(field(3, text('value')), [...tag(4, 0), ...varint(300)]);

/** By the words that errors have for them. */
export const foreignRecords: readonly (readonly [name: string, message: RegExp, record: Uint8Array])[] = [
  ['a list with context', /seems to be an ExampleListWithContext of TF-Ranking/, listWithContext],
  ['a list of one example', /seems to be an ExampleListWithContext of TF-Ranking/, listOfOne],
  ['a context without examples', /seems to be an ExampleListWithContext of TF-Ranking/, contextOnly],
  ['a log of Predict', /seems to be a PredictionLog of TensorFlow Serving/, predictLog],
  ['a log of Classify', /seems to be a PredictionLog of TensorFlow Serving/, classifyLog],
  ['called variants', /seems to be a message of another type/, callVariants],
  ['a message of other fields', /seems to be a message of another type/, otherMessage],
];
