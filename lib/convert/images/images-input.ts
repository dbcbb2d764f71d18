/** Reads pictures: a record has the bytes of a file, unchanged. */
import { newRecord } from '../../base';
import { bytes, encodeExample, int64, type FeatureLike } from '../../example';
import type { FoundInput, InputFormat, PreparedInput, ReadSettings } from '../format';
import { CountedReader } from '../input/counted-reader';
import { manifestInputs } from '../job/manifest';
import { classesOf, type ClassNumbers } from './classes';
import { findPictures, partOfPictures, shownPath, type FoundPictures, type Pictures } from './find-pictures';
import { labelOptions } from './label-lines';
import { Labels } from './labels';
import { PictureReader, type FeaturesOfPictures } from './picture-reader';

/** Room for the features of all pictures, without the path and the name of the class, and for tags and lengths. */
const ROOM_BYTES = 320;

export const imagesInput: InputFormat = {
  find: async (given, options) => foundInput(await findPictures(given, options)),
};

const NO_SPEC = 'pictures have features of their own; with labels it sets the types of those';

function foundInput(found: FoundPictures): FoundInput {
  const { inputs, pictures } = found;
  const { labels, classNames } = pictures;
  return {
    inputs,
    uses: ['labels', 'classes', ...(labels === undefined ? [] : labelOptions(labels.file))],
    noSpec: labels === undefined ? NO_SPEC : undefined,
    // Other labels make other records, so they are part of the job's identity.
    identity: { labels: labels === undefined ? null : manifestInputs([labels])[0]!, classes: classNames ?? null },
    partOf: (part) => foundInput(partOfPictures(found, part)),
    prepared: (settings) => prepare(pictures, settings),
    units: () => new CountedReader(() => Promise.resolve([pictures.list.length])),
  };
}

async function prepare(pictures: Pictures, settings: ReadSettings): Promise<PreparedInput> {
  if (pictures.list.length === 0) return { open: () => new CountedReader(() => Promise.resolve([])) };
  const labels = pictures.labels === undefined ? undefined : await Labels.read(pictures.labels, pictures, settings);
  const classes = classesOf(pictures, labels);
  return {
    open(_first, number = 0, own = settings) {
      return new PictureReader(pictures, number, new PictureFeatures(pictures, labels, classes, own), own);
    },
  };
}

/** The features of pictures, except those of their content. */
class PictureFeatures implements FeaturesOfPictures {
  readonly #pictures: Pictures;
  readonly #labels: Labels | undefined;
  readonly #labelsOf: ReturnType<Labels['reader']> | undefined;
  readonly #classes: ClassNumbers;

  constructor(pictures: Pictures, labels: Labels | undefined, classes: ClassNumbers, settings: ReadSettings) {
    this.#pictures = pictures;
    this.#labels = labels;
    this.#labelsOf = labels?.reader(settings);
    this.#classes = classes;
  }

  /** The features of picture `i`, and the room that they need in a record. @throws TFRecordError TFR_FEATURE */
  of(i: number): { readonly features: Record<string, FeatureLike>; readonly room: number } {
    const { list, before, folder } = this.#pictures;
    const path = list.path(i);
    const features = newRecord<FeatureLike>();
    features['image/filename'] = bytes([Uint8Array.from(path)]);
    const found = this.#labelsOf?.(before + i);
    if (this.#labels !== undefined && found === undefined) throw this.#labels.missing(before + i, this.#pictures);
    const label = this.#labels?.hasLabel === true ? found?.label : folder === undefined ? undefined : folderOf(path);
    const more = found === undefined || found.features.size === 0 ? undefined : Object.fromEntries(found.features);
    let room = ROOM_BYTES + path.length + (more === undefined ? 0 : encodeExample(more).length);
    Object.assign(features, more);
    if (label === undefined) return { features, room };
    const { number, text } = this.#classes.of(label, () => shownPath(folder, path));
    features['image/class/label'] = int64([number]);
    if (text !== undefined) {
      features['image/class/text'] = bytes([Buffer.from(text, 'latin1')]);
      room += text.length;
    }
    return { features, room };
  }
}

/** The first folder in a path. */
function folderOf(path: Buffer): string | undefined {
  const end = path.indexOf('/');
  return end < 0 ? undefined : path.toString('latin1', 0, end);
}
