/**
 * Reads serialized Events without making messages. It knows the forms that writers of logs use; anything else, and all
 * that is malformed, is left to the message codec: then `scan` returns false.
 */
import type { TagTable, Tag } from './tag-table';

// The forms of a value.
/** A `simple_value`, which was read. */
export const SCALAR = 0;
/** A tensor that is not a single float32. */
export const TENSOR = 1;
export const HISTOGRAM = 2;
export const IMAGE = 3;
export const AUDIO = 4;
/** None of the members that have a meaning here. */
export const NOTHING = 5;
/** A tensor of a single float32, which was read. */
export const NUMBER_TENSOR = 6;

// Tags of fields, `field number << 3 | wire type`: of Event,
const WALL_TIME = 0x09;
const STEP = 0x10;
const GRAPH = 0x22;
const SUMMARY = 0x2a;
const META_GRAPH = 0x4a;
// of Summary,
const VALUE = 0x0a;
// of Summary.Value,
const TAG = 0x0a;
const SIMPLE_VALUE = 0x15;
const IMAGE_FIELD = 0x22;
const HISTO = 0x2a;
const AUDIO_FIELD = 0x32;
const TENSOR_FIELD = 0x42;
const METADATA = 0x4a;
// and of TensorProto.
const DTYPE = 0x08;
const SHAPE = 0x12;
const VERSION = 0x18;
const CONTENT = 0x22;
const PACKED_FLOATS = 0x2a;
const FLOAT = 0x2d;
const DT_FLOAT = 1;

/** The values of one Event. */
export class EventScan {
  wallTime = 0;
  stepLow = 0;
  stepHigh = 0;
  /** Number of values. */
  count = 0;
  /** True if the Event has a summary, even without values. TensorBoard reads a graph as a summary. */
  hasSummary = false;
  readonly tags: Tag[] = [];
  readonly forms: number[] = [];
  /** The numbers of values that were read. */
  readonly scalars: number[] = [];
  /** True for each value that has metadata. */
  readonly described: boolean[] = [];

  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;
  #table!: TagTable;

  /** Sets the memory in which the next Events lie. */
  load(slab: Uint8Array, table: TagTable): void {
    this.#bytes = slab;
    this.#view = new DataView(slab.buffer, slab.byteOffset, slab.byteLength);
    this.#table = table;
  }

