/** Reads data sets of YOLO: pictures in `images`, and for each a file of boxes in `labels`. */
import { join } from 'node:path';

import { tfrecordError, worded, advice, named, type TFRecordError } from '../../../base';
import { PICTURE_NAME } from '../../../example';
import { crc32c } from '../../../record';
import { filesBelow } from '../../images/find-pictures';
import type { Annotated, DataFolder, DetectionFormat } from '../annotated';
import { noPictures, pictureFiles } from '../annotated';
import { faultOf, type ObjectBox } from '../box';
import { detectionInput } from '../detection-input';
import { Classes } from '../label-map';
import { pathsOf, readSideFile, SideFileReader } from '../side-files';
import { namesOfLines, namesOfYaml } from './class-names';

/** Files of names, the first of which counts. */
const NAME_FILES = ['data.yaml', 'data.yml', 'dataset.yaml', 'classes.txt', 'labels/classes.txt'] as const;

const yolo: DetectionFormat = {
  uses: ['classes'],
  async find(folder, { classes, signal }) {
    const all = await filesBelow(folder.name, folder.path, signal);
    const paths = pathsOf(all);
    const names = classes ?? (await namesIn(folder, new Set(paths)));
    const pictures = paths.filter((path) => path !== undefined && PICTURE_NAME.test(path)) as string[];
    if (pictures.length === 0) throw noPictures(folder, 'YOLO has them in images, and their boxes in labels');
    const labels = new Set(paths.filter((path) => path !== undefined && /\.txt$/i.test(path)) as string[]);
    const own = pictures.map(labelFile);
    const firsts = new Map<string, number>();
    for (const [i, file] of own.entries()) if (!firsts.has(file)) firsts.set(file, i);
    const nameOf = (path: string): string => `${folder.name}/${path}`;
    const orphans = [...labels]
      .filter((path) => /(?:^|\/)labels\//.test(path) && !path.endsWith('/classes.txt') && !firsts.has(path))
      .map((path) =>
        faultOf(nameOf(path), 'the picture', { file: nameOf(path), expected: 'a picture of this name', found: 'none' }),
      );
    const parse = (i: number, text: string | undefined): Annotated => {
      const [filename, file] = [pictures[i]!, nameOf(own[i]!)];
      if (firsts.get(own[i]!) !== i) {
        const found = `${JSON.stringify(filename)} beside ${JSON.stringify(pictures[firsts.get(own[i]!)!])}`;
        throw faultOf(file, 'the picture', { file, expected: 'one picture', found });
      }
      return {
        filename: nameIn(filename),
        sourceId: nameIn(filename),
        file,
        size: undefined,
        inPixels: false,
        ...boxesIn(text ?? '', file, names),
      };
    };
    return {
      files: await pictureFiles(folder, pictures),
      classes: Classes.inOrder(names),
      sum: `${all.summary().crc32c}-${crc32c(Buffer.from(JSON.stringify(names))).toString(16)}`,
      orphans,
      notes: [],
      reader: () =>
        new SideFileReader(
          pictures.length,
          (i) => (labels.has(own[i]!) ? { file: nameOf(own[i]!), path: join(folder.path, own[i]!) } : undefined),
          parse,
        ),
    };
  },
};

export const yoloInput = detectionInput('YOLO', yolo);

/** The path of the boxes of a picture: the last folder `images` becomes `labels`, as Ultralytics has it. */
function labelFile(picture: string): string {
  return picture.replace(/(^|\/)images\/(?!(?:.*\/)?images\/)/, '$1labels/').replace(/\.[^./]+$/, '.txt');
}

/** The name of a picture in a record: without the folder `images`, if all is in it. */
function nameIn(picture: string): string {
  return picture.replace(/^images\//, '');
}

async function namesIn(folder: DataFolder, paths: ReadonlySet<string | undefined>): Promise<readonly string[]> {
  const name = NAME_FILES.find((each) => paths.has(each));
  const file = `${folder.name}/${name ?? NAME_FILES[0]}`;
  if (name === undefined) {
    const message = worded`ENOENT: no names of classes in '${folder.name}': expected data.yaml or classes.txt${advice`, or ${named('classes')}`}`;
    throw tfrecordError('ENOENT', message, { file });
  }
  const text = await readSideFile({ file, path: join(folder.path, name) });
  const names = name.endsWith('.txt') ? namesOfLines(text) : namesOfYaml(text, file);
  const wrong = names.find((each, i) => each === '' || names.indexOf(each) < i);
  if (wrong === undefined) return names;
  throw faultOf(file, 'the names of classes', { file, expected: 'texts that differ', found: JSON.stringify(wrong) });
}

function boxesIn(text: string, file: string, names: readonly string[]): Pick<Annotated, 'boxes' | 'faults'> {
  const boxes: ObjectBox[] = [];
  const faults: TFRecordError[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const fields = line.trim().split(/\s+/);
    if (fields.length === 1 && fields[0] === '') continue;
    const where = `Line ${i + 1} of ${file}`;
    const numbers = fields.map((field) => (NUMBER.test(field) ? Number(field) : NaN));
    const [index, x, y, width, height] = numbers as [number, number, number, number, number];
    if (numbers.length !== 5 || !numbers.every(Number.isFinite) || !Number.isInteger(index)) {
      const expected = 'a class, and x, y, width and height';
      faults.push(faultOf(where, 'a box', { file, expected, found: JSON.stringify(line.trim().slice(0, 80)) }));
    } else if (names[index] === undefined) {
      const expected = `a class from 0 to ${names.length - 1}`;
      faults.push(faultOf(where, 'an unknown class', { file, expected, found: String(index) }));
    } else {
      const edges = { xmin: x - width / 2, ymin: y - height / 2, xmax: x + width / 2, ymax: y + height / 2 };
      boxes.push({ where, edges, name: names[index], more: {} });
    }
  }
  return { boxes, faults };
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
