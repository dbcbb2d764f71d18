// Annotations of COCO (JSON) and of Pascal VOC (XML) to TFRecords, in the keys of TensorFlow's Object Detection API.
//
//   npm install fast-xml-parser
//   node examples/annotations.mjs [target folder-of-images instances.json or annotation.xml...]
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { exampleEncoder, exampleToObject, fixedLen, readRecords, varLen, writeRecords } from 'tfrecord-native';

const encode = exampleEncoder({
  'image/filename': fixedLen([], 'text'),
  'image/height': fixedLen([], 'int64'),
  'image/width': fixedLen([], 'int64'),
  'image/encoded': fixedLen([], 'bytes'),
  'image/object/bbox/xmin': varLen('float32'),
  'image/object/bbox/xmax': varLen('float32'),
  'image/object/bbox/ymin': varLen('float32'),
  'image/object/bbox/ymax': varLen('float32'),
  'image/object/class/text': varLen('text'),
});

/** `objects`: [name, left, top, right, bottom], in pixels. `file`: the annotations, for errors. */
async function encodeImage(folder, file, { name, width, height, objects }) {
  const check = (isRight, expected) => {
    if (!isRight) throw new Error(`${file}: image ${JSON.stringify(name)}: expected ${expected}`);
  };
  // A name from a file may not lead out of the folder.
  const path = typeof name === 'string' ? normalize(name) : '';
  check(path !== '' && !isAbsolute(path) && path.split(sep)[0] !== '..', 'the name of a file in the folder');
  check(
    [width, height].every((size) => Number.isInteger(size) && size > 0),
    'a width and a height',
  );
  for (const [label, ...box] of objects) {
    check(typeof label === 'string' && label !== '', 'a name of the class of each object');
    check(box.length === 4 && box.every(Number.isFinite), `four numbers for the box of each ${label}`);
  }
  return encode({
    'image/filename': name,
    'image/height': height,
    'image/width': width,
    'image/encoded': await readFile(join(folder, path)),
    'image/object/bbox/xmin': objects.map(([, left]) => left / width),
    'image/object/bbox/xmax': objects.map(([, , , right]) => right / width),
    'image/object/bbox/ymin': objects.map(([, , top]) => top / height),
    'image/object/bbox/ymax': objects.map(([, , , , bottom]) => bottom / height),
    'image/object/class/text': objects.map(([label]) => label),
  });
}

/** The images of a COCO file. A box is [left, top, width, height]. */
async function* coco(folder, file) {
  const { images, annotations, categories } = (await parsed(file, JSON.parse)) ?? {};
  if (![images, annotations, categories].every((list) => Array.isArray(list) && !list.includes(null))) {
    throw new Error(`${file}: expected lists of images, annotations and categories`);
  }
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  const byImage = new Map(images.map(({ id }) => [id, []]));
  for (const { image_id, category_id, bbox } of annotations) {
    if (!byImage.has(image_id)) throw new Error(`${file}: an annotation of image ${image_id}, which is not listed`);
    // Text is no number: adding it would join digits.
    const [left, top, wide, high] = Array.isArray(bbox) && bbox.every(Number.isFinite) ? bbox : [];
    byImage.get(image_id).push([names.get(category_id), left, top, left + wide, top + high]);
  }
  for (const { id, file_name: name, width, height } of images) {
    yield encodeImage(folder, file, { name, width, height, objects: byImage.get(id) });
  }
}

/** The images of files of Pascal VOC, an XML file each. */
async function* pascalVoc(folder, files) {
  // Values stay text, because the class 007 is not 7.
  const parser = new XMLParser({ isArray: (name) => name === 'object', parseTagValue: false });
  const number = (text) => (text === undefined || text === '' ? NaN : Number(text));
  for (const file of files) {
    const { annotation } = await parsed(file, (text) => parser.parse(text, true));
    const { filename: name, size, object = [] } = annotation ?? {};
    const objects = object.map(({ name: label, bndbox }) => {
      return [label, ...['xmin', 'ymin', 'xmax', 'ymax'].map((side) => number(bndbox?.[side]))];
    });
    yield encodeImage(folder, file, { name, width: number(size?.width), height: number(size?.height), objects });
  }
}

/** The content of `file` as `parse` gives it. Errors name the file. */
async function parsed(file, parse) {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
}

// A reader of the output that went away, as `head` does, is no error.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));
// Ctrl-C gives the output up: no half of it stays.
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort(new Error('interrupted')));
const [target, images, ...files] = process.argv.slice(2);
if (target === undefined) {
  await demonstrate();
} else if (files.length === 0 || !files.every((file) => /\.(?:json|xml)$/.test(file))) {
  console.error('usage: annotations.mjs TARGET FOLDER-OF-IMAGES INSTANCES.json|ANNOTATION.xml...');
  process.exitCode = 2;
} else {
  const { records } = await writeRecords(target, all(images, files), { signal: stopping.signal });
  console.log(`${records} images`);
}

async function* all(images, files) {
  for (const file of files) yield* file.endsWith('.json') ? coco(images, file) : pascalVoc(images, [file]);
}

/** The same box in both formats. */
async function demonstrate() {
  const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [json, xml] = [join(folder, 'instances.json'), join(folder, 'dog.xml')];
  await writeFile(join(folder, 'dog.jpg'), Buffer.from([0xff, 0xd8, 0xff]));
  await writeFile(
    json,
    JSON.stringify({
      images: [{ id: 7, file_name: 'dog.jpg', width: 100, height: 50 }],
      categories: [{ id: 18, name: 'dog' }],
      annotations: [{ image_id: 7, category_id: 18, bbox: [10, 5, 50, 25] }],
    }),
  );
  await writeFile(
    xml,
    `<annotation><filename>dog.jpg</filename><size><width>100</width><height>50</height></size><object><name>dog</name>
   <bndbox><xmin>10</xmin><ymin>5</ymin><xmax>60</xmax><ymax>30</ymax></bndbox></object></annotation>`,
  );
  const both = join(folder, 'train.tfrecord');
  await writeRecords(both, coco(folder, json));
  await writeRecords(both, pascalVoc(folder, [xml]), { append: true });
  for await (const record of readRecords(both)) console.log(JSON.stringify(exampleToObject(record)));
}
