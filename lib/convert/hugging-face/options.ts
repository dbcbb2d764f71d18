/** The options of writing for Hugging Face's `datasets`. */
import { checkOptions, checkWellFormed, invalidArgType, invalidArgValue, isObject } from '../../base';

/** Options of the forms that Hugging Face's `datasets` knows. Names are those of features. Unknown options throw. */
export interface HuggingFaceOptions {
  /**
   * The bytes features that are pictures, as `Image`. Default: those whose values in the first 100 records are all pictures
   * (JPEG, PNG, GIF, WebP, BMP). An empty list: none.
   */
  images?: readonly string[] | undefined;
  /** The bytes features that are files of sound, such as WAV, as `Audio`. Default: none. */
  audio?: readonly string[] | undefined;
  /**
   * The names of the classes of int64 features, in the order of their numbers, from 0, as `ClassLabel`. −1 stands for no
   * class; another number without a name is an error. Default: those of TensorFlow Datasets, for `from: 'tfds'`.
   */
  classNames?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Checked options. */
export interface HuggingFacePlan {
  /** Undefined: the content decides. */
  readonly images: readonly string[] | undefined;
  readonly audio: readonly string[];
  /** Undefined: those of the inputs. */
  readonly classNames: ReadonlyMap<string, readonly string[]> | undefined;
}

const OPTION = 'options.huggingface';

/** @throws TypeError with Node's codes */
export function checkHuggingFace(value: unknown): HuggingFacePlan | undefined {
  if (value === undefined || value === false) return undefined;
  if (value !== true && !isObject(value)) throw invalidArgType(OPTION, 'a boolean or an object of options', value);
  const given: HuggingFaceOptions = checkOptions(
    value === true ? {} : (value as HuggingFaceOptions),
    ['images', 'audio', 'classNames'],
    'huggingface',
  );
  const images = given.images === undefined ? undefined : namesOf('images', given.images);
  const audio = given.audio === undefined ? [] : namesOf('audio', given.audio);
  const both = audio.find((name) => images?.includes(name));
  if (both !== undefined) throw invalidArgValue(`${OPTION}.audio`, 'features that are not among images', both);
  return { images, audio, classNames: given.classNames === undefined ? undefined : classesOf(given.classNames) };
}

function namesOf(option: string, names: unknown): readonly string[] {
  if (!Array.isArray(names)) throw invalidArgType(`${OPTION}.${option}`, 'an array of names', names);
  return Array.from(names, (name: unknown, i) => {
    const place = `${OPTION}.${option}[${i}]`;
    if (typeof name !== 'string') throw invalidArgType(place, 'a name', name);
    checkWellFormed(place, name);
    return name;
  });
}

function classesOf(classNames: unknown): ReadonlyMap<string, readonly string[]> {
  const place = `${OPTION}.classNames`;
  if (!isObject(classNames) || Array.isArray(classNames)) {
    throw invalidArgType(place, "an object: { label: ['cat', 'dog'] }", classNames);
  }
  return new Map(
    Object.entries(classNames).map(([feature, given]) => {
      const names = namesOf(`classNames.${feature}`, given);
      const twice = names.find((name, i) => names.indexOf(name) < i);
      if (names.length === 0 || twice !== undefined) {
        throw invalidArgValue(`${place}.${feature}`, 'at least one name, and names that differ', given);
      }
      return [feature, names];
    }),
  );
}
