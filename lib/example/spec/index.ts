export { isSequenceSpec, sequenceSpecFromJSON, specFromJSON, specText, specToJSON } from './spec-json';
export { checkNotEmpty, checkSpec, type NamedFeature } from './validate-spec';
