export type { ChunkPull } from './chunk-pull';
export { expandPath, expandPathSync, type ExpandedPath } from './expand-paths';
export { pullBytes } from './pull-bytes';
export { pullDevice } from './pull-device';
export { pullNodeStream } from './pull-node-stream';
export { pullPipe } from './pull-pipe';
export { classifySource, type ClassifiedSource, type NamedPath, type RecordSource } from './record-source';
