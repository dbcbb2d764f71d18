/** Statistics, schemas and validation in parts, for the job that makes and merges them. */
export { checkNames } from '../feature-names';
export { mergeSchemas, writeSchemaPart } from '../infer/part-schema';
export { sliceByJson, sliceByOf } from '../statistics/slices/slice-by';
export { mergeStatistics, writeStatisticsPart } from '../statistics/part-statistics';
export {
  mergeValidations,
  partValidation,
  writeValidationPart,
  type PartValidation,
} from '../validate/part-validation';
