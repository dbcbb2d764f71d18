import { messageType, type MessageType } from './message-type';

/** tensorflow.TensorProto as a plain object. Its values are in `tensorContent` or in the list of their type. */
export interface TensorProtoMessage {
  /** Number of the DataType: 1 float32, 7 string, 9 int64 … */
  dtype: number;
  /** Absent: a scalar. */
  tensorShape?: TensorShapeMessage | undefined;
  /** Version of the form; 0. */
  versionNumber: number;
  /** Raw values, little-endian, row-major. */
  tensorContent: Uint8Array;
  /** The 16 bits of half and bfloat16. */
  halfVal: number[];
  /** float32 */
  floatVal: number[];
  /** float64 */
  doubleVal: number[];
  /** int32, int16, int8, uint16, uint8 and quantized ones. */
  intVal: number[];
  /** string */
  stringVal: Uint8Array[];
  /** complex64, as pairs. */
  scomplexVal: number[];
  /** int64 */
  int64Val: bigint[];
  /** bool */
  boolVal: boolean[];
  /** complex128, as pairs. */
  dcomplexVal: number[];
  /** uint32 */
  uint32Val: number[];
  /** uint64 */
  uint64Val: bigint[];
  /** A byte each of float8. */
  float8Val: Uint8Array;
}

/** tensorflow.TensorShapeProto */
export interface TensorShapeMessage {
  /** The outermost first; none for a scalar. */
  dim: TensorDimMessage[];
  /** Nothing is known of the shape. */
  unknownRank: boolean;
}

/** tensorflow.TensorShapeProto.Dim */
export interface TensorDimMessage {
  /** -1: unknown. */
  size: bigint;
  /** May be empty. */
  name: string;
}

/** The message tensorflow.TensorProto. */
export const TensorProto: MessageType<TensorProtoMessage> = messageType('TensorProto');
