export { PageServer } from './page-server';
