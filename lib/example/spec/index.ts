export { sequenceSpecFromJSON, specFromJSON, specToJSON } from './spec-json';
export { checkNotEmpty, checkSpec, type NamedFeature } from './validate-spec';
