import { advice, asWrongUse, named, type TFRecordError, tfrecordError, worded } from '../../base';

const REPLACES = advice` ${named('force', 'force', true)} replaces it.`;

/** The error about something at `path` that must not be replaced. `how`: advice. */
export function existsError(path: string, how = REPLACES): TFRecordError {
  return asWrongUse(tfrecordError('EEXIST', worded`EEXIST: '${path}' exists.${how}`, { file: path }));
}
