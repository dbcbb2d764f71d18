import { quoted } from '../spec';

/** A record that parses, but of which a feature cannot be composed. Whoever knows the records says which one it is. */
export class FeatureFault extends Error {
  /** The record's number in the piece. */
  readonly row: number;
  readonly feature: string;
  readonly expected: string;
  readonly found: string;
  readonly advice: string;

  constructor(row: number, feature: string, expected: string, found: string, advice = '') {
    super(`Feature ${quoted(feature)}: expected ${expected}, found ${found}${advice === '' ? '' : `; ${advice}`}`);
    this.row = row;
    this.feature = feature;
    this.expected = expected;
    this.found = found;
    this.advice = advice;
  }

  /** The same about record `row`. */
  at(row: number): FeatureFault {
    const { feature, expected, found, advice } = this;
    return new FeatureFault(row, feature, expected, found, advice);
  }
}
