import { basename } from 'node:path';

import { shardName } from '../../io';
import { sideName } from '../output/names';
import type { Job } from './job';
import type { ManifestOutput } from './manifest';
import type { Ranges } from './ranges';
import type { PlannedOutput } from './run';

/** Outputs that an earlier run finished, by name. */
export type FinishedOutputs = ReadonlyMap<string, ManifestOutput>;

/** The path or URL from which outputs are named, and the sides of the split. */
interface OutputNames {
  readonly output: string;
  readonly sides: readonly (string | undefined)[];
}

/** For each range the outputs of its sides, with their names. */
export function plannedOutputs(
  { plan: { shards, maxBytes, part } }: Job,
  { output, sides }: OutputNames,
  { ranges }: Ranges,
  kept: FinishedOutputs,
): PlannedOutput[][] {
  const numbered = shards !== undefined || maxBytes !== undefined || part !== undefined;
  const pathOf = (range: number, side: string | undefined): string => {
    if (numbered) return shardName(output, side, range, ranges.length);
    return side === undefined ? output : sideName(output, side);
  };
  return ranges.map((_, range) =>
    sides.map((side) => {
      const path = pathOf(range, side);
      return { path, side, finished: kept.get(basename(path)) };
    }),
  );
}
