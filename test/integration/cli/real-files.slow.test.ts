/** Runs the command on files from real projects, and compares the outcomes with known facts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isLosslessNumber, parse } from 'lossless-json';

import { runCli } from '../../support/running/run-cli';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES } from '../../support/records/real-data';

interface Facts {
  readonly local: string;
  readonly compression: 'none' | 'gzip' | 'zlib';
  readonly size: number;
  readonly records: number;
  readonly payload_bytes: number;
  readonly record_len: readonly [number, number] | null;
  readonly proto: 'Example' | 'SequenceExample' | 'Event' | 'none';
  /** Undefined for files without features. */
  readonly features_digest?: string;
}

const files = REAL_FACTS as readonly Facts[];

/** A feature as `--kinds --full` prints it. */
type Printed = Record<string, readonly unknown[]> | null;

/** Computes the digest of the facts from printed records. It covers every name, kind, count and value. */
class FeaturesDigest {
  readonly #rows = new Map<
    string,
    { kinds: Set<string>; present: number; values: number; hash: ReturnType<typeof createHash> }
  >();

  add(table: string, features: Record<string, Printed>): void {
    for (const [name, feature] of Object.entries(features)) this.#feature(`${table}\t${name}`, feature);
  }

  addLists(table: string, lists: Record<string, readonly Printed[]>): void {
    for (const [name, steps] of Object.entries(lists)) {
      for (const step of steps) this.#feature(`${table}\t${name}`, step);
    }
  }

  digest(): string {
    const hash = createHash('sha256');
    const keys = [...this.#rows.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const key of keys) {
      const { kinds, present, values, hash: valueHash } = this.#rows.get(key)!;
      hash.update(`${key}\t${[...kinds].sort().join('/')}\t${present}\t${values}\t${valueHash.digest('hex')}\n`);
    }
    return hash.digest('hex');
  }

  #feature(key: string, feature: Printed): void {
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = { kinds: new Set(), present: 0, values: 0, hash: createHash('sha256') };
      this.#rows.set(key, row);
    }
    row.present++;
    const [kind, values] = feature === null ? ['unset', []] : Object.entries(feature)[0]!;
    row.kinds.add(kind);
    row.values += values.length;
    for (const value of values) row.hash.update(rawValue(kind, value));
  }
}

/** Returns the bytes of a value that the facts hash. */
function rawValue(kind: string, value: unknown): Buffer {
  if (kind === 'bytes') {
    const bytes =
      typeof value === 'string' ? Buffer.from(value) : Buffer.from((value as { base64: string }).base64, 'base64');
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(bytes.length));
    return Buffer.concat([length, bytes]);
  }
  const digits = isLosslessNumber(value) ? value.toString() : String(value);
  const buffer = Buffer.alloc(kind === 'float' ? 4 : 8);
  if (kind === 'float') buffer.writeFloatLE(Number(digits));
  else buffer.writeBigInt64LE(BigInt(digits));
  return buffer;
}

// Jest refuses an empty table.
if (files.length === 0) it.todo(NO_REAL_FILES);
else
  describe.each(files)('$local', (facts) => {
    const path = join(REAL_FILES, facts.local);

    it('info tells what is known about it', async () => {
      const { code, stdout, stderr } = await runCli(['info', '--json', path]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({
        compression: facts.compression,
        fileBytes: facts.size,
        records: facts.records,
        bytes: facts.payload_bytes,
        recordType: facts.proto === 'none' ? null : facts.proto,
        fault: null,
      });
      const { recordBytes } = JSON.parse(stdout);
      expect(recordBytes === null ? null : [recordBytes.min, recordBytes.max]).toEqual(facts.record_len);
    });

    it('verify and count agree, by path and through standard input', async () => {
      expect(await runCli(['verify', path])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok: /) });
      expect(await runCli(['count', path])).toMatchObject({ code: 0, stdout: `${facts.records}\n` });
      expect(await runCli(['count', '-'], { input: readFileSync(path) })).toMatchObject({
        code: 0,
        stdout: `${facts.records}\n`,
      });
    });

    it('cat prints every value of every record', async () => {
      const { code, stdout } = await runCli(['cat', '--full', '--kinds', path]);
      expect(code).toBe(0);
      const lines = stdout.split('\n').slice(0, -1);
      expect(lines).toHaveLength(facts.records);
      const digest = new FeaturesDigest();
      for (const line of lines) {
        const record = parse(line) as Record<string, never>;
        expect(Object.keys(record)).toEqual(
          { Example: ['features'], SequenceExample: ['context', 'featureLists'], Event: ['event'], none: [] }[
            facts.proto
          ],
        );
        if (facts.proto === 'Example') digest.add('f', record['features']!);
        if (facts.proto === 'SequenceExample') {
          digest.add('c', record['context']!);
          digest.addLists('l', record['featureLists']!);
        }
      }
      if (facts.features_digest !== undefined) expect(digest.digest()).toBe(facts.features_digest);
    });
  });
