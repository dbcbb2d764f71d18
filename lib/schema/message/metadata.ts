/* eslint-disable @typescript-eslint/no-require-imports -- generated code that takes longer to load than all of the room */
/** The messages of TensorFlow Metadata, loaded when they are first used. */
import { messageType, reflectedTypes, type MessagePackage } from '../../example';
import type { SchemaMessage } from './schema-message';

/** The generated code. {@link messageType} reads it by name, so the 5,000 lines of its types are not needed. */
interface GeneratedCode {
  readonly tensorflow: { readonly metadata: { readonly v0: object } };
}

let reflected: ReturnType<typeof reflectedTypes> | undefined;

/** The package tensorflow.metadata.v0. */
export const METADATA: MessagePackage = {
  statics: () => (require('./messages.generated') as GeneratedCode).tensorflow.metadata.v0,
  reflected(name) {
    reflected ??= reflectedTypes(
      require('./descriptor.generated') as typeof import('./descriptor.generated'),
      'tensorflow.metadata.v0',
    );
    return reflected(name);
  },
  code: () => 'TFR_DECODE',
};

/** TensorFlow Metadata's `Schema`. */
export const SchemaProto = messageType<SchemaMessage>('Schema', METADATA);
