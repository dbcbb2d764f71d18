// Writes captions of images as SequenceExamples: the context belongs to the image, and the lists have one step per word.
// Then makes a training set from them: padded batches of captions of similar length.
//
//   node examples/captions.mjs [target]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dataset, encodeSequenceExample, int64, readSequenceExamples } from 'tfrecord-native';
import { fixedLen, fixedLenSequence, writeRecords } from 'tfrecord-native';

const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
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
// As columns: captions are padded to the longest one, and `lengths` has the number of words of each.
const reader = readSequenceExamples(target, spec, { int64: 'number' });
for await (const { context, sequence, lengths } of reader.batches(16)) {
  console.log('ids    ', context['image/id'].join(' '));
  console.log('padded ', JSON.stringify(sequence['image/caption_ids']));
  console.log('lengths', lengths['image/caption_ids'].join(' '));
}
// One by one, without padding.
for await (const { context, sequence } of readSequenceExamples(target, spec)) {
  const words = sequence['image/caption'].toArray().map((word) => Buffer.from(word).toString());
  console.log(`image ${context['image/id']}: ${words.join(' ')}`);
}

// In buckets: under 4 words, 4 or 5 words, and more. A bucket gives a batch when it is full; the rest comes at the end.
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
