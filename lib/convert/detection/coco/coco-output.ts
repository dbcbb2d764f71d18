/** Writes data sets of COCO: `annotations/instances.json`, and the folder `images`. */
import { shortest, type Edges, type PictureSize } from '../box';
import type { Detected, DetectedBox } from '../detected';
import { detectionOutput, type DetectionWriter } from '../detection-output';
import { FolderFiles, type GrowingText } from '../folder-files';
import type { Classes } from '../label-map';

export const cocoOutput = detectionOutput({
  isFolder: true,
  compressions: ['none'],
  keeps: ['is_crowd', 'area'],
  async open(target) {
    const files = await FolderFiles.create(target as string);
    const json = await files.text('annotations/instances.json');
    return new CocoWriter(files, json, await files.text(ANNOTATIONS));
  },
});

/** The annotations, until all images are known. */
const ANNOTATIONS = 'annotations/.annotations';

class CocoWriter implements DetectionWriter {
  readonly #files: FolderFiles;
  readonly #json: GrowingText;
  readonly #annotations: GrowingText;
  readonly #ids = new Set<number>();
  #nextId = 1;
  #images = 0;
  #boxes = 0;

  constructor(files: FolderFiles, json: GrowingText, annotations: GrowingText) {
    this.#files = files;
    this.#json = json;
    this.#annotations = annotations;
    void json.add('{"info":{},"licenses":[],"images":[');
  }

  async write({ name, size, encoded, boxes, sourceId }: Detected): Promise<void> {
    await this.#files.write(`images/${name}`, encoded!);
    const id = this.#idOf(sourceId);
    const { width, height } = size;
    const image = { id, file_name: name, width, height };
    await this.#json.add(`${this.#images++ === 0 ? '' : ','}\n${JSON.stringify(image)}`);
    for (const box of boxes) {
      const line = JSON.stringify({ id: this.#boxes + 1, image_id: id, ...annotationOf(box, size) });
      await this.#annotations.add(`${this.#boxes++ === 0 ? '' : ','}\n${line}`);
    }
  }

  async close(classes: Classes): Promise<number> {
    await this.#json.add('\n],"annotations":[');
    await this.#json.addAll(this.#annotations);
    const categories = classes.all().map(([id, name]) => `\n${JSON.stringify({ id, name })}`);
    await this.#json.add(`\n],"categories":[${categories.join(',')}\n]}\n`);
    await this.#json.close();
    await this.#annotations.close();
    await this.#files.remove(ANNOTATIONS);
    return this.#files.bytes;
  }

  async abort(): Promise<void> {
    await this.#json.abort();
    await this.#annotations.abort();
  }

  /** The id of an image: its `image/source_id`, if that is one, else the next that is free. */
  #idOf(sourceId: string | undefined): number {
    const given = sourceId !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(sourceId) ? Number(sourceId) : undefined;
    let id = given ?? 0;
    if (given === undefined || this.#ids.has(id)) {
      while (this.#ids.has(this.#nextId)) this.#nextId++;
      id = this.#nextId;
    }
    this.#ids.add(id);
    return id;
  }
}

function annotationOf({ edges, label, more }: DetectedBox, size: PictureSize): object {
  const [x, y, width, height] = boxOf(edges, size);
  const area =
    typeof more.area === 'number' ? shortest(more.area, (each) => Math.fround(each) === more.area) : undefined;
  return {
    category_id: label,
    bbox: [x, y, width, height],
    area: area ?? width! * height!,
    segmentation: [],
    iscrowd: more.is_crowd ?? 0,
  };
}

/** x, y, width and height in pixels, each with the fewest decimals that give the edges again. */
function boxOf({ xmin, ymin, xmax, ymax }: Edges, { width, height }: PictureSize): number[] {
  const side = (low: number, high: number, size: number): [number, number] => {
    const begin = shortest(low * size, (pixel) => Math.fround(pixel / size) === low);
    return [begin, shortest(high * size - begin, (length) => Math.fround((begin + length) / size) === high)];
  };
  const [x, w] = side(xmin, xmax, width);
  const [y, h] = side(ymin, ymax, height);
  return [x, y, w, h];
}
