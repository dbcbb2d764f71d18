export { Condition } from './condition';
