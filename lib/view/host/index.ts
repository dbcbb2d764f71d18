export { Host, type HostOptions, type ServeOptions } from './host';
export type { FileOptions } from './viewed-file';
