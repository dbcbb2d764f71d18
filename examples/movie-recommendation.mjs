// Writes and reads the Example of a movie recommendation, with every kind of feature that a spec can have.
//
//   node examples/movie-recommendation.mjs [target]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeExample, float, int64, readExamples, writeRecords } from 'tfrecord-native';
import { fixedLen, fixedLenSequence, ragged, sparse, varLen } from 'tfrecord-native';

const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const target = process.argv[2] ?? join(folder, 'users.tfrecord');

await writeRecords(target, [
  encodeExample({
    age: float(29),
    movie: ['Paper Rivers', 'The Lighthouse Clock'],
    movie_ratings: float([9, 9.7]),
    suggestion: 'Salt and Signal',
    suggestion_purchased: true,
    purchase_price: float(9.99),
    // Of 8 genres, how much the user likes numbers 6 and 2.
    genre: int64([6, 2]),
    liking: float([0.5, 0.9]),
    // The cast of the first movie (two names) and of the second (one).
    cast: ['Ada Quill', 'Jon Marrow', 'Mia Stern'],
    cast_lengths: int64([2, 1]),
  }),
  // A new user: features without values are left out.
  encodeExample({ age: float(41), suggestion: 'Paper Rivers' }),
]);

const spec = {
  // A fixed number of values; the default replaces a missing feature.
  age: fixedLen([], 'float32'),
  suggestion: fixedLen([], 'bytes'),
  suggestion_purchased: fixedLen([], 'int64', { default: false }),
  purchase_price: fixedLen([], 'float32', { default: 0 }),
  // Any number of values.
  movie: varLen('bytes'),
  // Any number of values, padded to the longest of the batch.
  movie_ratings: fixedLenSequence([], 'float32', { allowMissing: true, default: -1 }),
  // Indices in one feature, values in another.
  genres: sparse({ indexKey: 'genre', valueKey: 'liking', dtype: 'float32', size: 8 }),
  // Rows of different lengths.
  casts: ragged({ dtype: 'bytes', valueKey: 'cast', partitions: [{ by: 'rowLengths', key: 'cast_lengths' }] }),
};

for await (const batch of readExamples(target, spec).batches(32)) {
  for (const [name, value] of Object.entries(batch)) console.log(name.padEnd(20), value);
  console.log('genres, dense       ', JSON.stringify(batch.genres.toDense()));
}
for await (const { age, movie, casts } of readExamples(target, spec)) {
  console.log(`${age} years old, has seen ${movie.length} movies:`, JSON.stringify(casts));
}

try {
  // Throws at the row that does not fit, after all rows before it; onError can decide otherwise.
  for await (const _user of readExamples(target, { movie: fixedLen([2], 'bytes') }));
} catch (error) {
  console.log(error.code, error.message.replace(target, 'the file'));
}
