/** Why workers can do nothing more: no fault of an element, so nothing is skipped for it. */
export class WorkerFault {
  /** What happened: goes on behind "A worker of mapWorker". */
  readonly what: string;
  readonly cause: unknown;

  constructor(what: string, cause?: unknown) {
    this.what = what;
    this.cause = cause;
  }
}
