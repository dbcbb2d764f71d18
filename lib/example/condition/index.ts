export { Condition, type ConditionValues } from './condition';
