export { encodeExamples, type ExampleColumns } from './encode-examples';
