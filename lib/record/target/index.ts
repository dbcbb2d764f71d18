export type { Output } from './output';
export { classifyTarget, type ClassifiedTarget, type WriteTarget } from './write-target';
