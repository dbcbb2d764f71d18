export { Dataset, type DatasetReadOptions, type FilesOptions } from './dataset';
