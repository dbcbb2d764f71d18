export {
  fewestValues,
  fixedCount,
  isInAll,
  isText,
  PICTURE_FORMATS,
  surveyedKind,
  type BytesSummary,
  type Extent,
  type FeatureSurvey,
  type FloatSummary,
  type Int64Summary,
  type KindCounts,
  type PictureFormat,
  type SurveyedKind,
} from './feature-survey';
export { mergeSurveys } from './merge-surveys';
export { PartialSurvey, surveyBatches, surveyRecords } from './survey-records';
export type { FoundPicture, OwnSurvey, Survey, SurveyCalls, SurveyFindings, SurveySoFar } from './survey-total';
export { tableOfSurvey } from './table-of-survey';
