import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ReadOptions } from '../../lib';
import { everywhere, readEverywhere, type Expected } from '../support/records/outcomes';

/** Bytes, and the expected outcome of reading them. */
export interface DamageCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly expected: Expected;
  /** Makes fresh options for each reading, because policies count. */
  readonly options?: () => ReadOptions;
}

/** True if a source of single bytes would take seconds for it, so that the case belongs in the slow tier. */
export const isLong = ({ bytes }: DamageCase): boolean => bytes.length > 30_000;

/** Reads cases from every source in every way, in a folder that is deleted after the test file. */
export function damageReader(): (damage: DamageCase, bytes?: Buffer) => Promise<void> {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tfr-damage-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  return async ({ expected, options, ...damage }, bytes = damage.bytes) => {
    const outcomes = await readEverywhere(folder, bytes, options);
    expect(outcomes).toEqual(everywhere(folder, expected));
  };
}
