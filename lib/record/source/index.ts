export type { ChunkPull } from './chunk-pull';
export { expandPath, expandPathSync, type ExpandedPath } from './expand-paths';
export { leftoverOf } from './leftovers';
export { pullBytes } from './pull-bytes';
export { pullDevice } from './pull-device';
export { pullNodeStream } from './pull-node-stream';
export { pullPipe } from './pull-pipe';
export {
  classifySource,
  readableSource,
  type ClassifiedSource,
  type NamedPath,
  type RecordSource,
} from './record-source';
export { countedName, suffixesAt } from './shards';
