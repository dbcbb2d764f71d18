export { rowsOf } from './rows';
