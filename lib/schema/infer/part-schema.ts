/** Schemas of parts of the records, saved to files and added up. */
import type { ClassifiedSource } from '../../io';
import type { DividedFiles, ReadPlan, ReadStats } from '../../record';
import { surveyRecords, type Survey } from '../../table';
import { MergedSurvey } from '../parts/merged-survey';
import { readPart, writePart } from '../parts/part-file';
import { surveyOf } from '../parts/survey-state';
import { invalidPart } from '../parts/values-state';
import type { InferredSchema } from '../schema';
import { describeSchema } from './infer-schema';
import { AllPictureSizes } from './pictures';

/** Writes what a schema needs of the records of `source` to the file `path`, for {@link mergeSchemas}. Returns their survey. */
export async function writeSchemaPart(
  path: string,
  source: ClassifiedSource,
  plan: ReadPlan,
  {
    slice,
    onProgress,
  }: {
    readonly slice: DividedFiles | undefined;
    readonly onProgress: ((progress: ReadStats) => void) | undefined;
  },
): Promise<Survey> {
  const sizes = new AllPictureSizes();
  const onPicture = ({ feature, bytes }: { feature: number; bytes: Uint8Array }): void => {
    sizes.look(feature, bytes);
  };
  const survey = await surveyRecords(source, plan, { onProgress, onPicture }, slice);
  await writePart(path, survey, {
    ofFeature: async (index, write) => {
      for (const size of sizes.of(index).all) {
        await write({ picture: { size: size === undefined ? [] : [size.width, size.height] } });
      }
    },
    signal: plan.signal,
  });
  return survey;
}

/**
 * The schema of all parts together: `paths` are their files, in order; `files`, the names of the files that they have read.
 * @throws TFRecordError TFR_STATE_MISMATCH for a file that is not one of a part
 */
export async function mergeSchemas(
  paths: readonly string[],
  files: readonly string[],
  signal: AbortSignal | undefined,
): Promise<InferredSchema> {
  const merged = new MergedSurvey();
  const sizes = new AllPictureSizes();
  for (const path of paths) {
    let last: number | undefined;
    await readPart(
      path,
      ({ totals, feature, picture }) => {
        if (totals !== undefined) merged.addTotals(totals);
        else if (feature !== undefined) last = merged.add(surveyOf(feature));
        else if (picture === undefined || last === undefined) throw invalidPart(path);
        else {
          const [width, height] = picture.size;
          sizes.add(last, () => (width === undefined || height === undefined ? undefined : { width, height }));
        }
      },
      signal,
    );
  }
  return describeSchema(merged.survey(files), sizes, undefined);
}
