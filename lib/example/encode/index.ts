export { encodeExamples, type EncodeExamplesOptions, type ExampleColumns } from './encode-examples';
