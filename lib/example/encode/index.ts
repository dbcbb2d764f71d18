export { exampleEncoder, type ExampleRow } from './example-encoder';
export { encodeExamples, type EncodeExamplesOptions, type ExampleColumns } from './encode-examples';
export { EncodeMemory } from './encode-memory';
export { sequenceExampleEncoder, type SequenceRowParts } from './sequence-encoder';
