export {
  COMPRESSION_OPTIONS,
  COMPRESSIONS,
  compressionNumber,
  type Compression,
  type CompressionOption,
} from './compression';
export { onAbort } from './abort';
export {
  checkBoolean,
  checkCallback,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSignal,
  checkWellFormed,
  fullPath,
  hasIterator,
  isAsyncIterable,
  isFalseArray,
  isInteger,
  isIterable,
  isObject,
  isOneOf,
  isUrl,
  locate,
  neededInteger,
  pathOf,
  relativeParts,
  workingFolder,
} from './arguments';
export { type ArrayClass, arrayClass, bufferOf, lengthOf, plainArray, typeOf, viewOf } from './array-facts';
export { LARGEST_ARRAY } from './array-limit';
export { callersHere, withCallers } from './callers';
export {
  adviceOf,
  asWrongUse,
  illegalConstructor,
  invalidArgType,
  invalidArgValue,
  invalidState,
  isWrongUse,
  outOfRange,
  tfrecordError,
  TFRecordError,
  type TFRecordErrorCode,
  type TFRecordErrorDetails,
  thrownText,
  unknownOption,
} from './errors';
export { LoopTurns, Pace, writerTurns } from './event-loop';
export type { Fault } from './fault';
export { regionOf, type LostRegion } from './lost-region';
export {
  callNative,
  codeOf,
  faultError,
  type FaultPlace,
  folderError,
  fromNodeError,
  isLackOfDescriptors,
  lacksDescriptors,
  memoryError,
  orNoMemory,
  startNative,
  streamError,
  systemErrorOf,
} from './faults';
export { firstIndex } from './first-index';
export { DEFAULT_MAX_RECORD_BYTES, FRAME_BYTES, HEADER_BYTES, MAX_RECORD_BYTES } from './format';
export { inParallel } from './in-parallel';
export { type InspectArguments, inspected, type Phase } from './inspect';
export {
  advice,
  aside,
  elsewhere,
  type Mention,
  type Message,
  messageOf,
  messagesOf,
  method,
  named,
  setting,
  type Terms,
  type Text,
  textForPeople,
  textsOf,
  withMessage,
  worded,
} from './message';
export { type Bytes, type Origin, placedError, transferredError } from './origin';
export { checkPeer, loadPeer, peerError, type PeerVersions } from './peer';
export { checkObjectUrl, doorOf, isBucketUrl, objectScheme, schemeOf, shownUrl, splitObjectUrl } from './object-url';
export { newRecord, prototypeOf } from './objects';
export { isInstance, isList, isRevoked } from './revoked';
export { counted, escapeUnsafe, firstLine, grouped, jsonEscape } from './wording';
