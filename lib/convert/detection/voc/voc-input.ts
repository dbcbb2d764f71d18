/** Reads data sets of Pascal VOC: `Annotations/*.xml`, and pictures in `JPEGImages`. */
import { dirname, join } from 'node:path/posix';

import { counted, TFRecordError } from '../../../base';
import { filesBelow } from '../../images/find-pictures';
import { PICTURE_NAME } from '../../../example';
import { noPictures, pictureFiles, wrongPath, type Annotated, type DetectionFormat } from '../annotated';
import { faultOf, type MoreName, type ObjectBox, type PictureSize } from '../box';
import { detectionInput } from '../detection-input';
import { Classes } from '../label-map';
import { pathsOf, readSideFile, SideFileReader } from '../side-files';
import { childOf, parseXml, type XmlElement } from './voc-xml';

const voc: DetectionFormat = {
  uses: ['classes'],
  async find(folder, { classes, signal }, hasMap) {
    const all = await filesBelow(folder.name, folder.path, signal);
    const paths = pathsOf(all);
    const there = new Set(paths);
    const documents = paths.filter((path) => path !== undefined && /\.xml$/i.test(path)) as string[];
    if (documents.length === 0)
      throw noPictures(folder, 'no XML file of annotations either, such as Annotations/1.xml');
    const nameOf = (i: number): string => `${folder.name}/${documents[i]!}`;
    const names = new Set<string>();
    const pictures: string[] = [];
    const used = new Map<string, number>();
    for (const [i, path] of documents.entries()) {
      signal?.throwIfAborted();
      try {
        const file = nameOf(i);
        const annotated = annotatedOf(await readSideFile({ file, path: `${folder.path}/${path}` }), file);
        const picture = pictureOf(path, annotated.filename, there);
        for (const { name } of annotated.boxes) names.add(name);
        pictures.push(used.has(picture) ? '' : picture);
        if (!used.has(picture)) used.set(picture, i);
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        // Reading it again reports the error.
        pictures.push('');
      }
    }
    const without = paths.filter((path) => path !== undefined && PICTURE_NAME.test(path) && !used.has(path)).length;
    const notes =
      without === 0
        ? []
        : [`${counted(without, 'picture')} without annotations: ${without === 1 ? 'it has' : 'they have'} no record.`];
    const parse = (i: number, text: string | undefined): Annotated => {
      const file = nameOf(i);
      const annotated = annotatedOf(text ?? '', file);
      if (pictures[i] === '') {
        const found = `${JSON.stringify(annotated.filename)} again`;
        throw faultOf(file, '<filename>', { file, expected: 'names that differ', found });
      }
      return annotated;
    };
    return {
      files: await pictureFiles(folder, pictures),
      classes: Classes.inOrder(
        classes ?? (hasMap ? [] : [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))),
      ),
      sum: all.summary().crc32c,
      orphans: [],
      notes,
      reader: () =>
        new SideFileReader(
          documents.length,
          (i) => ({ file: nameOf(i), path: `${folder.path}/${documents[i]!}` }),
          parse,
        ),
    };
  },
};

export const vocInput = detectionInput('Pascal VOC', voc);

/** The path of a picture: in `JPEGImages` beside `Annotations`, else beside the document. */
function pictureOf(document: string, filename: string, there: ReadonlySet<string | undefined>): string {
  const beside = join(dirname(document), filename);
  const match = /^(.*\/)?Annotations\/(?:.*\/)?[^/]*$/.exec(document);
  if (match === null) return beside;
  const inImages = `${match[1] ?? ''}JPEGImages/${filename}`;
  return !there.has(inImages) && there.has(beside) ? beside : inImages;
}

/** @throws TFRecordError if the document is not one of a picture */
function annotatedOf(text: string, file: string): Annotated {
  const root = parseXml(text, file);
  const wrong = (what: string, expected: string, found: string): TFRecordError =>
    faultOf(file, what, { file, expected, found });
  if (root.name !== 'annotation') throw wrong('the root', '<annotation>', `<${root.name}>`);
  const filename = childOf(root, 'filename', file)?.text.trim();
  const wrongName = wrongPath(filename);
  if (wrongName !== undefined)
    throw wrong('<filename>', 'a path in the folder', `${wrongName}: ${JSON.stringify(filename ?? null)}`);
  const boxes: ObjectBox[] = [];
  const faults: TFRecordError[] = [];
  const objects = root.children.filter(({ name }) => name === 'object');
  for (const [i, object] of objects.entries()) {
    try {
      boxes.push(boxOf(object, `Object ${i + 1} of ${file}`, file));
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      faults.push(error);
    }
  }
  return { filename: filename!, sourceId: filename!, file, size: sizeOf(root, file), inPixels: true, boxes, faults };
}

function boxOf(object: XmlElement, where: string, file: string): ObjectBox {
  const name = childOf(object, 'name', file)?.text.trim() ?? '';
  if (name === '') throw faultOf(where, '<name>', { file, expected: 'a class', found: 'none' });
  const box = childOf(object, 'bndbox', file);
  const [xmin, ymin, xmax, ymax] = ['xmin', 'ymin', 'xmax', 'ymax'].map((edge) => {
    const text = (box && childOf(box, edge, file))?.text.trim() ?? '';
    if (NUMBER.test(text) && Number.isFinite(Number(text))) return Number(text);
    throw faultOf(where, `<${edge}>`, { file, expected: 'a number', found: JSON.stringify(text) });
  }) as [number, number, number, number];
  const more: Partial<Record<MoreName, number | string>> = {};
  for (const key of ['difficult', 'truncated'] as const) {
    const text = childOf(object, key, file)?.text.trim() ?? '0';
    if (text !== '0' && text !== '1')
      throw faultOf(where, `<${key}>`, { file, expected: '0 or 1', found: JSON.stringify(text) });
    more[key] = Number(text);
  }
  more.view = childOf(object, 'pose', file)?.text.trim() ?? '';
  // Pixels are counted from 1, and both edges belong to the box.
  return { where, name, edges: { xmin: xmin - 1, ymin: ymin - 1, xmax, ymax }, more };
}

function sizeOf(root: XmlElement, file: string): PictureSize | undefined {
  const size = childOf(root, 'size', file);
  if (size === undefined) return undefined;
  const [width, height] = ['width', 'height'].map((side) => Number(childOf(size, side, file)?.text.trim() ?? NaN));
  if (Number.isSafeInteger(width) && Number.isSafeInteger(height)) return { width: width!, height: height! };
  throw faultOf(file, '<size>', { file, expected: 'integers', found: `${width} x ${height}` });
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
