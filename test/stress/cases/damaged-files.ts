/**
 * Reads mutants of files, and some unchanged files, each in two ways. Delivered records must come from the original, in
 * order, and both ways must agree. Arguments: seed, number of mutants. Prints each violation with the number that makes
 * the mutant again, then how many were read, and how they ended.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';

import { argument, say } from '../../support/running/case';
import {
  encodeExample,
  fixedLen,
  int64,
  readExamples,
  readRecords,
  readRecordsSync,
  RecordReader,
  TFRecordError,
  type ReadOptions,
} from '../../../lib';
import { randoms } from '../../support/randoms';
import { Folder } from '../../support/records/record-files';
import { ownMember, pieces, tfrecord } from '../../support/records/tfrecord';

const SLOW_MS = 5000;
const [seed, mutants] = [Number(argument(0)), Number(argument(1))];
/** Number of mutants that are read at the same time. */
const AT_ONCE = 8;
const folder = new Folder();

type Pick = (below: number) => number;

/** An original file. `numberOf`: the number of each record, by its bytes in hexadecimal. */
interface Original {
  readonly bytes: Buffer;
  readonly numberOf: ReadonlyMap<string, number>;
}

function originalOf(pick: Pick): Original {
  const longest = [8, 60, 900][pick(3)]!;
  const records = Array.from({ length: pick(30) }, (_, number) =>
    encodeExample({
      id: int64(number),
      text: Array.from({ length: 1 + pick(longest) }, () => String.fromCharCode(97 + pick(26))).join(''),
    }),
  );
  const numberOf = new Map(records.map((record, number) => [Buffer.from(record).toString('hex'), number]));
  const content = tfrecord(records);
  const half = Math.floor(records.length / 2);
  const halves = [records.slice(0, half), records.slice(half)] as const;
  const layouts: readonly (() => Buffer)[] = [
    () => content,
    () => gzipSync(content),
    () => deflateSync(content),
    () => gzipSync(content, { level: 0 }),
    () => Buffer.concat(halves.map((part) => gzipSync(tfrecord(part)))),
    () => Buffer.concat(halves.map((part) => deflateSync(tfrecord(part)))),
    () => Buffer.concat(halves.map((part) => ownMember(tfrecord(part), part.length))),
  ];
  return { bytes: (layouts[pick(layouts.length)] as () => Buffer)(), numberOf };
}

