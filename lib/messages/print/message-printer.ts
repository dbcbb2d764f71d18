/** Prints messages of any type as protobuf's canonical JSON. */
import type { Field, Type } from 'protobufjs';

import { escapeUnsafe, TFRecordError, thrownText } from '../../base';
import {
  checkWire,
  enumOf,
  extensionName,
  float32Json,
  float64Json,
  int64Json,
  isMap,
  isMessage,
  jsonFormOf,
  mapKeyText,
  MAX_DEPTH,
  nameInUrl,
  PrintContext,
  protoJson,
  textJson,
  typeOfUrl,
  uint64Json,
  type Int64Parts,
  type JsonForm,
  type JsonText,
  type PrintOptions,
} from '../../example';

type Members = Readonly<Record<string, unknown>>;

/** Adds a value to the JSON. `depth`: the number of messages around it. */
type Print = (value: unknown, depth: number) => void;

/** A field, as it is printed. */
interface Member {
  readonly name: string;
  /** The name in JSON, in quotes, with a colon. */
  readonly label: string;
  readonly field: Field;
  readonly print: Print;
}

/** Options of {@link MessagePrinter}. */
interface MessagePrintOptions extends Pick<PrintOptions, 'full'> {
  /**
   * False: keys of maps that are integers are digits, not in the form of decoded messages, except in an Any, which is
   * decoded here. Default: true.
   */
  readonly decoded?: boolean;
  /** The JSON of -0. Default: `-0.0`. */
  readonly minusZero?: string;
}

/**
 * Prints messages on one line: fields by their numbers, int64 as strings of digits, floats with a point or an exponent in
 * the fewest digits, bytes as base64, enums by name. Unknown fields are left out. Unless `full`, long values are cut, as
 * `RecordPrinter` cuts them: `{"text":…,"more":n}`, `{"base64":…,"more":n}`, and `{"more":n}` at the end of a list.
 */
export class MessagePrinter {
  readonly #context: PrintContext;
  #decoded: boolean;
  readonly #minusZero: string;
  readonly #members = new Map<Type, readonly Member[]>();
  #out!: JsonText;

  constructor({ full, decoded = true, minusZero = '-0.0' }: MessagePrintOptions = {}) {
    this.#context = new PrintContext({ full });
    this.#decoded = decoded;
    this.#minusZero = minusZero;
  }

  /** Number of lists and values that were cut so far. */
  get cuts(): number {
    return this.#context.cuts;
  }

  /** Adds `message`, in the form of protobufjs. @throws TFRecordError TFR_DECODE for a message without JSON */
  print(type: Type, message: object, out: JsonText): void {
    this.#out = out;
    this.#message(type, message as Members, 0);
  }

