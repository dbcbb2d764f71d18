export type {
  BytesSummary,
  Extent,
  FeatureSurvey,
  FloatSummary,
  Int64Summary,
  KindCounts,
  PictureFormat,
} from './feature-survey';
export { surveyRecords, type FoundPicture, type Survey, type SurveyCalls, type SurveySoFar } from './survey-records';
