// Captions of images as SequenceExamples: a context, which belongs to the image, and lists, which have a step a word.
//
//   node examples/captions.mjs [target]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  RecordReader,
  encodeSequenceExample,
  int64,
  parseSequenceExample,
  parseSingleSequenceExample,
} from 'tfrecord-native';
import { fixedLen, fixedLenSequence, writeRecords } from 'tfrecord-native';

const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
const target = process.argv[2] ?? join(folder, 'captions.tfrecord');

const captions = ['a white disc on black', 'two crossed bars', 'a disc crossed by two white bars'];
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
const reader = await RecordReader.open(target);
for await (const batch of reader.batches()) {
  // Columns: captions are padded to the longest, and `lengths` has how many words each has.
  const { context, sequence, lengths } = parseSequenceExample(batch, spec, { int64: 'number' });
  console.log('ids    ', context['image/id'].join(' '));
  console.log('padded ', JSON.stringify(sequence['image/caption_ids']));
  console.log('lengths', lengths['image/caption_ids'].join(' '));

  // One record: nothing is padded.
  for (const record of batch) {
    const { context, sequence } = parseSingleSequenceExample(record, spec);
    const words = sequence['image/caption'].toArray().map((word) => Buffer.from(word).toString());
    console.log(`image ${context['image/id']}: ${words.join(' ')}`);
  }
}
rmSync(folder, { recursive: true });
