import { quoted } from '../spec';

/** A record that parses, but of which a feature cannot be composed. Whoever knows the records says which one it is. */
export class FeatureFault extends Error {
  /** The record's number in the piece. */
  readonly row: number;
  readonly feature: string;
  readonly expected: string;
  readonly found: string;

  constructor(row: number, feature: string, expected: string, found: string, advice = '') {
    super(`Feature ${quoted(feature)}: expected ${expected}, found ${found}${advice === '' ? '' : `; ${advice}`}`);
    this.row = row;
    this.feature = feature;
    this.expected = expected;
    this.found = found;
  }
}
