export { Host } from './host';
export type { FileOptions } from './viewed-file';
export { filesIn } from './files-in';