  /** Reads the Event in bytes `start` to `end`. Returns false, with nothing of use, if its form is unusual. */
  scan(start: number, end: number): boolean {
    const bytes = this.#bytes;
    this.wallTime = this.stepLow = this.stepHigh = this.count = 0;
    this.hasSummary = false;
    this.#at = start;
    let contents = 0;
    while (this.#at < end) {
      switch (bytes[this.#at++]) {
        case WALL_TIME:
          if (end - this.#at < 8) return false;
          this.wallTime = this.#view.getFloat64(this.#at, true);
          this.#at += 8;
          break;
        case STEP:
          if (!this.#step(end)) return false;
          break;
        case SUMMARY:
        case GRAPH:
        case META_GRAPH: {
          // The codec takes the last of several, and merges summaries.
          if (contents++ > 0) return false;
          const field = bytes[this.#at - 1];
          this.hasSummary = field !== META_GRAPH;
          const last = this.#length(end);
          if (last < 0 || (field === SUMMARY && !this.#summary(last))) return false;
          this.#at = last;
          break;
        }
        default:
          return false;
      }
    }
    return true;
  }

  /**
   * Reads only the step of the Event in bytes `start` to `end`, and `hasSummary`. Returns false if it may have more than a
   * summary or a graph.
   */
  skim(start: number, end: number): boolean {
    const bytes = this.#bytes;
    this.stepLow = this.stepHigh = 0;
    this.hasSummary = false;
    this.#at = start;
    let contents = 0;
    while (this.#at < end) {
      const field = bytes[this.#at++];
      if (field === WALL_TIME) this.#at += 8;
      else if (field === STEP) {
        if (!this.#step(end)) return false;
      } else {
        if ((field !== SUMMARY && field !== GRAPH && field !== META_GRAPH) || contents++ > 0) return false;
        this.hasSummary = field !== META_GRAPH;
        this.#at = this.#length(end);
        if (this.#at < 0) return false;
      }
    }
    return this.#at === end;
  }

  #step(end: number): boolean {
    const bytes = this.#bytes;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= end) return false;
      const byte = bytes[this.#at++]!;
      const part = byte & 0x7f;
      if (shift < 28) low |= part << shift;
      else if (shift === 28) {
        low |= part << 28;
        high = part >>> 4;
      } else high |= part << (shift - 32);
      if (byte < 0x80) {
        this.stepLow = low >>> 0;
        this.stepHigh = high | 0;
        return true;
      }
    }
    return false;
  }

  /** Reads a length, and returns the position after the content; -1 if that is past `end`, or the length is longer than 4 bytes. */
  #length(end: number): number {
    const bytes = this.#bytes;
    let length = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      if (this.#at >= end) return -1;
      const byte = bytes[this.#at++]!;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) return length <= end - this.#at ? this.#at + length : -1;
    }
    return -1;
  }

  #summary(end: number): boolean {
    while (this.#at < end) {
      if (this.#bytes[this.#at++] !== VALUE) return false;
      const last = this.#length(end);
      if (last < 0 || !this.#value(last)) return false;
    }
    return true;
  }

  #value(end: number): boolean {
    const bytes = this.#bytes;
    let tagStart = 0;
    let tagEnd = -1;
    let form = NOTHING;
    let scalar = 0;
    let described = false;
    while (this.#at < end) {
      const field = bytes[this.#at++];
      if (field === SIMPLE_VALUE) {
        if (form !== NOTHING || end - this.#at < 4) return false;
        form = SCALAR;
        scalar = this.#view.getFloat32(this.#at, true);
        this.#at += 4;
        continue;
      }
      const last = this.#length(end);
      if (last < 0) return false;
      switch (field) {
        case TAG:
          tagStart = this.#at;
          tagEnd = last;
          break;
        case METADATA:
          if (described) return false;
          described = true;
          break;
        case TENSOR_FIELD:
          if (form !== NOTHING) return false;
          form = this.#tensor(last) ? NUMBER_TENSOR : TENSOR;
          scalar = this.#number;
          break;
        case IMAGE_FIELD:
        case HISTO:
        case AUDIO_FIELD:
          if (form !== NOTHING) return false;
          form = field === HISTO ? HISTOGRAM : field === AUDIO_FIELD ? AUDIO : IMAGE;
          break;
        default:
          return false;
      }
      this.#at = last;
    }
    // A tensor without a tag has the name of its node.
    const tag = tagEnd <= tagStart ? undefined : this.#table.find(bytes, tagStart, tagEnd);
    if (tag === undefined) return false;
    const i = this.count++;
    this.tags[i] = tag;
    this.forms[i] = form;
    this.scalars[i] = scalar;
    this.described[i] = described;
    return true;
  }

  /** The float32 that `#tensor` read. */
  #number = 0;

  /** Reads a tensor. Returns false unless it is a single float32 in a usual form. */
  #tensor(end: number): boolean {
    const bytes = this.#bytes;
    let dtype = 0;
    let floats = 0;
    while (this.#at < end) {
      switch (bytes[this.#at++]) {
        case DTYPE:
          dtype = bytes[this.#at++]!;
          if (dtype !== DT_FLOAT) return false;
          break;
        case VERSION:
          if (bytes[this.#at++]! > 0x7f) return false;
          break;
        case SHAPE:
          // A scalar has no dimensions.
          if (bytes[this.#at++] !== 0) return false;
          break;
        case CONTENT:
        case PACKED_FLOATS:
          if (bytes[this.#at++] !== 4) return false;
          floats += this.#float(end);
          break;
        case FLOAT:
          floats += this.#float(end);
          break;
        default:
          return false;
      }
    }
    return this.#at === end && dtype === DT_FLOAT && floats === 1;
  }

  /** Reads a float32, and returns the number of those that were read. */
  #float(end: number): 0 | 1 {
    const at = this.#at;
    this.#at += 4;
    if (this.#at > end) return 0;
    this.#number = this.#view.getFloat32(at, true);
    return 1;
  }
}
