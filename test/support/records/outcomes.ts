import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ReadOptions } from '../../../lib';
import { WAYS_TO_READ, type Outcome } from './ways-to-read';
import { SOURCE_KINDS } from './source-kinds';

/** The expected outcome of reading some bytes from every source in every way. */
export interface Expected {
  /** The payloads that are delivered, in order. */
  readonly records: readonly (Uint8Array | string)[];
  readonly code?: string;
  readonly record?: number;
  readonly offset?: number;
}

/** Outcomes by `source / way`. */
export type Outcomes = Record<string, Outcome>;

/** Reads `bytes` from every source in every way. Pass `options` as a function if each reading needs its own. */
export async function readEverywhere(
  folder: string,
  bytes: Buffer,
  options: () => ReadOptions = () => ({}),
): Promise<Outcomes> {
  const path = join(folder, 'file.tfrecord');
  writeFileSync(path, bytes);
  const outcomes: Outcomes = {};
  for (const kind of SOURCE_KINDS) {
    for (const way of WAYS_TO_READ) {
      if (way.sync && !kind.sync) continue;
      outcomes[`${kind.name} / ${way.name}`] = await way.run(kind.make(path, bytes), options());
    }
  }
  return outcomes;
}

/** Returns the table of `readEverywhere`, filled with `expected`. */
export function everywhere(folder: string, expected: Expected): Outcomes {
  const path = join(folder, 'file.tfrecord');
  const outcomes: Outcomes = {};
  for (const kind of SOURCE_KINDS) {
    for (const way of WAYS_TO_READ) {
      if (way.sync && !kind.sync) continue;
      const { code, record, offset } = expected;
      const counted = code === undefined ? expected.records.length : undefined;
      outcomes[`${kind.name} / ${way.name}`] = {
        records:
          way.name === 'count' ? counted : expected.records.map((data) => Buffer.from(data as string).toString('hex')),
        code,
        record,
        offset,
        file: code === undefined ? undefined : kind.file(path),
      };
    }
  }
  return outcomes;
}
