import { aside, tfrecordError, type TFRecordError, worded } from '../../base';

/** Returns the error of calls on a writer that has ended. */
export function closedError(
  { file }: { readonly file: string },
  state: 'closed' | 'aborted' | 'dropped',
): TFRecordError {
  const cure = aside`: open another one to write more`;
  return tfrecordError('TFR_CLOSED', worded`The writer of ${file} was ${state}${cure}.`, { file });
}

/** Returns a promise that rejects with `error`. */
export function rejection(error: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason of a signal may be anything
  return Promise.reject(error);
}

/** Returns `promise`; its rejection does not count as unhandled. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
