/** Python's protobuf reads the lines of `convert({ to: 'protojson' })`, and we read those that it prints. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  Event,
  Example,
  float,
  int64,
  readRecords,
  SequenceExample,
} from '../../../lib';
import { convert } from '../../../lib/convert';
import { tfrecord } from '../../support/records/tfrecord';
import { Choices } from '../choices';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES } from '../../support/records/real-data';
import { Folder } from '../../support/records/record-files';
import { Peer } from '../peer';

interface Facts {
  readonly local: string;
  readonly proto: 'Example' | 'SequenceExample' | 'Event' | 'none';
}

const TYPES = { Example, SequenceExample, Event };
/** Records of a file that are compared. */
const MOST = 200;

const folder = new Folder();
let peer: Peer;
beforeAll(() => {
  peer = new Peer('messages/peer.py');
});
afterAll(async () => {
  folder.remove();
  await peer.close();
});

/** Sends `records`, which are `source` for `convert`, to Python and back: as our lines, and as those that Python prints. */
async function bothWays(
  records: readonly Uint8Array[],
  source: string | Uint8Array,
  type: keyof typeof TYPES,
): Promise<void> {
  const [file, theirs, back] = ['lines', 'theirs', 'back'].map((name) => folder.at(name)) as [string, string, string];
  await convert(source, file, { to: 'protojson', force: true });
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, records.length);
  const asked = records.slice(0, MOST).map((record, i) => {
    const text = TYPES[type].toText(TYPES[type].decode(record));
    return { bytes: Buffer.from(record).toString('hex'), json: lines[i], text };
  });
  const answers = await peer.exchange<{ json: boolean | string; theirs: { json: string } }[]>({
    op: 'forms',
    type,
    records: asked,
  });
  expect(answers.map(({ json }) => json)).toEqual(asked.map(() => true));
  writeFileSync(theirs, answers.map((answer) => `${answer.theirs.json}\n`).join(''));
  await convert(theirs, back, { from: 'protojson', force: true });
  const found: string[] = [];
  for await (const record of readRecords(back)) found.push(TYPES[type].toText(TYPES[type].decode(record)));
  expect(found).toEqual(asked.map(({ text }) => text));
}

const float32Of = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0]!;
/** Largest, smallest and subnormal numbers, and neighbours of powers of two, with both signs; values that are no numbers. */
const FLOATS = [
  ...[0, 1, 2, 0x7fffff, 0x800000, 0x800001, 0x3f800000, 0x4b7fffff, 0x4b800000, 0x7f7ffffe, 0x7f7fffff],
  ...Array.from({ length: 254 }, (_, exponent) => (exponent + 1) << 23),
].flatMap((bits) => [float32Of(bits), -float32Of(bits)]);

test('extremes of all kinds', async () => {
  const extreme = encodeExample({
    floats: float([...FLOATS, NaN, Infinity, -Infinity]),
    ints: int64([2n ** 63n - 1n, -(2n ** 63n), 0n, -1n, 2n ** 53n + 1n]),
    bytes: bytes(['', 'NaN', Uint8Array.from({ length: 256 }, (_, i) => i), '\u2028é"\\']),
    none: float([]),
    unset: [],
    '': int64([1]),
  });
  const sequence = encodeSequenceExample({
    context: { largest: float([float32Of(0x7f7fffff)]) },
    featureLists: { steps: [float([-float32Of(0x7f7fffff)]), float([]), []], none: [] },
  });
  const event = Event.encode({
    wallTime: 1.5,
    step: 2n,
    summary: { value: [{ tag: 'x', simpleValue: float32Of(0x7f7fffff) }] },
  });
  // Parts that come twice take the slow path of printing.
  const twice = Buffer.concat([extreme, encodeExample({ more: float([float32Of(0x7f7fffff), -0]) })]);
  const examples = [extreme, encodeExample({}), twice];
  await bothWays(examples, tfrecord(examples), 'Example');
  await bothWays([sequence], tfrecord([sequence]), 'SequenceExample');
  await bothWays([event], tfrecord([event]), 'Event');
});

test('random sets, from random bits of floats', async () => {
  const choices = new Choices(28);
  const records = choices.list(150, () =>
    encodeExample({
      f: float(
        choices
          .list(choices.below(6), () => float32Of(choices.bytes(4).readUInt32LE()))
          .map((value) => (Number.isNaN(value) ? NaN : value)),
      ),
      i: int64(choices.list(choices.below(3), () => choices.bytes(8).readBigInt64LE())),
      b: bytes(choices.list(choices.below(3), () => choices.bytes(choices.below(9)))),
    }),
  );
  await bothWays(records, tfrecord(records), 'Example');
});

const files = (REAL_FACTS as readonly Facts[]).filter(({ proto }) => proto !== 'none');
if (files.length === 0) test.todo(NO_REAL_FILES);
else {
  test.each(files)('$local', async ({ local, proto }) => {
    const type = proto as keyof typeof TYPES;
    const records: Uint8Array[] = [];
    for await (const record of readRecords(join(REAL_FILES, local))) records.push(record);
    await bothWays(records, join(REAL_FILES, local), type);
  });
}
