/** Reads the instances of COCO: a JSON file with images, annotations and categories. */
import { isObject, type TFRecordError } from '../../../base';
import { crc32c } from '../../../record';
import { wrongPath, type Annotated } from '../annotated';
import { faultOf, type ObjectBox, type PictureSize } from '../box';
import { Classes, MAX_LABEL } from '../label-map';
import { AnnotationList } from './annotation-list';
import { readMembers } from './json-members';

/** An image of the file. */
interface CocoImage {
  readonly id: number | string;
  /** Undefined: `wrong` says why it is invalid. */
  readonly name: string | undefined;
  readonly size: PictureSize | undefined;
  readonly wrong: TFRecordError | undefined;
}

const LARGEST_FLOAT = 3.4028234663852886e38;

export class Instances {
  readonly #file: string;
  readonly images: CocoImage[] = [];
  readonly orphans: TFRecordError[] = [];
  readonly #list = new AnnotationList();
  /** Numbers of images by their ids, in the order in which the file first mentions them. */
  readonly #imageIds = new Map<number | string, number>();
  /** For each of these numbers the number in `images`, or -1. */
  readonly #declared: number[] = [];
  readonly #names = new Map<string, number>();
  readonly #categoryIds = new Map<number, number>();
  readonly #categoryNames: (string | undefined)[] = [];
  readonly #faults = new Map<number, TFRecordError[]>();
  #sum = 0;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Reads `file`, which is at the path `at`. @throws TFRecordError TFR_DECODE, TFR_FEATURE; `signal.reason` */
  static async read(file: string, at: string, signal: AbortSignal | undefined): Promise<Instances> {
    const instances = new Instances(file);
    await readMembers(
      file,
      at,
      (key, value, element) => {
        instances.#take(key, value, element);
      },
      signal,
      (chunk) => {
        instances.#sum = crc32c(chunk, instances.#sum);
      },
    );
    instances.#list.group(instances.#imageIds.size);
    for (const [id, image] of instances.#imageIds) {
      if (instances.#declared[image] !== -1) continue;
      const count = instances.#list.of(image).length;
      const found = `${count} with the image ${JSON.stringify(id)}, which images does not list`;
      instances.orphans.push(faultOf(file, 'annotations', { file, expected: 'annotations of its images', found }));
    }
    return instances;
  }

  /** CRC-32C of the file. */
  get sum(): string {
    return this.#sum.toString(16).padStart(8, '0');
  }

  /** The classes: numbers are the ids, or the ids + 1 if one is 0, which label maps cannot have. @throws TFRecordError */
  classes(): Classes {
    // Annotations may mention ids that no category has.
    const zero = this.#categoryIds.get(0);
    const shift = zero !== undefined && this.#categoryNames[zero] !== undefined ? 1 : 0;
    const classes = new Classes();
    for (const [id, category] of this.#categoryIds) {
      const name = this.#categoryNames[category];
      const wrong = name === undefined ? undefined : classes.add(name, id + shift);
      if (wrong !== undefined) throw this.#fault('categories', 'a list', 'names that differ', wrong);
    }
    return classes;
  }

  /** Image `i` with its boxes. @throws TFRecordError if it has no record */
  of(i: number): Annotated {
    const { id, name, size, wrong } = this.images[i]!;
    if (wrong !== undefined) throw wrong;
    const image = this.#imageIds.get(id)!;
    const file = this.#file;
    const faults = [...(this.#faults.get(image) ?? [])];
    const boxes: ObjectBox[] = [];
    for (const { id: number, category, edges, area, isCrowd } of this.#list.of(image)) {
      const where = this.#where(number);
      const className = this.#categoryNames[category];
      if (className === undefined) {
        const found = 'an id that categories does not list';
        faults.push(faultOf(where, 'category_id', { file, expected: 'the id of a category', found }));
      } else boxes.push({ where, edges, name: className, more: { is_crowd: isCrowd ? 1 : 0, area } });
    }
    return { filename: name!, sourceId: String(id), file, size, inPixels: true, boxes, faults };
  }

  #take(key: string, value: unknown, element: number | undefined): void {
    const isWanted = key === 'images' || key === 'annotations' || key === 'categories';
    if (!isWanted) return;
    if (element === undefined) throw this.#fault(key, 'a member', 'a list', shown(value));
    const where = `${this.#file}: ${key}[${element}]`;
    if (!isObject(value) || Array.isArray(value)) throw this.#fault(where, 'an element', 'an object', shown(value));
    const item = value;
    if (key === 'images') this.#addImage(where, item);
    else if (key === 'annotations') this.#addAnnotation(where, item);
    else this.#addCategory(where, item);
  }

  #addImage(where: string, { id, file_name: name, width, height }: Readonly<Record<string, unknown>>): void {
    const wrongName = wrongPath(name);
    const key = isId(id) ? id : undefined;
    const text = String(name);
    const wrong =
      key === undefined
        ? this.#fault(where, 'id', 'an integer or a text', shown(id))
        : wrongName !== undefined
          ? this.#fault(where, 'file_name', 'a path in the folder', `${wrongName}: ${shown(name)}`)
          : this.#names.has(text)
            ? this.#fault(where, 'file_name', 'names that differ', `${JSON.stringify(name)} again`)
            : (width !== undefined && !isSize(width)) || (height !== undefined && !isSize(height))
              ? this.#fault(where, 'the size', 'positive integers', `${String(width)} x ${String(height)}`)
              : undefined;
    const number = this.images.length;
    const isKnown = key !== undefined && this.#declared[this.#imageOf(key)] !== -1;
    const again = isKnown ? this.#fault(where, 'id', 'ids that differ', `${JSON.stringify(key)} again`) : undefined;
    if (key !== undefined && !isKnown) this.#declared[this.#imageOf(key)] = number;
    const isRight = wrong === undefined && again === undefined;
    if (isRight) this.#names.set(text, number);
    this.images.push({
      id: key ?? '',
      name: isRight ? text : undefined,
      size: isSize(width) && isSize(height) ? { width, height } : undefined,
      wrong: again ?? wrong,
    });
  }

  #addCategory(where: string, { id, name }: Readonly<Record<string, unknown>>): void {
    const isRight = Number.isSafeInteger(id) && (id as number) >= 0 && (id as number) < MAX_LABEL;
    if (!isRight) throw this.#fault(where, 'id', `an integer from 0 to ${MAX_LABEL - 1}`, shown(id));
    if (typeof name !== 'string' || name === '' || !name.isWellFormed())
      throw this.#fault(where, 'name', 'a text', shown(name));
    const category = this.#categoryOf(id as number);
    if (this.#categoryNames[category] !== undefined)
      throw this.#fault(where, 'id', 'ids that differ', `${id as number} again`);
    this.#categoryNames[category] = name;
  }

  #addAnnotation(where: string, item: Readonly<Record<string, unknown>>): void {
    const { image_id: imageId, category_id: categoryId, bbox, area, iscrowd: isCrowd = 0, id } = item;
    if (!isId(imageId)) {
      this.orphans.push(this.#fault(where, 'image_id', 'an integer or a text', shown(imageId)));
      return;
    }
    const image = this.#imageOf(imageId);
    const refuse = (what: string, expected: string, found: unknown): void => {
      const faults = this.#faults.get(image) ?? [];
      this.#faults.set(image, faults);
      faults.push(this.#fault(where, what, expected, shown(found)));
    };
    if (!isBox(bbox)) {
      refuse('bbox', 'x, y, width and height', bbox);
      return;
    }
    if (!Number.isSafeInteger(categoryId)) {
      refuse('category_id', 'an integer', categoryId);
      return;
    }
    if (isCrowd !== 0 && isCrowd !== 1) {
      refuse('iscrowd', '0 or 1', isCrowd);
      return;
    }
    const [x, y, width, height] = bbox;
    const size = area ?? width * height;
    if (typeof size !== 'number' || !(size >= 0 && size <= LARGEST_FLOAT)) {
      refuse('area', 'a number that float32 can hold', area);
      return;
    }
    const edges = { xmin: x, ymin: y, xmax: x + width, ymax: y + height };
    const number = typeof id === 'number' ? id : NaN;
    this.#list.add(image, this.#categoryOf(categoryId as number), number, edges, size, isCrowd === 1);
  }

  #imageOf(id: number | string): number {
    const known = this.#imageIds.get(id);
    if (known !== undefined) return known;
    this.#declared.push(-1);
    this.#imageIds.set(id, this.#imageIds.size);
    return this.#imageIds.size - 1;
  }

  #categoryOf(id: number): number {
    const known = this.#categoryIds.get(id);
    if (known !== undefined) return known;
    this.#categoryNames.push(undefined);
    this.#categoryIds.set(id, this.#categoryIds.size);
    return this.#categoryIds.size - 1;
  }

  #where(id: number): string {
    return Number.isNaN(id) ? `An annotation of ${this.#file}` : `Annotation ${id} of ${this.#file}`;
  }

  #fault(where: string, what: string, expected: string, found: string): TFRecordError {
    return faultOf(where, what, { file: this.#file, expected, found });
  }
}

/** True for ids of images. Larger integers would have lost digits. */
function isId(id: unknown): id is number | string {
  return Number.isSafeInteger(id) || (typeof id === 'string' && id.isWellFormed());
}

function isSize(size: unknown): size is number {
  return Number.isSafeInteger(size) && (size as number) > 0;
}

function isBox(box: unknown): box is readonly [number, number, number, number] {
  return (
    Array.isArray(box) && box.length === 4 && box.every((each) => typeof each === 'number' && Number.isFinite(each))
  );
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200);
}
