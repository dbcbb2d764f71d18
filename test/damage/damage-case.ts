import type { ReadOptions } from '../../lib';
import type { Expected } from '../support/outcomes';

/** Bytes, and what reading them gives. */
export interface DamageCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly expected: Expected;
  /** Fresh options for each reading: policies count. */
  readonly options?: () => ReadOptions;
}
