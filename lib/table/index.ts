export {
  COLUMN_ADVICE,
  datesNote,
  misfitOf,
  SpecFault,
  useOf,
  type ColumnChoice,
  type ColumnReading,
} from './column-reading';
export { isoTexts, microsecondsOf, type DateType, type RefuseDate } from './dates';
export { columnsText, COLUMNS_KEY, describedTable, type DescribedTable } from './described-table';
export { encodeTable } from './encode-table';
export { joinTables, tableBytes } from './join-batches';
export {
  parseTable,
  readTable,
  readTableSync,
  type PlacedBatch,
  type TableReader,
  type TableReadOptions,
} from './read-table';
export { columnNames, newTable, tableOfPlan, type FeatureColumn, type Table, type TableColumn } from './table';
export { tableComposer, textFault, type TableBatch, type Vector } from './vectors';
export {
  fewestValues,
  fixedCount,
  isInAll,
  isText,
  mergeSurveys,
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
  PartialSurvey,
  surveyBatches,
  surveyRecords,
  type FoundPicture,
  type Survey,
  type OwnSurvey,
  type SurveyCalls,
  type SurveyFindings,
  type SurveySoFar,
  tableOfSurvey,
} from './survey';
