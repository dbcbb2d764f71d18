import { TFRecordError, type Origin } from '../../base';

/** The reason why workers cannot continue. It is not the fault of an element, so `onError` cannot skip it. */
export class WorkerFault {
  /** The end of a sentence that begins with "A worker of mapWorker". */
  readonly what: string;
  readonly cause: unknown;

  constructor(what: string, cause?: unknown) {
    this.what = what;
    this.cause = cause;
  }
}

/** Returns the error if the workers of `stage` cannot continue. */
export function faultError(stage: string, module: string, { what, cause }: WorkerFault): TFRecordError {
  const why = cause === undefined ? '' : `: ${messageOf(cause)}`;
  return new TFRecordError('TFR_USER', `A worker of ${stage} ${what}${why}. It runs ${module}.`, { stage, cause });
}

/** Returns the error for an element at `stage` that cannot be cloned. */
export function unsendableError(stage: string, origin: Origin | undefined): TFRecordError {
  const where = origin === undefined ? '' : `, record ${origin.record} of ${origin.file},`;
  return new TFRecordError(
    'TFR_USER',
    `An element${where} cannot be sent to a worker of ${stage}: it holds a function, or something else that ` +
      'structuredClone refuses. Map it to plain values before.',
    { stage, file: origin?.file, record: origin?.record, offset: origin?.offset },
  );
}

/** Returns the message of a thrown value. Node passes errors of a thread on as objects that are not native errors. */
function messageOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown ? String(thrown.message) : String(thrown);
}
