/** Finds pictures and boxes in records with the keys of TensorFlow's Object Detection API. */
import { placedError, tfrecordError, worded, type Message, type Origin, TFRecordError } from '../../base';
import {
  decodeNamed,
  PICTURE_NAME,
  pictureKind,
  type DecodedFeature,
  type DecodedSequenceExample,
} from '../../example';
import { wrongPath } from './annotated';
import { edgesText, MORE, MORE_NAMES, type Edges, type MoreName, type PictureSize } from './box';
import { MAX_LABEL, type Classes } from './label-map';

/** A box of a record. */
export interface DetectedBox {
  /** Shares of the picture, as float32. */
  readonly edges: Edges;
  readonly name: string;
  readonly label: number;
  readonly more: Readonly<Partial<Record<MoreName, number | string>>>;
}

/** A record: a picture and its boxes. */
export interface Detected {
  /** The path of its file, relative to the folder of the pictures. */
  readonly name: string;
  readonly sourceId: string | undefined;
  readonly size: PictureSize;
  /** Undefined only if pictures are not needed. */
  readonly encoded: Uint8Array | undefined;
  readonly boxes: readonly DetectedBox[];
  /** Faults of boxes that are left out. */
  readonly faults: readonly TFRecordError[];
  readonly origin: Origin;
}

const EDGES = ['xmin', 'ymin', 'xmax', 'ymax'] as const;
const [TEXT, LABEL] = ['image/object/class/text', 'image/object/class/label'];

const NAMES: ReadonlySet<string> = new Set([
  ...['image/encoded', 'image/filename', 'image/source_id', 'image/width', 'image/height', TEXT, LABEL],
  ...EDGES.map((edge) => `image/object/bbox/${edge}`),
  ...MORE_NAMES.map((name) => `image/object/${name}`),
]);

/** The features of a record, with the kinds and numbers of values that they must have. */
class RecordFeatures {
  readonly #context: DecodedSequenceExample['context'];

  constructor(record: Uint8Array) {
    this.#context = decodeNamed(record, NAMES).context;
  }

  has(name: string): boolean {
    return this.#values(name) !== undefined;
  }

  texts(name: string): readonly Uint8Array[] {
    const feature = this.#of(name, 'bytes');
    return feature === undefined ? [] : Array.from(feature.values as Iterable<Uint8Array>);
  }

  numbers(name: string, kind: 'int64' | 'float'): readonly number[] {
    const feature = this.#of(name, kind);
    return feature === undefined ? [] : Array.from(feature.values as Iterable<number | bigint>, Number);
  }

  /** The text of the only value of `name`; undefined without values. */
  text(name: string): string | undefined {
    const [value, another] = this.texts(name);
    if (another !== undefined) throw wrong(name, 'one value', 'several');
    return value === undefined ? undefined : textOf(name, value);
  }

  #values(name: string): DecodedFeature | undefined {
    const feature = Object.hasOwn(this.#context, name) ? this.#context[name] : undefined;
    return feature === undefined || feature.values.length === 0 ? undefined : feature;
  }

  #of(name: string, kind: DecodedFeature['kind']): DecodedFeature | undefined {
    const feature = this.#values(name);
    if (feature !== undefined && feature.kind !== kind) throw wrong(name, kind, feature.kind);
    return feature;
  }
}

/** Reads records. Collects their classes, or knows them from a label map. */
export class DetectedRecords {
  readonly #classes: Classes;
  readonly #isMap: boolean;
  readonly #needsPicture: boolean;
  #next = 1;

  /** `classes`: with `isMap` those of a label map; else a list for those that are found. */
  constructor(classes: Classes, isMap: boolean, needsPicture: boolean) {
    this.#classes = classes;
    this.#isMap = isMap;
    this.#needsPicture = needsPicture;
  }

  /** `number`: that of the record among all. @throws TFRecordError if it has no picture or no boxes that fit together */
  of(record: Uint8Array, origin: Origin, number: number): Detected {
    try {
      return this.#detected(record, origin, number);
    } catch (error) {
      throw error instanceof TFRecordError ? placedError(error, origin) : error;
    }
  }