  #message(type: Type, message: Members, depth: number): void {
    if (depth > MAX_DEPTH) throw noJson(type, `messages are nested more than ${MAX_DEPTH} deep`);
    this.#forms[jsonFormOf(type)](type, message, depth);
  }

  readonly #forms: Readonly<Record<JsonForm, (type: Type, message: Members, depth: number) => void>> = {
    members: (type, message, depth) => {
      this.#out.add('{');
      this.#printMembers(type, message, depth, '');
      this.#out.add('}');
    },
    any: (type, message, depth) => {
      this.#any(type, message, depth);
    },
    text: (type, message) => {
      this.#out.add(JSON.stringify(textOf(type, message)));
    },
    value: (type, message, depth) => {
      this.#value(type, message, depth);
    },
    wrapper: (type, message, depth) => {
      const [member] = this.#membersOf(type);
      member!.print(own(message, member!.name) ?? member!.field.typeDefault, depth);
    },
  };

  #printMembers(type: Type, message: Members, depth: number, first: string): void {
    let before = first;
    for (const { name, label, field, print } of this.#membersOf(type)) {
      const value = own(message, name);
      if (value === undefined || isEmpty(field, value)) continue;
      this.#out.add(before + label);
      before = ',';
      if (field.map) this.#map(field, value as Members, print, depth);
      else if (field.repeated) this.#list(value as readonly unknown[], print, depth);
      else print(value, depth);
    }
  }

  #list(values: readonly unknown[], print: Print, depth: number): void {
    this.#context.items(values.length, this.#context.limits.values, this.#out, (i) => {
      print(values[i], depth);
    });
  }

  #map(field: Field, map: Members, print: Print, depth: number): void {
    const type = isMap(field) && this.#decoded ? field.keyType : 'string';
    this.#object(map, (key) => textJson(mapKeyText(type, key)), print, depth);
  }

  #object(map: Members, label: (key: string) => string, print: Print, depth: number): void {
    const keys = Object.keys(map);
    const shown = keys.slice(0, this.#context.limits.names);
    this.#out.add('{');
    for (const [i, key] of shown.entries()) {
      this.#out.add(`${i === 0 ? '' : ','}${label(key)}:`);
      print(map[key], depth);
    }
    if (shown.length < keys.length) {
      this.#context.cuts++;
      this.#out.add(`,"more":${keys.length - shown.length}`);
    }
    this.#out.add('}');
  }

  #membersOf(type: Type): readonly Member[] {
    let members = this.#members.get(type);
    if (members === undefined) {
      const fields = [...type.fieldsArray].sort((a, b) => a.id - b.id);
      members = fields.map((field) => {
        const { name, jsonName } = field.resolve();
        const label = field.declaringField === null ? (jsonName ?? name) : extensionName(field);
        return { name, label: `${textJson(label)}:`, field, print: this.#printOf(field) };
      });
      this.#members.set(type, members);
    }
    return members;
  }

  #printOf(field: Field): Print {
    if (isMessage(field)) {
      const type = field.resolvedType;
      return (value, depth) => {
        this.#message(type, value as Members, depth + 1);
      };
    }
    const names = enumOf(field);
    if (names?.fullName === '.google.protobuf.NullValue') return this.#plain(() => 'null');
    if (names !== undefined) {
      return this.#plain((value) => {
        const name: string | undefined = names.valuesById[value as number];
        return name === undefined ? String(value) : `"${name}"`;
      });
    }
    switch (field.type) {
      case 'double':
        return this.#plain((value) => this.#float(value as number, float64Json));
      case 'float':
        return this.#plain((value) => this.#float(value as number, floatJson));
      case 'int64':
      case 'sint64':
      case 'sfixed64':
        return this.#plain((value) => `"${int64Json(value as Int64Parts)}"`);
      case 'uint64':
      case 'fixed64':
        return this.#plain((value) => `"${uint64Json(value as Int64Parts)}"`);
      case 'string':
        return (value) => {
          this.#text(value as string);
        };
      case 'bytes':
        return (value) => {
          this.#bytes(value as Uint8Array);
        };
      default:
        return this.#plain(String);
    }
  }

  #plain(json: (value: unknown) => string): Print {
    return (value) => {
      this.#out.add(json(value));
    };
  }

  #float(value: number, json: (value: number) => string): string {
    return Object.is(value, -0) ? this.#minusZero : json(value);
  }

  #text(text: string): void {
    const { limits } = this.#context;
    // A character has at most three bytes for each unit of UTF-16.
    if (text.length * 3 <= limits.textBytes || Buffer.byteLength(text) <= limits.textBytes)
      this.#out.add(textJson(text));
    else this.#context.printBytes(Buffer.from(text), this.#out);
  }

  #bytes(value: Uint8Array): void {
    const { binaryBytes } = this.#context.limits;
    const cut = Math.max(0, value.length - binaryBytes);
    this.#out.add(cut === 0 ? '"' : '{"base64":"');
    for (let at = 0, end = value.length - cut; at < end; at += PIECE) {
      const piece = value.subarray(at, Math.min(at + PIECE, end));
      this.#out.add(Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('base64'));
    }
    this.#out.add(cut === 0 ? '"' : `","more":${cut}}`);
    if (cut > 0) this.#context.cuts++;
  }

  #any(type: Type, message: Members, depth: number): void {
    const url = own(message, type.fieldsById[1]!.name) as string | undefined;
    const bytes = (own(message, type.fieldsById[2]!.name) as Uint8Array | undefined) ?? new Uint8Array(0);
    if (url === undefined || url === '') {
      if (bytes.length > 0) throw noJson(type, 'it has no type');
      this.#out.add('{}');
      return;
    }
    const inner = contentType(type, url);
    checkWire(inner, bytes, 'TFR_DECODE');
    const content = decoded(inner, bytes);
    const outside = this.#decoded;
    this.#decoded = true;
    try {
      this.#out.add(`{"@type":${textJson(url)}`);
      if (jsonFormOf(inner) === 'members') this.#printMembers(inner, content, depth + 1, ',');
      else {
        this.#out.add(',"value":');
        this.#message(inner, content, depth + 1);
      }
      this.#out.add('}');
    } finally {
      this.#decoded = outside;
    }
  }

  /** Adds a Value, a Struct or a ListValue. */
  #value(type: Type, message: Members, depth: number): void {
    const members = this.#membersOf(type);
    const [{ name, field, print }] = members as readonly [Member];
    if (isMap(field)) this.#object((own(message, name) ?? {}) as Members, textJson, print, depth);
    else if (field.repeated) this.#list((own(message, name) ?? []) as readonly unknown[], print, depth);
    else {
      const kind = members.find((each) => own(message, each.name) !== undefined);
      const value = kind === undefined ? undefined : own(message, kind.name);
      if (typeof value === 'number' && !Number.isFinite(value)) throw noJson(type, `JSON has no number ${value}`);
      if (kind === undefined) this.#out.add('null');
      // A string would be another value.
      else if (Object.is(value, -0)) this.#out.add('-0.0');
      else kind.print(value, depth);
    }
  }
}

