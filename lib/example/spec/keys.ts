/** Which features of a record a feature of a spec reads. */
import type { DType } from '../../tensor';
import type { FeatureDetails } from './details';

/** One feature of a record, as a feature of a spec reads it. */
export interface KeyUse {
  readonly key: string;
  readonly dtype: DType;
  /** Features of two groups cannot read one key. */
  readonly group: 'dense' | 'sparse' | 'ragged';
  /** Of ragged features, which must agree on it. */
  readonly rowSplitsDtype?: 'int32' | 'int64';
}

/** The keys that feature `name` reads: its values first. */
export function keysOf(name: string, details: FeatureDetails): readonly KeyUse[] {
  const { dtype } = details;
  switch (details.kind) {
    case 'fixedLen':
    case 'fixedLenSequence':
      return [{ key: name, dtype, group: 'dense' }];
    case 'varLen':
      return [{ key: name, dtype, group: 'sparse' }];
    case 'sparse':
      return [
        { key: details.valueKey, dtype, group: 'sparse' },
        ...details.indexKeys.map((key): KeyUse => ({ key, dtype: 'int64', group: 'sparse' })),
      ];
    case 'ragged': {
      const { rowSplitsDtype } = details;
      const uses: KeyUse[] = [{ key: details.valueKey ?? name, dtype, group: 'ragged', rowSplitsDtype }];
      for (const partition of details.partitions) {
        if (partition.by === 'uniformRowLength') continue;
        uses.push({ key: partition.key, dtype: 'int64', group: 'ragged', rowSplitsDtype });
      }
      return uses;
    }
  }
}
