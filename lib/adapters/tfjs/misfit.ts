import { TFRecordError } from '../../errors';
import type { Origin } from '../../record';

/** Where the record of a row lies, if that is known. */
export type OriginOf = (row: number) => Origin | undefined;

/** What of a batch is looked at. */
export interface Place {
  /** The column; '' for a batch that is one. */
  readonly name: string;
  readonly row?: number | undefined;
  /** True if parsing made the row: a Uint8Array in it is a byte string. */
  readonly parsed?: boolean | undefined;
  readonly originOf?: OriginOf | undefined;
}

/**
 * TFR_FEATURE: what is at `place` becomes no tensor. `advice`: what to do, a sentence without its full stop. Where it is not
 * known which record the row was, `record` is the number of the row.
 */
export function misfit(place: Place, expected: string, found: string, advice?: string): TFRecordError {
  const { name, row } = place;
  const origin = row === undefined ? undefined : place.originOf?.(row);
  const what = name === '' ? 'The batch' : `Feature ${JSON.stringify(name)}`;
  return new TFRecordError(
    'TFR_FEATURE',
    `${what}${where(row, origin)} becomes no tensor: expected ${expected}, found ${found}.` +
      (advice === undefined ? '' : ` ${advice}.`),
    {
      feature: name === '' ? undefined : name,
      file: origin?.file,
      record: origin?.record ?? row,
      offset: origin?.offset,
      expected,
      found,
    },
  );
}

function where(row: number | undefined, origin: Origin | undefined): string {
  if (origin !== undefined) return ` in record ${origin.record} of ${origin.file} (byte ${origin.offset})`;
  return row === undefined ? '' : ` in row ${row} of the batch`;
}