  #detected(record: Uint8Array, origin: Origin, number: number): Detected {
    const features = new RecordFeatures(record);
    const encoded = features.texts('image/encoded');
    if (encoded.length > 1 || (encoded.length === 0 && this.#needsPicture))
      throw wrong('image/encoded', 'one picture', String(encoded.length));
    const [picture] = encoded;
    const kind = picture === undefined ? undefined : pictureKind(picture);
    if (typeof kind === 'string') throw wrong('image/encoded', 'JPEG, PNG, GIF, WebP or BMP', kind);
    const size = { width: sizeOf(features, 'width', kind?.width), height: sizeOf(features, 'height', kind?.height) };
    const given = features.text('image/filename');
    const extension = kind === undefined ? '' : `.${kind.format === 'jpeg' ? 'jpg' : kind.format}`;
    const name = given ?? `image-${String(number).padStart(8, '0')}`;
    const wrongName = wrongPath(name) ?? notPortable(name);
    if (wrongName !== undefined)
      throw wrong('image/filename', 'a path in the folder', `${wrongName} in ${JSON.stringify(name)}`);
    const { boxes, faults } = this.#boxesOf(features, origin);
    return {
      name: PICTURE_NAME.test(name) ? name : `${name}${extension}`,
      sourceId: features.text('image/source_id'),
      ...{ size, encoded: picture, boxes, faults, origin },
    };
  }

  #boxesOf(
    features: RecordFeatures,
    origin: Origin,
  ): { readonly boxes: readonly DetectedBox[]; readonly faults: readonly TFRecordError[] } {
    const [xmin, ymin, xmax, ymax] = EDGES.map((edge) => features.numbers(`image/object/bbox/${edge}`, 'float'));
    const texts = features.has(TEXT) ? features.texts(TEXT) : undefined;
    const labels = features.has(LABEL) ? features.numbers(LABEL, 'int64') : undefined;
    const count = xmin!.length;
    const check = (name: string, length: number | undefined): void => {
      if (length !== undefined && length !== count)
        throw wrong(name, `${count} values, one for each box`, String(length));
    };
    check('image/object/bbox/ymin', ymin!.length);
    check('image/object/bbox/xmax', xmax!.length);
    check('image/object/bbox/ymax', ymax!.length);
    check(TEXT, texts?.length);
    check(LABEL, labels?.length);
    const more = new Map<MoreName, readonly (number | string)[]>();
    for (const name of MORE_NAMES) {
      const key = `image/object/${name}`;
      if (!features.has(key)) continue;
      const kind = MORE[name];
      const values =
        kind === 'bytes' ? features.texts(key).map((value) => textOf(key, value)) : features.numbers(key, kind);
      check(key, values.length);
      more.set(name, values);
    }
    const boxes: DetectedBox[] = [];
    const faults: TFRecordError[] = [];
    for (let i = 0; i < count; i++) {
      const edges = { xmin: xmin![i]!, ymin: ymin![i]!, xmax: xmax![i]!, ymax: ymax![i]! };
      try {
        checkEdges(edges, i);
        const text = texts === undefined ? undefined : textOf(TEXT, texts[i]!);
        const { name, label } = this.#classOf(text, labels?.[i], i);
        boxes.push({
          edges,
          name,
          label,
          more: Object.fromEntries([...more].map(([key, values]) => [key, values[i]])),
        });
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        faults.push(placedError(error, origin));
      }
    }
    return { boxes, faults };
  }

  #classOf(text: string | undefined, label: number | undefined, i: number): { name: string; label: number } {
    const classes = this.#classes;
    const isLabel = label === undefined || (label >= 1 && label <= MAX_LABEL);
    if (!isLabel) throw wrong(LABEL, `numbers from 1 to ${MAX_LABEL}`, `${label} for box ${i}`);
    if (text === '') throw wrong(TEXT, 'names', `an empty text for box ${i}`);
    const name = text ?? (label === undefined ? undefined : classes.nameOf(label));
    if (name === undefined) {
      const found = label === undefined ? 'neither' : `${label} alone for box ${i}, without a label map that lists it`;
      throw wrong(LABEL, `the name of a class, or its number and a label map`, found);
    }
    const known = classes.labelOf(name);
    if (this.#isMap && known === undefined) throw wrong(TEXT, 'classes of the label map', JSON.stringify(name));
    const number = label ?? known ?? this.#free();
    const contradiction = classes.add(name, number);
    if (contradiction !== undefined) throw wrong(LABEL, 'one number for each name', contradiction);
    return { name, label: number };
  }

  #free(): number {
    while (this.#classes.nameOf(this.#next) !== undefined) this.#next++;
    return this.#next;
  }
}

function checkEdges(edges: Edges, i: number): void {
  const { xmin, ymin, xmax, ymax } = edges;
  const isInside = [xmin, ymin, xmax, ymax].every((edge) => edge >= 0 && edge <= 1);
  if (isInside && xmax > xmin && ymax > ymin) return;
  throw wrong('image/object/bbox/xmin', 'a box with an area, within 0, 0 to 1, 1', `${edgesText(edges)} for box ${i}`);
}

function sizeOf(features: RecordFeatures, side: 'width' | 'height', actual: number | undefined): number {
  const name = `image/${side}`;
  const [given = actual, another] = features.numbers(name, 'int64');
  if (given === undefined || another !== undefined || !(Number.isSafeInteger(given) && given > 0))
    throw wrong(name, 'one positive number', given === undefined ? 'none' : String(another ?? given));
  if (actual !== undefined && given !== actual) throw wrong(name, `${actual}, as in the picture`, String(given));
  return given;
}

/** Part of a path that some system does not allow, or that is a device. Undefined: the path is good on every system. */
function notPortable(path: string): string | undefined {
  const part = path.split('/').find((each) => /[<>:"|?*]|[. ]$/.test(each) || DEVICE.test(each));
  return part === undefined ? undefined : `the name ${JSON.stringify(part)}, which not every system allows,`;
}

const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

function textOf(name: string, value: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    throw wrong(name, 'text in UTF-8', 'other bytes');
  }
}

function wrong(feature: string, expected: string, found: string): TFRecordError {
  const message: Message = worded`feature ${JSON.stringify(feature)}: expected ${expected}, found ${found}`;
  return tfrecordError('TFR_FEATURE', message, { feature, expected, found });
}
