import { RecordBatch, type SharedRecords } from '../../record';
import { asRow, classParts, isClassName, isRow, ofClassParts, type Parts } from '../../tensor';
import { TAKEN_APART, type ClassForms } from './class-forms';
import { memoryArray } from './memory-array';
import { isPlain, setOwn } from './plain-objects';

/** The forms of the package's classes that occur in elements. */
export const OUR_CLASSES: ClassForms = {
  takeApart,
  isRow,
  asRows: (copies) => copies.forEach(asRow),
  revive: (values) => new Revival().into(values),
};

function takeApart(value: object): object | undefined {
  if (value instanceof RecordBatch) return { [TAKEN_APART]: 'RecordBatch', shared: value.share() };
  const apart = classParts(value);
  return apart && { [TAKEN_APART]: apart.class, ...apart.parts };
}

function revived({ [TAKEN_APART]: name, ...parts }: Parts): object | undefined {
  if (name === 'RecordBatch') return RecordBatch.from(parts['shared'] as SharedRecords);
  return isClassName(name) ? ofClassParts({ class: name, parts }) : undefined;
}

class Revival {
  readonly #seen = new Set<object>();
  readonly #made = new Map<object, unknown>();

  /** Revives the values in `holder`. */
  into(holder: object): void {
    if (this.#seen.has(holder)) return;
    this.#seen.add(holder);
    for (const [key, value] of Object.entries(holder) as [string, unknown][]) {
      // In a `vm` context, such as that of Jest, arrays in messages belong to another realm.
      if (ArrayBuffer.isView(value)) setOwn(holder, key, memoryArray(value, value.buffer, value.byteOffset));
      if (typeof value !== 'object' || value === null || !(Array.isArray(value) || isPlain(value))) continue;
      this.into(value);
      if (Object.hasOwn(value, TAKEN_APART)) setOwn(holder, key, this.#make(value as Parts));
    }
  }

  #make(apart: Parts): unknown {
    let made = this.#made.get(apart);
    if (made === undefined) this.#made.set(apart, (made = revived(apart)));
    return made;
  }
}
