/** Reads data sets for object detection: a record has a picture and its boxes, with the keys of TensorFlow's API. */
import { realpath } from 'node:fs/promises';

import { newRecord, type TFRecordError } from '../../base';
import { bytes, float, int64, type FeatureLike, type PictureKind } from '../../example';
import { crc32c } from '../../record';
import type { FoundInput, InputBatch, InputFormat, InputOption, InputReader, ReadSettings } from '../format';
import { pictureInputs } from '../images/find-pictures';
import { PictureReader, type FeaturesOfPictures } from '../images/picture-reader';
import { CountedReader } from '../input/counted-reader';
import type { Inputs } from '../input/inputs';
import { boundsOfPart } from '../job/parts';
import {
  dataFolder,
  type Annotated,
  type AnnotatedPictures,
  type AnnotationReader,
  type DetectionFormat,
} from './annotated';
import { edgesText, faultOf, MORE, MORE_NAMES, sharesOf, type Edges, type ObjectBox } from './box';
import { readLabelMap, writeLabelMap, type Classes } from './label-map';

/** Room in a record for all features but names, and for the features of a box. */
const ROOM_BYTES = 1024;
const BOX_BYTES = 64;

/** Reads data sets of `format`, which is called `name` in errors. */
export function detectionInput(name: string, format: DetectionFormat): InputFormat {
  return {
    async find(given, options) {
      const folder = dataFolder(given, name);
      const map = options.labelMap === undefined ? undefined : await readLabelMap(options.labelMap);
      const pictures = await format.find(folder, options, map !== undefined);
      const all: Found = {
        pictures,
        classes: map ?? pictures.classes,
        newMap: map === undefined ? options.labelMap : undefined,
        uses: format.uses,
        root: await realpath(folder.path),
      };
      return foundPictures(all, 0, pictures.files.list.length);
    },
  };
}

interface Found {
  readonly pictures: AnnotatedPictures;
  readonly classes: Classes;
  /** The label map to write. */
  readonly newMap: string | undefined;
  readonly uses: readonly InputOption[];
  readonly root: string;
}

/** The pictures from number `begin` to `end`. */
function foundPictures(found: Found, begin: number, end: number): FoundInput {
  const { pictures, classes, newMap, uses, root } = found;
  const files = { ...pictures.files, list: pictures.files.list.slice(begin, end) };
  const inputs: Inputs = pictureInputs(files, [], root);
  return {
    inputs,
    uses: ['labelMap', ...uses],
    noSpec: 'pictures with boxes have features of their own',
    identity: { annotations: pictures.sum, classes: crc32c(Buffer.from(JSON.stringify(classes.all()))) },
    partOf: (part) => {
      const [first, last] = boundsOfPart(end - begin, part);
      return foundPictures(found, begin + first, begin + last);
    },
    async prepared(settings) {
      if (newMap !== undefined) await writeLabelMap(newMap, classes);
      for (const note of pictures.notes) settings.notes.add(note);
      return {
        open(_first, number = 0, own: ReadSettings = settings) {
          if (files.list.length === 0) return new CountedReader(() => Promise.resolve([]));
          const reader = new PictureReader(files, number, new BoxFeatures(pictures, classes, begin), own);
          return begin + number === 0 ? new OrphansFirst(reader, pictures.orphans, own) : reader;
        },
      };
    },
    units: () => new CountedReader(() => Promise.resolve(files.list.length === 0 ? [] : [files.list.length])),
  };
}

/** The features of pictures with boxes. */
class BoxFeatures implements FeaturesOfPictures {
  readonly #reader: AnnotationReader;
  readonly #classes: Classes;
  readonly #before: number;
  /** The annotations of pictures that are being read. */
  readonly #waiting = new Map<number, Annotated>();

  /** `before`: the number of the picture that readers call 0. */
  constructor(pictures: AnnotatedPictures, classes: Classes, before: number) {
    this.#reader = pictures.reader();
    this.#classes = classes;
    this.#before = before;
  }

  ahead(i: number): Promise<void> | undefined {
    return this.#reader.ahead?.(this.#before + i);
  }