/** Returns `bytes` with one change. `moves`: true if whole records may come twice or in another order because of it. */
function changed(bytes: Buffer, pick: Pick): { readonly bytes: Buffer; readonly moves: boolean } {
  const at = pick(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + pick([4, 40, 1000][pick(3)]!));
  const before = bytes.subarray(0, at);
  const piece = bytes.subarray(at, end);
  const behind = bytes.subarray(end);
  const noise = Buffer.from(Array.from({ length: 1 + pick(40) }, () => pick(256)));
  switch (pick(8)) {
    case 0:
      return { bytes: Buffer.from(before), moves: false };
    case 1:
      return { bytes: Buffer.concat([before, behind]), moves: false };
    case 2:
      return { bytes: Buffer.concat([before, noise, piece, behind]), moves: false };
    case 3:
      return { bytes: Buffer.concat([before, piece, piece, behind]), moves: true };
    case 4: {
      const length = pick(behind.length + 1);
      return {
        bytes: Buffer.concat([before, behind.subarray(0, length), piece, behind.subarray(length)]),
        moves: true,
      };
    }
    case 5:
      return { bytes: Buffer.concat([before, Buffer.alloc(piece.length), behind]), moves: false };
    default: {
      const copy = Buffer.from(bytes);
      if (at < copy.length) copy[at] = copy[at]! ^ (1 << pick(8));
      return { bytes: copy, moves: false };
    }
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

interface Reading {
  readonly path: string;
  readonly bytes: Buffer;
  readonly options: ReadOptions;
  readonly original: Original;
  readonly found: string[];
}

const SPEC = { id: fixedLen([], 'int64'), text: fixedLen([], 'bytes') };

function foundExample({ found }: Reading, id: bigint, text: Uint8Array): void {
  found.push(hex(encodeExample({ id: int64(id), text })));
}

const WAYS: Readonly<Record<string, (reading: Reading) => Promise<void> | void>> = {
  async records({ path, options, found }) {
    for await (const record of readRecords(path, options)) found.push(hex(record));
  },
  async batches({ path, options, found }) {
    const reader = await RecordReader.open(path, options);
    for await (const batch of reader.batches()) for (const record of batch) found.push(hex(record));
  },
  async 'small slabs'({ path, options, found }) {
    const reader = await RecordReader.open(path, { ...options, batchBytes: 4096, readAhead: 1 });
    for await (const batch of reader.batches()) for (const record of batch) found.push(hex(record));
  },
  async bytes({ bytes, options, found }) {
    for await (const record of readRecords(bytes, options)) found.push(hex(record));
  },
  async stream({ bytes, options, found }) {
    for await (const record of readRecords(pieces(bytes, 1 + (bytes.length % 97)), options)) found.push(hex(record));
  },
  async 'web stream'({ bytes, options, found }) {
    for await (const record of readRecords(new Blob([new Uint8Array(bytes)]).stream(), options))
      found.push(hex(record));
  },
  sync({ path, options, found }) {
    for (const record of readRecordsSync(path, options)) found.push(hex(record));
  },
  async examples(reading) {
    for await (const { id, text } of readExamples(reading.path, SPEC, reading.options)) foundExample(reading, id, text);
  },
  async 'batches of examples'(reading) {
    const { path, options, bytes } = reading;
    for await (const batch of readExamples(path, SPEC, options).batches(1 + (bytes.length % 7))) {
      for (const [row, id] of batch.id.entries()) foundExample(reading, id, batch.text.at(row) as Uint8Array);
    }
  },
};

interface Outcome {
  readonly found: readonly string[];
  readonly code: string | undefined;
}

/** Returns the outcome of reading. @throws an error without a code */
async function outcomeOf(way: string, reading: Omit<Reading, 'found'>): Promise<Outcome> {
  const found: string[] = [];
  try {
    await WAYS[way]?.({ ...reading, found });
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    return { found, code: error.code };
  }
  return { found, code: undefined };
}

/** Returns what is wrong; undefined if all records found are in the original, and in order unless parts moved. */
function wrongIn({ found }: Outcome, { numberOf }: Original, moved: boolean): string | undefined {
  let last = -1;
  for (const record of found) {
    const number = numberOf.get(record);
    if (number === undefined) return `no such record: ${record}`;
    if (!moved && number <= last) return `record ${number} behind ${last}`;
    last = number;
  }
  return undefined;
}

/** Returns what is wrong with reading an unchanged original; undefined if nothing is. */
function lossOf({ found, code }: Outcome, { numberOf }: Original): string | undefined {
  const all = code === undefined && found.join() === [...numberOf.keys()].join();
  return all ? undefined : `${found.length} of ${numberOf.size} records, then ${code}`;
}

const ends: Record<string, number> = {};
/** The start time of each mutant that is being read. */
const begun = new Map<number, number>();
let next = 0;
const watch = setInterval(() => {
  for (const [mutant, since] of begun) {
    if (performance.now() - since < SLOW_MS) continue;
    say({ bad: 'takes too long', seed, mutant });
    process.exit(1);
  }
}, 1000);

async function attack(number: number): Promise<void> {
  const random = randoms(seed * 1_000_003 + number);
  const pick: Pick = (below) => Math.floor(random() * below);
  const original = originalOf(pick);
  let { bytes } = original;
  let moved = false;
  let whole = true;
  for (let changes = pick(20) === 0 ? 0 : 1 + pick(3); changes > 0; changes--) {
    whole = false;
    const change = changed(bytes, pick);
    bytes = change.bytes;
    moved ||= change.moves;
  }
  const path = folder.at(String(number));
  writeFileSync(path, bytes);
  const options: ReadOptions = { onError: pick(2) === 0 ? 'throw' : 'skip' };
  const names = Object.keys(WAYS);
  const first = names[pick(names.length)]!;
  const second = names[pick(names.length)]!;
  const outcomes = [
    await outcomeOf(first, { path, bytes, options, original }),
    await outcomeOf(second, { path, bytes, options, original }),
  ] as const;
  const about = { seed, mutant: number, ways: [first, second], ...options };
  for (const outcome of outcomes) {
    const wrong = whole ? lossOf(outcome, original) : wrongIn(outcome, original, moved);
    if (wrong !== undefined) say({ bad: wrong, ...about });
  }
  const [one, other] = outcomes;
  const same = one.code === other.code && one.found.join() === other.found.join();
  if (!same) say({ bad: [one, other].map(({ found, code }) => ({ found: found.length, code })), ...about });
  ends[one.code ?? 'end'] = (ends[one.code ?? 'end'] ?? 0) + 1;
}

async function attacks(): Promise<void> {
  while (next < mutants) {
    const number = next++;
    begun.set(number, performance.now());
    try {
      await attack(number);
    } catch (error) {
      say({ bad: String((error as Error).stack).slice(0, 600), seed, mutant: number });
    }
    begun.delete(number);
    rmSync(folder.at(String(number)));
  }
}

async function main(): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, attacks));
  clearInterval(watch);
  folder.remove();
  say({ mutants, ends });
}

void main();
