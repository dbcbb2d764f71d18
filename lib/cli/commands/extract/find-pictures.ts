import type { TFRecordError } from '../../../base';
import { decodeSequenceExample, pictureFormat, type DecodedFeature } from '../../../example';
import type { FlagOptions } from '../../flags';
import { ofRecord, readBatches } from '../../read-batches';
import { UsageError } from '../../terminal/reporter';
import { lineText } from '../../terminal/text';

/** Number of records to check. */
const LOOKED_AT = 100;

/**
 * Returns the name of the one feature of the first records of `files` whose values are pictures.
 * @throws UsageError if there is none, or several, or if the records come from standard input, which is read only once;
 *   TFRecordError for the first fault, if there is none and records are damaged
 */
export async function findPictures(files: readonly string[], options: FlagOptions): Promise<string> {
  if (files.includes('-')) throw new UsageError('--feature is needed for standard input, which can be read only once');
  const found = new Set<string>();
  let left = LOOKED_AT;
  // Damage is reported by the extraction; here it matters only if no pictures are found.
  let fault: TFRecordError | undefined;
  const report = (error: TFRecordError): void => {
    fault ??= error;
  };
  const quiet: FlagOptions = { ...options, onError: { action: 'skip', maxRate: 1, report } };
  for (const file of files) {
    if (left === 0) break;
    await readBatches(file, { ...quiet, batchBytes: 256 * 1024, readAhead: 0 }, (batch) => {
      for (let i = 0; i < batch.length && left > 0; i++, left--) {
        const record = ofRecord(batch, i, quiet, () => decodeSequenceExample(batch.at(i)!));
        if (typeof record === 'string') continue;
        const { context, featureLists } = record.value;
        for (const [name, feature] of Object.entries(context)) if (hasPictures(feature)) found.add(name);
        for (const [name, steps] of Object.entries(featureLists)) if (steps.some(hasPictures)) found.add(name);
      }
      return left > 0;
    });
  }
  if (found.size === 0 && fault !== undefined) throw fault;
  const names = [...found].map((name) => lineText(JSON.stringify(name)));
  if (names.length === 1) return [...found][0]!;
  const where = `the first ${LOOKED_AT} records`;
  throw new UsageError(
    names.length === 0
      ? `no feature of ${where} holds pictures: --feature names the one to extract`
      : `several features of ${where} hold pictures: --feature names the one to extract, of ${names.join(', ')}`,
  );
}

function hasPictures(feature: DecodedFeature | undefined): boolean {
  return feature?.kind === 'bytes' && [...feature.values].some((value) => pictureFormat(value) !== undefined);
}