  of(i: number): { readonly features: Record<string, FeatureLike>; readonly room: number } {
    const found = this.#reader.of(this.#before + i);
    const { filename, sourceId, boxes } = found;
    this.#waiting.set(i, found);
    const features = newRecord<FeatureLike>();
    features['image/filename'] = bytes([filename]);
    features['image/source_id'] = bytes([sourceId]);
    let room = ROOM_BYTES + Buffer.byteLength(filename) + Buffer.byteLength(sourceId);
    for (const { name, more } of boxes)
      room += BOX_BYTES + Buffer.byteLength(name) + Buffer.byteLength(String(more.view ?? ''));
    return { features, room };
  }

  complete(i: number, features: Record<string, FeatureLike>, kind: PictureKind): readonly TFRecordError[] {
    const found = this.#waiting.get(i)!;
    this.#waiting.delete(i);
    const { file, size, filename } = found;
    if (size !== undefined && (size.width !== kind.width || size.height !== kind.height)) {
      throw faultOf(file, `the size of ${filename}`, {
        file,
        expected: `${kind.width} x ${kind.height} pixels, as in the picture`,
        found: `${size.width} x ${size.height}`,
        feature: 'image/width',
      });
    }
    const errors = [...found.faults];
    const good: { box: ObjectBox; edges: Edges; label: number }[] = [];
    for (const box of found.boxes) {
      const edges = sharesOf(box.edges, kind, found.inPixels ? kind : { width: 1, height: 1 });
      const label = this.#classes.labelOf(box.name);
      if (typeof edges === 'string') {
        const bounds = found.inPixels ? `0, 0 to ${kind.width}, ${kind.height}` : '0, 0 to 1, 1';
        const expected = `a box with an area, within ${bounds}`;
        errors.push(
          faultOf(box.where, `a box that ${edges}`, {
            ...{ file, expected, found: edgesText(box.edges), feature: 'image/object/bbox' },
          }),
        );
      } else if (label === undefined) {
        const expected = `one of the ${this.#classes.size} classes`;
        errors.push(
          faultOf(box.where, 'an unknown class', {
            ...{ file, expected, found: JSON.stringify(box.name), feature: 'image/object/class/text' },
          }),
        );
      } else good.push({ box, edges, label });
    }
    for (const edge of ['xmin', 'xmax', 'ymin', 'ymax'] as const)
      features[`image/object/bbox/${edge}`] = float(good.map(({ edges }) => edges[edge]));
    features['image/object/class/text'] = bytes(good.map(({ box }) => box.name));
    features['image/object/class/label'] = int64(good.map(({ label }) => label));
    const has = new Set(good.flatMap(({ box }) => Object.keys(box.more)));
    for (const name of MORE_NAMES)
      if (has.has(name))
        features[`image/object/${name}`] = moreFeature(
          name,
          good.map(({ box }) => box.more[name]),
        );
    return errors;
  }
}

function moreFeature(name: keyof typeof MORE, values: readonly (number | string | undefined)[]): FeatureLike {
  if (MORE[name] === 'bytes') return bytes(values.map((value) => String(value ?? '')));
  const numbers = values.map((value) => Number(value ?? 0));
  return MORE[name] === 'int64' ? int64(numbers) : float(numbers);
}

/** Reports the annotations without a picture before the first record. */
class OrphansFirst implements InputReader {
  readonly #reader: InputReader;
  readonly #settings: ReadSettings;
  #orphans: readonly TFRecordError[];

  constructor(reader: InputReader, orphans: readonly TFRecordError[], settings: ReadSettings) {
    this.#reader = reader;
    this.#orphans = orphans;
    this.#settings = settings;
  }

  get bytes(): number {
    return this.#reader.bytes;
  }

  // Its errors are rejections.
  async next(): Promise<InputBatch | undefined> {
    const { faults } = this.#settings;
    const orphans = this.#orphans;
    this.#orphans = [];
    for (const orphan of orphans) if (!faults.stopped) faults.leaveOut(orphan, { input: 0, number: 0 });
    return await this.#reader.next();
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
