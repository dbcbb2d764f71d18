export { encodeExamples } from './encode-examples';