const LARGEST_FLOAT = (2 - 2 ** -23) * 2 ** 127;

/** The fewest digits of the largest float32 are a little more than it is, and Python's protobuf refuses them. */
function floatJson(value: number): string {
  return Math.abs(value) === LARGEST_FLOAT ? float64Json(value) : float32Json(value);
}

/** Number of bytes that are converted to base64 at once: a multiple of 3, so that there is no padding in between. */
const PIECE = 3 * 2 ** 18;

function own(message: Members, name: string): unknown {
  return Object.hasOwn(message, name) ? (message[name] ?? undefined) : undefined;
}

function isEmpty(field: Field, value: unknown): boolean {
  if (field.map) return Object.keys(value as object).length === 0;
  return field.repeated && (value as readonly unknown[]).length === 0;
}

/** The text of a Timestamp, a Duration or a FieldMask. */
function textOf(type: Type, message: Members): string {
  const seconds = own(message, 'seconds');
  // protobufjs reads words as 0. A valid number of seconds is a safe integer.
  const given = seconds === undefined ? message : { ...message, seconds: Number(int64Json(seconds as Int64Parts)) };
  try {
    return protoJson().toJson(type, given) as string;
  } catch (cause) {
    throw noJson(type, ownFault(cause), cause);
  }
}

/** The reason of protobufjs for refusing a Timestamp, a Duration or a FieldMask, as a clause about it. */
function ownFault(cause: unknown): string {
  return thrownText(cause)
    .replace(/^google\.protobuf\.\w+ /, '')
    .replace(/^nanos (?=out|invalid)/, 'its nanos are ')
    .replace(/^path does not round-trip/, 'this path would not be the same when it is read back')
    .replace(/^out /, 'it is out ');
}

function contentType(any: Type, url: string): Type {
  const found = typeOfUrl(any, url);
  if (found !== undefined) return found;
  const name = nameInUrl(url);
  const what = escapeUnsafe(name.length > 200 ? `${name.slice(0, 200)}…` : name);
  throw noJson(any, `its type ${what === '' ? 'has no name' : `${what} is not defined in the files that were loaded`}`);
}

function decoded(type: Type, bytes: Uint8Array): Members {
  try {
    return type.decode(bytes) as object as Members;
  } catch (cause) {
    throw noJson(type, `the bytes in an Any are not valid: ${thrownText(cause)}`, cause);
  }
}

function noJson(type: Type, why: string, cause?: unknown): TFRecordError {
  return new TFRecordError('TFR_DECODE', `A ${type.fullName.slice(1)} has no JSON: ${why}`, {
    expected: 'a message with a JSON form',
    found: why,
    cause,
  });
}
