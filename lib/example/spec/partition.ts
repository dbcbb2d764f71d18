/** How a feature of a record cuts values, or the rows of the partition after it, into rows. */
export type Partition =
  | {
      /**
       * What the feature at `key` holds, for the rows `[a][][b c d]`: `rowSplits` 0 1 1 4, `rowLengths` 1 0 3, `rowStarts`
       * 0 1 1, `rowLimits` 1 1 4, `valueRowIds` 0 2 2 2.
       */
      readonly by: 'rowSplits' | 'rowLengths' | 'rowStarts' | 'rowLimits' | 'valueRowIds';
      /** Name of an int64 feature. */
      readonly key: string;
    }
  | {
      /** Rows of one length; they need no feature. */
      readonly by: 'uniformRowLength';
      /** Length of every row, 1 or more. */
      readonly length: number;
    };

/** The partitions that a feature of the record tells. */
export const KEYED_PARTITIONS = ['rowSplits', 'rowLengths', 'rowStarts', 'rowLimits', 'valueRowIds'] as const;
