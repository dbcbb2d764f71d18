export { Host, type ServeOptions } from './host';
export type { FileOptions } from './viewed-file';
