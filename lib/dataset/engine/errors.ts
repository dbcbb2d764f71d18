import { TFRecordError, type Origin } from '../../base';

/** Returns the error for a callback of the user that threw or rejected with `cause`, at `stage`. */
export function userError(stage: string, origin: Origin | undefined, cause: unknown): TFRecordError {
  const where = origin === undefined ? '' : ` for record ${origin.record} of ${origin.file}, byte ${origin.offset}`;
  const what = textOf(cause);
  return new TFRecordError('TFR_USER', `The function given to ${stage} failed${where}: ${what}`, {
    stage,
    file: origin?.file,
    record: origin?.record,
    offset: origin?.offset,
    cause,
  });
}

function textOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return 'with what has no text';
  }
}

/** Thrown if a batch cannot be made because of its element `index`; the elements before are valid. */
export class ElementFault extends Error {
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super('an element of a batch is at fault', { cause });
    this.index = index;
  }
}
