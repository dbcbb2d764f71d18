// Annotations of COCO (JSON) and of Pascal VOC (XML) to TFRecords, in the keys of TensorFlow's Object Detection API.
//
//   npm install fast-xml-parser
//   node examples/annotations.mjs
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** `objects`: [name, left, top, right, bottom], in pixels. */
async function encodeImage(folder, { name, width, height, objects }) {
  return encode({
    'image/filename': name,
    'image/height': height,
    'image/width': width,
    'image/encoded': await readFile(join(folder, name)),
    'image/object/bbox/xmin': objects.map(([, left]) => left / width),
    'image/object/bbox/xmax': objects.map(([, , , right]) => right / width),
    'image/object/bbox/ymin': objects.map(([, , top]) => top / height),
    'image/object/bbox/ymax': objects.map(([, , , , bottom]) => bottom / height),
    'image/object/class/text': objects.map(([label]) => label),
  });
}

/** The images of a COCO file. A box is [left, top, width, height]. */
async function* coco(folder, file) {
  const { images, annotations, categories } = JSON.parse(await readFile(file, 'utf8'));
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  const byImage = Map.groupBy?.(annotations, (each) => each.image_id) ?? grouped(annotations);
  for (const { id, file_name: name, width, height } of images) {
    const objects = (byImage.get(id) ?? []).map(({ category_id, bbox: [left, top, wide, high] }) => {
      return [names.get(category_id), left, top, left + wide, top + high];
    });
    yield encodeImage(folder, { name, width, height, objects });
  }
}

/** `Map.groupBy` for Node 20. */
function grouped(annotations) {
  const groups = new Map();
  for (const each of annotations) groups.set(each.image_id, [...(groups.get(each.image_id) ?? []), each]);
  return groups;
}

/** The images of files of Pascal VOC, an XML file each. */
async function* pascalVoc(folder, files) {
  const parser = new XMLParser({ isArray: (name) => name === 'object' });
  for (const file of files) {
    const { filename: name, size, object = [] } = parser.parse(await readFile(file, 'utf8')).annotation;
    const objects = object.map(({ name: label, bndbox }) => {
      return [label, bndbox.xmin, bndbox.ymin, bndbox.xmax, bndbox.ymax];
    });
    yield encodeImage(folder, { name, width: size.width, height: size.height, objects });
  }
}

const folder = await mkdtemp(join(tmpdir(), 'tfrecord-example-'));
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
const target = join(folder, 'train.tfrecord');
await writeRecords(target, coco(folder, json));
await writeRecords(target, pascalVoc(folder, [xml]), { append: true });
for await (const record of readRecords(target)) console.log(JSON.stringify(exampleToObject(record)));
await rm(folder, { recursive: true });
