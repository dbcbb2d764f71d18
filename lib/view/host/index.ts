export { Host, type ServeOptions } from './host';
export type { FileOptions } from './viewed-file';
export { filesIn, type FilesInOptions, type LeftOut } from './files-in';
