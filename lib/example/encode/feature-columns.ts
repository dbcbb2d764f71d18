import type { FeatureDetails } from '../spec';
import type { ColumnValues } from './column-values';
import { encodeFixedLen, encodeSequence } from './encode-dense';
import { encodeRagged } from './encode-ragged';
import { encodeSparse, encodeVarLen } from './encode-sparse';

/** A column that a caller gave for a feature: `countRows` has found it to be of the right class and shape. */
export interface GivenColumn {
  /** What errors call it: `columns["tags"]`. */
  readonly name: string;
  readonly feature: string;
  readonly value: unknown;
  readonly rows: number;
}

/** What is written for a feature, one for each of its keys: the values first. */
export function featureColumns(given: GivenColumn, details: FeatureDetails): readonly ColumnValues[] {
  switch (details.kind) {
    case 'fixedLen':
      return [encodeFixedLen(given, details)];
    case 'fixedLenSequence':
      return [encodeSequence(given, details)];
    case 'varLen':
      return [encodeVarLen(given, details)];
    case 'sparse':
      return encodeSparse(given, details);
    case 'ragged':
      return encodeRagged(given, details);
  }
}
