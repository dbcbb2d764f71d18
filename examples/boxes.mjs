// A folder of images with boxes and tags to TFRecords, in the keys of TensorFlow's Object Detection API (as VoTT exports
// them), and back. Each image has a `.json` beside it: { tags: [{ name, left, top, width, height }] }, in pixels.
//
//   node examples/boxes.mjs [folder target]
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleEncoder, fixedLen, readExamples, RecordWriter, varLen } from 'tfrecord-native';

const SIDES = ['xmin', 'xmax', 'ymin', 'ymax'];
const spec = {
  'image/height': fixedLen([], 'int64'),
  'image/width': fixedLen([], 'int64'),
  'image/filename': fixedLen([], 'text'),
  'image/source_id': fixedLen([], 'text'),
  'image/key/sha256': fixedLen([], 'text'),
  'image/encoded': fixedLen([], 'bytes'),
  'image/format': fixedLen([], 'text'),
  ...Object.fromEntries(SIDES.map((side) => [`image/object/bbox/${side}`, varLen('float32')])),
  'image/object/class/text': varLen('text'),
  'image/object/class/label': varLen('int64'),
  'image/object/difficult': varLen('int64'),
  'image/object/truncated': varLen('int64'),
  'image/object/view': varLen('text'),
};

/** Writes the images of `folder`. `labels` are the numbers of the tags, from 1 on. */
async function writeBoxes(folder, target, labels, signal) {
  const encode = exampleEncoder(spec);
  const writer = await RecordWriter.open(target, { signal });
  try {
    for (const name of (await readdir(folder)).filter((each) => /\.png$/i.test(each)).sort()) {
      const image = await readFile(join(folder, name));
      const tags = await readTags(join(folder, `${name}.json`), labels);
      // A PNG file says its size in its header.
      if (image.toString('latin1', 1, 4) !== 'PNG' || image.length < 24) throw new Error(`${name} is not a PNG file`);
      const [width, height] = [image.readUInt32BE(16), image.readUInt32BE(20)];
      if (width === 0 || height === 0) throw new Error(`${name} is ${width} x ${height}`);
      const row = {
        'image/height': height,
        'image/width': width,
        'image/filename': name,
        'image/source_id': name,
        'image/key/sha256': createHash('sha256').update(image).digest('hex'),
        'image/encoded': image,
        'image/format': 'png',
        'image/object/bbox/xmin': tags.map(({ left }) => left / width),
        'image/object/bbox/xmax': tags.map((tag) => (tag.left + tag.width) / width),
        'image/object/bbox/ymin': tags.map(({ top }) => top / height),
        'image/object/bbox/ymax': tags.map((tag) => (tag.top + tag.height) / height),
        'image/object/class/text': tags.map((tag) => tag.name),
        'image/object/class/label': tags.map((tag) => labels.indexOf(tag.name) + 1),
        'image/object/difficult': tags.map(() => 0),
        'image/object/truncated': tags.map(() => 0),
        'image/object/view': tags.map(() => 'Unspecified'),
      };
      await writer.write(encode(row));
    }
    return await writer.close();
  } finally {
    await writer.abort();
  }
}

/** The tags in `file`. Others than those of `labels` would get number 0, which means the background. */
async function readTags(file, labels) {
  let tags;
  try {
    ({ tags } = JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
  for (const tag of Array.isArray(tags) ? tags : [undefined]) {
    if (labels.includes(tag?.name) && [tag.left, tag.top, tag.width, tag.height].every(Number.isFinite)) continue;
    throw new Error(`${file}: expected tags of ${labels.join(', ')} with four numbers, found ${JSON.stringify(tag)}`);
  }
  return tags;
}

/** Reads images with their tags in pixels. */
async function* readBoxes(source) {
  for await (const row of readExamples(source, spec, { int64: 'number' })) {
    const [width, height] = [row['image/width'], row['image/height']];
    const side = (name) => row[`image/object/bbox/${name}`];
    if (SIDES.some((name) => side(name).length !== row['image/object/class/text'].length)) {
      throw new Error(`${row['image/filename']}: its boxes and its tags are not as many`);
    }
    const tags = row['image/object/class/text'].map((name, i) => ({
      name,
      left: Math.round(side('xmin')[i] * width),
      top: Math.round(side('ymin')[i] * height),
      width: Math.round((side('xmax')[i] - side('xmin')[i]) * width),
      height: Math.round((side('ymax')[i] - side('ymin')[i]) * height),
    }));
    yield { name: row['image/filename'], image: row['image/encoded'], width, height, tags };
  }
}

// A reader of the output that went away, as `head` does, is no error.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));
// Ctrl-C gives the output up: no half of it stays.
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort(new Error('interrupted')));
const work = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const [folder = work, target = join(work, 'boxes.tfrecord')] = process.argv.slice(2);
if (folder === work) await drawFolder(work);
const { records } = await writeBoxes(folder, target, ['cat', 'dog'], stopping.signal);
console.log(`${records} images`);
for await (const { name, image, width, height, tags } of readBoxes(target)) {
  console.log(`${name}, ${width} x ${height}, ${image.length} bytes`);
  for (const tag of tags) console.log(`  ${tag.name} at ${tag.left}, ${tag.top}: ${tag.width} x ${tag.height}`);
}

/** Two headers of PNG files, which stand for images. */
async function drawFolder(to) {
  const tags = [
    [{ name: 'cat', left: 10, top: 20, width: 30, height: 40 }],
    [
      { name: 'dog', left: 0, top: 0, width: 640, height: 480 },
      { name: 'cat', left: 333, top: 222, width: 11, height: 7 },
    ],
  ];
  for (const [i, each] of tags.entries()) {
    const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e0', 'hex');
    await writeFile(join(to, `${i}.png`), png);
    await writeFile(join(to, `${i}.png.json`), JSON.stringify({ tags: each }));
  }
}
