'use strict';
/**
 * Writes, reads, parses and converts records, and reads damaged ones: the same work in Node and in every process of Electron that has
 * Node. Resolves with what came of it, as JSON.
 */
const { createHash } = require('node:crypto');
const { readFile, writeFile } = require('node:fs/promises');
const { join } = require('node:path');

const tfrecord = require('tfrecord-native');
const { convert } = require('tfrecord-native/convert');

const RECORDS = 5000;

/** `folder`: where the files go. `name`: the beginning of their names, one for each process. */
async function work(folder, name) {
  const file = (ending) => join(folder, `${name}${ending}`);
  const spec = {
    id: tfrecord.fixedLen([], 'int64'),
    score: tfrecord.fixedLen([], 'float32'),
    tags: tfrecord.varLen('text'),
  };
  const examples = Array.from({ length: RECORDS }, (_, id) =>
    tfrecord.encodeExample({ id: tfrecord.int64(id), score: tfrecord.float(id / 4), tags: [`t${id % 7}`, 'all'] }),
  );
  await tfrecord.writeRecords(file('.tfrecord.gz'), examples);

  const hash = createHash('sha256');
  let read = 0;
  for await (const record of tfrecord.readRecords(file('.tfrecord.gz'))) {
    hash.update(record);
    read++;
  }
  let ids = 0n;
  let scores = 0;
  let texts = 0;
  for await (const { id, score, tags } of tfrecord.readExamples(file('.tfrecord.gz'), spec).batches(512)) {
    for (const value of id) ids += value;
    for (const value of score) scores += value;
    texts += tags.values.length;
  }

  await convert(file('.tfrecord.gz'), file('.jsonl'));
  const lines = await readFile(file('.jsonl'), 'utf8');
  await convert(file('.jsonl'), file('.back.tfrecord'));

  const bytes = await readFile(file('.back.tfrecord'));
  const blob = await tfrecord.countRecords(new Blob([bytes]));
  bytes[bytes.length - 5] ^= 1;
  await writeFile(file('.damaged.tfrecord'), bytes);
  const damage = await tfrecord.countRecords(file('.damaged.tfrecord')).catch(({ code, record }) => ({ code, record }));
  return {
    read,
    sha256: hash.digest('hex'),
    sums: [String(ids), scores, texts],
    lines: createHash('sha256').update(lines).digest('hex'),
    first: lines.slice(0, lines.indexOf('\n')),
    blob,
    damage,
  };
}

/** Reads `file` again and again. Resolves when it has begun. */
async function readForever(file) {
  const begun = new Promise((resolve) => {
    void (async () => {
      for (;;) for await (const record of tfrecord.readRecords(file)) resolve(record.length);
    })();
  });
  return await begun;
}

module.exports = { readForever, work };
