/** Converts values of the package's own classes to plain values that can be serialized, and back. */
import { types } from 'node:util';

import { invalidArgType, prototypeOf, type Bytes, type Origin } from '../../base';
import { encodedBatch, newBatch, partsOf, RecordBatch } from '../../record';
import { asRow, classParts, isRow, ofClassParts, type ClassParts } from '../../tensor';

/** Replaces an object of a class: the parts that make it again. */
type StandIn = ClassParts | { readonly class: 'RecordBatch'; readonly parts: BatchParts };

/** The parts of a RecordBatch. */
interface BatchParts {
  readonly data: Bytes;
  readonly frames: Uint32Array;
  readonly origins: readonly Origin[];
}

/**
 * Values in which stand-ins replace the objects of classes. `standIns` and `rows` list these stand-ins and the copies
 * of rows, by identity.
 */
export interface Packed {
  readonly values: unknown[];
  readonly standIns: readonly object[];
  readonly rows: readonly object[];
}

/**
 * Returns `values` in a form that structured cloning preserves exactly. @throws TypeError for values that it would
 * change: functions, symbols, objects of other classes
 */
export function packed(values: readonly unknown[]): Packed {
  const packer = new Packer();
  return { values: values.map((value) => packer.pack(value)), standIns: packer.standIns, rows: packer.rows };
}

/** Restores the values that {@link packed} converted. */
export function unpacked({ values, standIns, rows }: Packed): unknown[] {
  if (standIns.length > 0) return new Unpacker(new Set(standIns), new Set(rows)).unpack(values) as unknown[];
  rows.forEach(asRow);
  return values;
}

class Packer {
  readonly standIns: object[] = [];
  readonly rows: object[] = [];
  readonly #known = new Map<object, unknown>();

  pack(value: unknown): unknown {
    if (typeof value === 'function' || typeof value === 'symbol') throw refused(value);
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#known.get(value);
    return known ?? this.#packObject(value);
  }

  #packObject(value: object): unknown {
    const standIn = standInOf(value);
    if (standIn !== undefined) {
      const made = { class: standIn.class, parts: this.pack(standIn.parts) };
      this.standIns.push(made);
      return this.#keep(value, made);
    }
    if (isKeptAsIs(value)) return this.#keep(value, value);
    return copied(
      value,
      (copy) => {
        if (isRow(value)) this.rows.push(copy);
        this.#keep(value, copy);
      },
      (part) => this.pack(part),
    );
  }

  #keep<T>(value: object, as: T): T {
    this.#known.set(value, as);
    return as;
  }
}

class Unpacker {
  readonly #standIns: ReadonlySet<object>;
  readonly #rows: ReadonlySet<object>;
  readonly #known = new Map<object, unknown>();

  constructor(standIns: ReadonlySet<object>, rows: ReadonlySet<object>) {
    this.#standIns = standIns;
    this.#rows = rows;
  }

  unpack(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (this.#standIns.has(value)) {
      const standIn = value as StandIn;
      const made = restored({ class: standIn.class, parts: this.unpack(standIn.parts) } as StandIn);
      this.#known.set(value, made);
      return made;
    }
    if (isKeptAsIs(value)) return value;
    return copied(
      value,
      (copy) => {
        if (this.#rows.has(value)) asRow(copy);
        this.#known.set(value, copy);
      },
      (part) => this.unpack(part),
    );
  }
}

/**
 * Copies `value`, an array, a map, a set or an object, with `of(part)` for each part. Calls `begin` with the copy
 * before it copies parts.
 */
function copied(value: object, begin: (copy: object) => unknown, of: (part: unknown) => unknown): object {
  if (types.isMap(value)) {
    const map = new Map<unknown, unknown>();
    begin(map);
    for (const [key, part] of value) map.set(of(key), of(part));
    return map;
  }
  if (types.isSet(value)) {
    const set = new Set<unknown>();
    begin(set);
    for (const part of value) set.add(of(part));
    return set;
  }
  const copy: object = Array.isArray(value) ? new Array<unknown>(value.length) : {};
  begin(copy);
  for (const name in value) {
    const part = of((value as Record<string, unknown>)[name]);
    if (name in copy)
      Object.defineProperty(copy, name, { value: part, enumerable: true, writable: true, configurable: true });
    else (copy as Record<string, unknown>)[name] = part;
  }
  return copy;
}

/**
 * True if serializing preserves `value` exactly, and it has no parts to convert. @throws TypeError for other classes
 */
function isKeptAsIs(value: object): boolean {
  const listed = Array.isArray(value) || types.isMap(value) || types.isSet(value);
  if (listed && !isOfBaseClass(value)) throw refused(value);
  if (Array.isArray(value)) return value.every((part) => typeof part === 'number' || typeof part === 'string');
  if (types.isMap(value) || types.isSet(value) || isRow(value)) return false;
  const { name } = (value.constructor ?? Object) as { readonly name: string };
  if (ArrayBuffer.isView(value)) {
    if (Buffer.isBuffer(value) || Object.prototype.toString.call(value) === `[object ${name}]`) return true;
    throw refused(value);
  }
  if (types.isDate(value) || types.isRegExp(value) || types.isArrayBuffer(value) || types.isBoxedPrimitive(value)) {
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!plain || types.isProxy(value) || types.isExternal(value)) throw refused(value);
  if (Object.getOwnPropertySymbols(value).length > 0) throw refused(value);
  return false;
}

/** True for an array, a map or a set of any realm, but not of a subclass. */
function isOfBaseClass(value: object): boolean {
  const inherited = prototypeOf(prototypeOf(value) ?? {});
  return inherited !== null && Object.getPrototypeOf(inherited) === null;
}

function standInOf(value: object): StandIn | undefined {
  return value instanceof RecordBatch ? { class: 'RecordBatch', parts: batchParts(value) } : classParts(value);
}

function batchParts(batch: RecordBatch): BatchParts {
  const data = new Uint8Array(batch.byteLength);
  const frames = new Uint32Array(2 * batch.length);
  const origins: Origin[] = [];
  let at = 0;
  for (let i = 0; i < batch.length; i++) {
    const record = batch.at(i)!;
    data.set(record, at);
    frames.set([at, record.length], 2 * i);
    origins.push(batch.origin(i)!);
    at += record.length;
  }
  return { data, frames, origins };
}

function restored(standIn: StandIn): object {
  if (standIn.class !== 'RecordBatch') return ofClassParts(standIn);
  const { data, frames, origins } = standIn.parts;
  const { source } = partsOf(encodedBatch(data, frames));
  return newBatch({ ...source, origins: (frame) => origins[frame]! }, 0, origins.length);
}

/** Returns the error for an element that contains `value`. */
export function refused(value: unknown): TypeError {
  const kept = 'plain: values, arrays, typed arrays, tensors, rows, and objects of these, to be kept on disk as it is';
  return invalidArgType('element of cache', kept, value);
}
