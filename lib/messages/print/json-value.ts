/** The JSON of a message as a value. */
import type { Type } from 'protobufjs/light';

import { JsonText, type JsonValue } from '../../example';
import { MessagePrinter } from './message-printer';

/**
 * Returns the JSON of properties of `type`; -0 is the string "-0", because a number of JSON has no sign then, except in a
 * Value, where a string would be another value.
 */
export function jsonValueOf(type: Type, properties: object): JsonValue {
  const out = new JsonText();
  new MessagePrinter({ full: true, decoded: false, minusZero: '"-0"' }).print(type, properties, out);
  return JSON.parse(out.toString()) as JsonValue;
}
