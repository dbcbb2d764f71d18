/** The label maps of TensorFlow's Object Detection API: the names of classes and their numbers, from 1. */
import { readFile } from 'node:fs/promises';

import { codeOf, fromNodeError, tfrecordError, worded } from '../../base';
import { messageType, reflectedTypes, type MessageInit } from '../../example';
import { existsError, giveNewName, writeWhole } from '../../io';

interface LabelItem {
  readonly name: string;
  readonly id: number;
}

interface LabelMapMessage {
  readonly item: LabelItem[];
}

/** Maximum size of the file of a label map. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The greatest number of a class. */
export const MAX_LABEL = 100_000;

const FIELDS = {
  nested: {
    object_detection: {
      nested: {
        protos: {
          nested: {
            LVISFrequency: { values: { UNSPECIFIED: 0, FREQUENT: 1, COMMON: 2, RARE: 3 } },
            StringIntLabelMapItem: {
              fields: {
                name: { type: 'string', id: 1 },
                id: { type: 'int32', id: 2 },
                display_name: { type: 'string', id: 3 },
                keypoints: { rule: 'repeated', type: 'KeypointMap', id: 4 },
                ancestor_ids: { rule: 'repeated', type: 'int32', id: 5 },
                descendant_ids: { rule: 'repeated', type: 'int32', id: 6 },
                frequency: { type: 'LVISFrequency', id: 7 },
                instance_count: { type: 'int32', id: 8 },
              },
              nested: {
                KeypointMap: { fields: { id: { type: 'int32', id: 1 }, label: { type: 'string', id: 2 } } },
              },
            },
            StringIntLabelMap: {
              fields: { item: { rule: 'repeated', type: 'StringIntLabelMapItem', id: 1 } },
            },
          },
        },
      },
    },
  },
} as const;

const LabelMapProto = messageType<LabelMapMessage>('StringIntLabelMap', {
  // Only the text form is used.
  statics: () => ({}),
  reflected: (name) => (types ??= reflectedTypes(FIELDS, 'object_detection.protos'))(name),
  code: () => 'TFR_DECODE',
});
let types: ReturnType<typeof reflectedTypes> | undefined;

/** Classes: their numbers by their names, and their names by their numbers. */
export class Classes {
  readonly #names = new Map<number, string>();
  readonly #labels = new Map<string, number>();

  /** Adds a class. Returns what is wrong with it if it contradicts another one; else undefined. */
  add(name: string, label: number): string | undefined {
    const [sameLabel, sameName] = [this.#names.get(label), this.#labels.get(name)];
    if (sameLabel === name) return undefined;
    if (sameLabel !== undefined) return `number ${label} for ${JSON.stringify(name)} and ${JSON.stringify(sameLabel)}`;
    if (sameName !== undefined) return `${JSON.stringify(name)} with the numbers ${sameName} and ${label}`;
    this.#names.set(label, name);
    this.#labels.set(name, label);
    return undefined;
  }

  /** Classes with the numbers from 1 on. */
  static inOrder(names: readonly string[]): Classes {
    const classes = new Classes();
    for (const [i, name] of names.entries()) classes.add(name, i + 1);
    return classes;
  }

  get size(): number {
    return this.#names.size;
  }

  labelOf(name: string): number | undefined {
    return this.#labels.get(name);
  }

  nameOf(label: number): string | undefined {
    return this.#names.get(label);
  }

  /** All classes, by their numbers. */
  all(): readonly (readonly [label: number, name: string])[] {
    return [...this.#names].sort(([a], [b]) => a - b);
  }

  /** The greatest number; 0 without classes. */
  get last(): number {
    let last = 0;
    for (const label of this.#names.keys()) last = Math.max(last, label);
    return last;
  }
}

/** Reads the label map `file`; undefined if there is no such file. @throws TFRecordError TFR_DECODE, TFR_FEATURE */
export async function readLabelMap(file: string): Promise<Classes | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fromNodeError(error, file, 'open');
  }
  if (bytes.length > MAX_BYTES) {
    throw wrongMap('TFR_RECORD_TOO_LARGE', file, `at most ${MAX_BYTES} bytes`, `${bytes.length} bytes`);
  }
  const classes = new Classes();
  let message: LabelMapMessage;
  try {
    message = LabelMapProto.fromText(bytes.toString());
  } catch (cause) {
    throw wrongMap('TFR_DECODE', file, 'items with a name and an id', (cause as Error).message);
  }
  for (const { name, id } of message.item) {
    const isRight = name !== '' && id > 0 && id <= MAX_LABEL;
    const wrong = isRight ? classes.add(name, id) : `the name ${JSON.stringify(name)} and the number ${id}`;
    if (wrong !== undefined)
      throw wrongMap('TFR_FEATURE', file, `names that differ, and numbers that differ, from 1 to ${MAX_LABEL}`, wrong);
  }
  if (classes.size === 0) throw wrongMap('TFR_FEATURE', file, 'at least one class', 'none');
  return classes;
}

/** Writes the new file of a label map. @throws TFRecordError EEXIST if there is one by now */
export async function writeLabelMap(file: string, classes: Classes): Promise<void> {
  const item: MessageInit<LabelItem>[] = classes.all().map(([id, name]) => ({ id, name }));
  try {
    await writeWhole(file, LabelMapProto.toText({ item }), { publish: giveNewName });
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? existsError(file) : fromNodeError(error, file, 'open');
  }
}

function wrongMap(
  code: 'TFR_DECODE' | 'TFR_FEATURE' | 'TFR_RECORD_TOO_LARGE',
  file: string,
  expected: string,
  found: string,
): Error {
  const message = worded`${file} is not a label map: expected ${expected}, found ${found}.`;
  return tfrecordError(code, message, { file, expected, found });
}
