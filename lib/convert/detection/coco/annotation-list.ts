import type { Edges } from '../box';

/** The annotations of a COCO file: there may be millions, so a few arrays hold them. */
export class AnnotationList {
  #length = 0;
  #numbers = new Float64Array(1024 * NUMBERS);
  #places = new Int32Array(1024 * 3);
  /** For each image, the position in `#order` of its first annotation. */
  #begins = new Int32Array(1);
  #order = new Int32Array(0);

  /** `image`, `category`: their numbers. `id`: NaN if it is not a number. */
  add(
    image: number,
    category: number,
    id: number,
    { xmin, ymin, xmax, ymax }: Edges,
    area: number,
    isCrowd: boolean,
  ): void {
    const i = this.#length++;
    if (NUMBERS * this.#length > this.#numbers.length) {
      this.#numbers = grown(this.#numbers, (length) => new Float64Array(length));
      this.#places = grown(this.#places, (length) => new Int32Array(length));
    }
    this.#numbers.set([xmin, ymin, xmax, ymax, area, id], NUMBERS * i);
    this.#places.set([image, category, isCrowd ? 1 : 0], 3 * i);
  }

  /** Orders the annotations by their images. `images`: the number of images. Add none afterwards. */
  group(images: number): void {
    const begins = new Int32Array(images + 1);
    for (let i = 0; i < this.#length; i++) begins[this.#places[3 * i]! + 1]!++;
    for (let image = 0; image < images; image++) begins[image + 1]! += begins[image]!;
    const next = begins.slice();
    this.#order = new Int32Array(this.#length);
    for (let i = 0; i < this.#length; i++) this.#order[next[this.#places[3 * i]!]!++] = i;
    this.#begins = begins;
  }

  /** The annotations of `image`, in the order of the file. */
  of(image: number): readonly Annotation[] {
    const order = this.#order.subarray(this.#begins[image], this.#begins[image + 1]);
    return Array.from(order, (i) => {
      const [xmin, ymin, xmax, ymax, area, id] = this.#numbers.subarray(NUMBERS * i, NUMBERS * (i + 1));
      return {
        id: id!,
        category: this.#places[3 * i + 1]!,
        edges: { xmin: xmin!, ymin: ymin!, xmax: xmax!, ymax: ymax! },
        area: area!,
        isCrowd: this.#places[3 * i + 2] === 1,
      };
    });
  }
}

/** Numbers of an annotation. */
const NUMBERS = 6;

export interface Annotation {
  readonly id: number;
  readonly category: number;
  readonly edges: Edges;
  readonly area: number;
  readonly isCrowd: boolean;
}

function grown<T extends Float64Array | Int32Array>(array: T, create: (length: number) => T): T {
  const larger = create(2 * array.length);
  larger.set(array);
  return larger;
}
