import { counted, tfrecordError, advice, named, setting, worded } from '../../base';
import type { Pictures } from './find-pictures';
import type { Labels } from './labels';

/** The class of a record. */
export interface ClassFeatures {
  readonly number: bigint;
  /** The name, with one character for each byte; undefined if only the number is known. */
  readonly text: string | undefined;
}

/** The numbers of classes. */
export class ClassNumbers {
  readonly #names: readonly string[] | undefined;
  readonly #numbers: ReadonlyMap<string, bigint>;

  /**
   * `names`: the names of all classes, in the order of their numbers; undefined if labels are numbers without names.
   */
  constructor(names: readonly string[] | undefined) {
    this.#names = names;
    this.#numbers = new Map(names?.map((name, i) => [name, BigInt(i)]));
  }

  /**
   * Returns the class with this number or name. `file` returns the name of the picture, for the error. @throws
   * TFRecordError TFR_FEATURE for an unknown class
   */
  of(label: bigint | string, file: () => string): ClassFeatures {
    if (typeof label === 'bigint') {
      if (this.#names === undefined) return { number: label, text: undefined };
      const text = this.#names[Number(label)];
      if (text !== undefined) return { number: label, text };
    } else {
      const number = this.#numbers.get(label);
      if (number !== undefined) return { number, text: label };
    }
    const found =
      typeof label === 'bigint' ? `number ${label}` : JSON.stringify(Buffer.from(label, 'latin1').toString());
    const name = file();
    const expected = `one of ${counted(this.#numbers.size, 'class', undefined, 'classes')}`;
    const cure = advice` ${setting('onError', 'skip')} leaves it out.`;
    const message = worded`The class of ${name} is ${found}, which ${named('classes')} does not list.${cure}`;
    throw tfrecordError('TFR_FEATURE', message, { file: name, feature: 'image/class/label', expected, found });
  }
}

/** The classes of `pictures`: those of the option `classes`, else those of the labels, else those of the folders. */
export function classesOf({ classNames, classes }: Pictures, labels: Labels | undefined): ClassNumbers {
  if (classNames !== undefined) return new ClassNumbers(classNames.map((name) => Buffer.from(name).toString('latin1')));
  return new ClassNumbers(labels?.hasLabel === true ? labels.classes : classes);
}
