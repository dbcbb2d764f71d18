/** `onError: 'salvage'` against a model: each byte of a small file is damaged, cut out, and moved. */
import { RecordReader, type LostRegion, type TFRecordError } from '../../lib';
import { FRAMING_BYTES, offsets, tfrecord } from '../support/records/tfrecord';

const TEXTS = ['first', '', 'third record', 'x', 'fifth one'];
const FILE = tfrecord(TEXTS);
const PLACES = offsets(TEXTS);

interface Outcome {
  readonly texts: string[];
  readonly numbers: number[];
  /** Bytes of the records with their framing. */
  readonly framed: number;
  readonly lost: number;
  readonly regions: LostRegion[];
}

async function salvaged(bytes: Uint8Array): Promise<Outcome> {
  const regions: LostRegion[] = [];
  const report = ({ region }: TFRecordError): void => {
    if (region !== undefined) regions.push(region);
  };
  const reader = await RecordReader.open(bytes, { onError: { action: 'salvage', report } });
  const texts: string[] = [];
  const numbers: number[] = [];
  let framed = 0;
  for await (const batch of reader.batches()) {
    for (let i = 0; i < batch.length; i++) {
      texts.push(Buffer.from(batch.at(i)!).toString());
      numbers.push(batch.origin(i)!.record);
      framed += batch.at(i)!.length + FRAMING_BYTES;
    }
  }
  return { texts, numbers, framed, lost: reader.stats.lostBytes, regions };
}

/** True for the records that lie outside of `from` to before `to`. */
const outside = (from: number, to: number) => (_: string, i: number) => PLACES[i + 1]! <= from || PLACES[i]! >= to;

/** The file with `bytes` in place of those between `from` and `to`, and the records that must come back. */
type Injury = readonly [name: string, bytes: Uint8Array, whole: string[]];

function injury(name: string, from: number, to: number, bytes: Uint8Array): Injury {
  const damaged = Buffer.concat([FILE.subarray(0, from), bytes, FILE.subarray(to)]);
  return [`${name} at ${from}, ${to - from} bytes`, damaged, TEXTS.filter(outside(from, to))];
}

function* injuries(): Generator<Injury> {
  for (let at = 0; at <= FILE.length; at++) {
    yield [`cut at ${at}`, FILE.subarray(0, at), TEXTS.filter((_, i) => PLACES[i + 1]! <= at)];
    // An inserted 1 before the record without data would make a record of one byte with a damaged length.
    for (const value of [0, 255]) yield injury(`insert ${value}`, at, at, Uint8Array.of(value));
    for (const flip of [1, 0x10, 0x80, 0xff]) {
      if (at < FILE.length) yield injury(`flip ${flip}`, at, at + 1, Uint8Array.of(FILE[at]! ^ flip));
    }
    for (let size = 1; at + size <= FILE.length; size += 4) yield injury('remove', at, at + size, new Uint8Array(0));
  }
}

test('records that no injury touched come back, in order, and the report adds up to the file', async () => {
  const wrong: unknown[] = [];
  let cases = 0;
  for (const [name, bytes, whole] of injuries()) {
    cases++;
    const { texts, numbers, framed, lost, regions } = await salvaged(bytes);
    let found = 0;
    for (const text of texts) if (text === whole[found]) found++;
    const isRight =
      found === whole.length &&
      texts.every((text) => TEXTS.includes(text)) &&
      numbers.every((number, i) => number > (numbers[i - 1] ?? -1)) &&
      framed + lost === bytes.length &&
      regions.reduce((sum, { start, end }) => sum + (end ?? NaN) - start, 0) === lost;
    if (!isRight) wrong.push({ name, texts, numbers, framed, lost, regions });
  }
  expect(wrong).toEqual([]);
  expect(cases).toBeGreaterThan(2000);
});
