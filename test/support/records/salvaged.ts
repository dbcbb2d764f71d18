/** Salvages files, for tests that know their records: each begins with its number. */
import { RecordReader, type LostRegion, type TFRecordError } from '../../../lib';

/** Records of their number and random bytes, some of them long. */
export function somePayloads(random: () => number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    const size = random() < 0.01 ? 2000 * random() : 200 * random();
    const payload = Buffer.alloc(4 + Math.floor(size));
    payload.writeUInt32LE(i);
    for (let at = 4; at < payload.length; at++) payload[at] = 256 * random();
    return payload;
  });
}

export interface Salvaged {
  readonly records: readonly Uint8Array[];
  /** Offsets of the records' headers. */
  readonly places: readonly number[];
  /** Their numbers in the file, as far as the reader knows them. */
  readonly counted: readonly number[];
  readonly regions: readonly LostRegion[];
  readonly errors: readonly TFRecordError[];
  readonly lostBytes: number;
}

export async function salvage(path: string): Promise<Salvaged> {
  const errors: TFRecordError[] = [];
  const onError = { action: 'salvage', report: (error: TFRecordError) => void errors.push(error) } as const;
  const records: Uint8Array[] = [];
  const places: number[] = [];
  const counted: number[] = [];
  const reader = await RecordReader.open(path, { onError });
  for await (const batch of reader.batches()) {
    for (let i = 0; i < batch.length; i++) {
      const { offset, record } = batch.origin(i)!;
      records.push(batch.at(i)!.slice());
      places.push(offset);
      counted.push(record);
    }
  }
  const regions = errors.map(({ region }) => region!);
  return { records, places, counted, regions, errors, lostBytes: reader.stats.lostBytes };
}

/** Returns the numbers of `records`; -1 for those that are not one of `payloads`. */
export function numbersOf(records: readonly Uint8Array[], payloads: readonly Buffer[]): number[] {
  return records.map((record) => {
    const number = record.length < 4 ? -1 : Buffer.from(record).readUInt32LE();
    return payloads[number]?.equals(record) === true ? number : -1;
  });
}
