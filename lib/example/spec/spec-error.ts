import { TFRecordError, type TFRecordErrorDetails } from '../../errors';

/** TFR_SPEC: `what` is wrong with a spec, or with feature `details.feature` of it. */
export function specError(
  what: string,
  details: Pick<TFRecordErrorDetails, 'feature' | 'expected' | 'found' | 'cause'> = {},
): TFRecordError {
  const { feature } = details;
  return new TFRecordError('TFR_SPEC', feature === undefined ? what : `Feature ${quoted(feature)}: ${what}`, details);
}

/** The same error, saying that it is about `feature`; other errors as they are. */
export function aboutFeature(feature: string, error: unknown): unknown {
  if (!(error instanceof TFRecordError) || error.code !== 'TFR_SPEC' || error.feature !== undefined) return error;
  return specError(error.message, { feature, expected: error.expected, found: error.found, cause: error });
}

/** A name in double quotes, cut where it is long. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}
