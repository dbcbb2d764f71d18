// Captions of images as SequenceExamples: a context, which belongs to the image, and lists, which have a step a word. Then as
// a training set: batches of captions of about the same length, padded.
//
//   node examples/captions.mjs [target]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dataset, encodeSequenceExample, int64, readSequenceExamples } from 'tfrecord-native';
import { fixedLen, fixedLenSequence, writeRecords } from 'tfrecord-native';

const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
const target = process.argv[2] ?? join(folder, 'captions.tfrecord');

const captions = [
  'a white disc on black',
  'two crossed bars',
  'a disc crossed by two white bars',
  'white stripes',
  'two discs on a bar',
  'a black bar crossed by a white disc',
  'black stripes',
  'discs and crossed bars',
];
const vocabulary = [...new Set(captions.join(' ').split(' '))].sort();

const records = captions.map((caption, id) => {
  const words = caption.split(' ');
  return encodeSequenceExample({
    context: { 'image/id': int64(id), 'image/data': new Uint8Array(4).fill(id) },
    featureLists: {
      'image/caption': words,
      'image/caption_ids': words.map((word) => int64(vocabulary.indexOf(word))),
    },
  });
});
await writeRecords(target, records);

const spec = {
  context: { 'image/id': fixedLen([], 'int64'), 'image/data': fixedLen([], 'bytes') },
  sequence: { 'image/caption': fixedLenSequence([], 'bytes'), 'image/caption_ids': fixedLenSequence([], 'int64') },
};
// Columns: captions are padded to the longest, and `lengths` has how many words each has.
const reader = readSequenceExamples(target, spec, { int64: 'number' });
for await (const { context, sequence, lengths } of reader.batches(16)) {
  console.log('ids    ', context['image/id'].join(' '));
  console.log('padded ', JSON.stringify(sequence['image/caption_ids']));
  console.log('lengths', lengths['image/caption_ids'].join(' '));
}
// One by one: nothing is padded.
for await (const { context, sequence } of readSequenceExamples(target, spec)) {
  const words = sequence['image/caption'].toArray().map((word) => Buffer.from(word).toString());
  console.log(`image ${context['image/id']}: ${words.join(' ')}`);
}

// Buckets: under 4 words, from 4 to 5, and longer ones. A batch leaves when it is full, at the end those that are not.
const batches = Dataset.tfrecord(target)
  .parseSequence(spec, { int64: 'number' })
  .bucketByLength(({ sequence }) => sequence['image/caption_ids'].length, {
    boundaries: [4, 6],
    batchSizes: [3, 2, 2],
    values: { 'sequence.image/caption_ids': -1 }, // no word
  });
for await (const { values, lengths } of batches) {
  const { context, sequence } = values;
  console.log(`batch of images ${context['image/id'].join(' ')}, ${sequence['image/caption_ids'].shape[1]} words`);
  console.log(`  ${JSON.stringify(sequence['image/caption_ids'])}`);
  console.log(`  lengths ${lengths['sequence.image/caption_ids'].join(' ')}`);
}
rmSync(folder, { recursive: true });
