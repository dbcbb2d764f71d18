/** Lines and records of CSV and of one length, found by native code: what a plain split of the whole content gives. */
import { createReadStream } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';

import { cutSequence } from '../../../../lib/dataset/sources/cut-records';
import { compressionNumber } from '../../../../lib/base';
import { classifySource, type RecordSource } from '../../../../lib/io';
import { csvFraming, fixedFraming, LINES, resolveReadOptions, type Framing } from '../../../../lib/record';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

interface Placed {
  readonly offset: number;
  readonly text: string;
}

/** The records of `source`, in slabs of `batchBytes`. */
async function recordsOf(source: RecordSource, framing: Framing, batchBytes: number | undefined): Promise<Placed[]> {
  const defaults = resolveReadOptions(undefined);
  const plan = { ...defaults, compression: compressionNumber('auto'), framing, batchBytes };
  const checks = { headRecords: 0, wantsHead: false };
  const sequence = cutSequence(classifySource(source), plan, checks, undefined);
  const records: Placed[] = [];
  for (let batch = await sequence.next(); batch !== undefined; batch = await sequence.next()) {
    for (let i = 0; i < batch.length; i++) {
      records.push({ offset: batch.origin(i)!.offset, text: Buffer.from(batch.at(i)!).toString('latin1') });
    }
  }
  return records;
}

/** `content`, split at the line ends that `ends` says are some. */
function split(content: string, ends: (at: number) => boolean): Placed[] {
  const records: Placed[] = [];
  let start = content.startsWith('\xef\xbb\xbf') ? 3 : 0;
  for (let at = start; at < content.length; at++) {
    if (content[at] !== '\n' || !ends(at)) continue;
    records.push({ offset: start, text: content.slice(start, at).replace(/\r$/, '') });
    start = at + 1;
  }
  if (start < content.length) records.push({ offset: start, text: content.slice(start) });
  return records;
}

/** The places of `content` that lie between the quotes of a field. */
function quotedPlaces(content: string): ReadonlySet<number> {
  const places = new Set<number>();
  const fields = /(^\xef\xbb\xbf|^|,|\n)(\r*(?:"(?:[^"]|"")*(?:"|$)))/g;
  for (let match = fields.exec(content); match !== null; match = fields.exec(content)) {
    const begin = match.index + match[1]!.length;
    for (let at = begin; at < begin + match[2]!.length; at++) places.add(at);
    fields.lastIndex = begin + match[2]!.length;
  }
  return places;
}

function integers(seed: number): () => number {
  const random = randoms(seed);
  return () => Math.floor(2 ** 31 * random());
}

function randomText(next: () => number, letters: string): string {
  const length = next() % (next() % 4 === 0 ? 20_000 : 300);
  return Array.from({ length }, () => letters[next() % letters.length]).join('');
}

async function expectEverywhere(content: string, framing: Framing, expected: readonly Placed[]): Promise<void> {
  const bytes = Buffer.from(content, 'latin1');
  const file = folder.put('some.txt', bytes);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(7 * i, 7 * i + 7));
  const sources: RecordSource[] = [bytes, pieces, new Blob([bytes]), createReadStream(file), file];
  if (bytes.length > 0) {
    sources.push(folder.put('some.gz', gzipSync(bytes)), folder.put('some.zz', deflateSync(bytes)));
  }
  for (const source of sources) expect(await recordsOf(source, framing, 64)).toEqual(expected);
  for (const batchBytes of [100, 4096, undefined]) expect(await recordsOf(file, framing, batchBytes)).toEqual(expected);
}

test('lines', async () => {
  const next = integers(1);
  for (let i = 0; i < 10; i++) {
    const content =
      (i % 3 === 0 ? '\xef\xbb\xbf' : '') + randomText(next, i % 2 === 0 ? 'ab\n\r' : 'abcdefghijklmnop\n');
    await expectEverywhere(
      content,
      LINES,
      split(content, () => true),
    );
  }
});

test('CSV', async () => {
  const next = integers(2);
  for (let i = 0; i < 10; i++) {
    const content = (i % 3 === 0 ? '\xef\xbb\xbf' : '') + randomText(next, i % 2 === 0 ? 'a",\n' : 'abcdefgh",,\n\r');
    const quoted = quotedPlaces(content);
    await expectEverywhere(
      content,
      csvFraming(0x2c),
      split(content, (at) => !quoted.has(at)),
    );
  }
});

test('records of one length', async () => {
  const next = integers(3);
  for (let i = 0; i < 10; i++) {
    const layout = {
      recordBytes: 1 + (next() % 200),
      headerBytes: next() % 100,
      footerBytes: next() % 100,
      hopBytes: 1 + (next() % 300),
    };
    const { recordBytes, headerBytes, footerBytes, hopBytes } = layout;
    const places = Array.from({ length: next() % 200 }, (_, n) => headerBytes + n * hopBytes);
    const end = places.length === 0 ? headerBytes : places.at(-1)! + recordBytes;
    let content = randomText(next, 'abcdefgh').padEnd(end, 'x').slice(0, end);
    const expected = places.map((offset) => ({ offset, text: content.slice(offset, offset + recordBytes) }));
    content += 'F'.repeat(footerBytes);
    await expectEverywhere(content, fixedFraming(layout), expected);
  }
});
