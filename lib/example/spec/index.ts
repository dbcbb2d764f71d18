export { isSequenceSpec, sequenceSpecFromJSON, specFromJSON, specOfJSON, specText, specToJSON } from './spec-json';
export { checkNotEmpty, checkSpec, type NamedFeature } from './validate-spec';
