/** Protobuf's text form, by protobufjs. */
import type { Type } from 'protobufjs/light';

import { textFormat } from './lazy';
import { DIGITS, toProperties } from './properties';

/** The message of `text`, as protobufjs makes it. @throws Error when it is none. */
export function fromText(type: Type, text: string): object {
  return textFormat().fromText(type, text);
}

export function toText(type: Type, message: unknown): string {
  return textFormat().toText(type, toProperties(type, message, DIGITS));
}
