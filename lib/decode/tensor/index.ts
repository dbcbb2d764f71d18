export { parseTensor, type ParseTensorOptions } from './parse-tensor';
export { serializeTensor, type SerializableDType, type SerializableTensor, type TensorData } from './serialize-tensor';
