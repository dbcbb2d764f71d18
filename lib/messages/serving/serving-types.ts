/* eslint-disable @typescript-eslint/no-require-imports -- generated code that takes longer to load than all of the room */
/** The messages of TensorFlow Serving and TF-Ranking, loaded when they are first used. */
import type { INamespace } from 'protobufjs/light';

import { messageType, reflectedTypes, type MessagePackage, type MessageType } from '../../example';
import type { ExampleListWithContextMessage, PredictionLogMessage } from './serving-messages';

/** The generated code. {@link messageType} reads it by name. */
interface GeneratedCode {
  readonly tensorflow: { readonly serving: object };
}

let reflected: ReturnType<typeof reflectedTypes> | undefined;

/** Returns the definitions of the messages. */
export function servingDescriptor(): INamespace {
  return require('./descriptor.generated') as typeof import('./descriptor.generated');
}

const SERVING: MessagePackage = {
  statics: () => (require('./messages.generated') as GeneratedCode).tensorflow.serving,
  reflected(name) {
    reflected ??= reflectedTypes(servingDescriptor(), 'tensorflow.serving');
    return reflected(name);
  },
  code: () => 'TFR_DECODE',
};

/**
 * The message tensorflow.serving.PredictionLog: a request to TensorFlow Serving, and its answer.
 *
 * @example
 * for await (const log of readMessages('log-*', PredictionLog)) console.log(log.predictLog?.response?.outputs);
 */
export const PredictionLog: MessageType<PredictionLogMessage> = messageType('PredictionLog', SERVING);

/**
 * The message tensorflow.serving.ExampleListWithContext, the records of TF-Ranking. `exampleListParser` parses its
 * Examples by specs.
 */
export const ExampleListWithContext: MessageType<ExampleListWithContextMessage> = messageType(
  'ExampleListWithContext',
  SERVING,
);
