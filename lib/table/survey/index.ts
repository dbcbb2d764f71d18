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
export {
  surveyBatches,
  surveyRecords,
  type FoundPicture,
  type Survey,
  type OwnSurvey,
  type SurveyCalls,
  type SurveySoFar,
} from './survey-records';
export { tableOfSurvey } from './table-of-survey';
