export { parseTensor, type ParseTensorOptions } from './parse-tensor';
export { serializeTensor, type SerializableTensor, type TensorData } from './serialize-tensor';
