// Arrays of three dimensions and any size, as of a Minecraft schematic, to records and back.
//
//   node examples/schematics.mjs
import { encodeRecords, exampleEncoder, fixedLen, readExamples, varLen } from 'tfrecord-native';

const spec = {
  name: fixedLen([], 'text'),
  shape: fixedLen([3], 'int64'),
  blocks: varLen('int64'),
  palette: varLen('text'),
};
const encode = exampleEncoder(spec);

const house = {
  name: 'house',
  palette: ['air', 'stone', 'glass'],
  blocks: [
    [
      [1, 1],
      [1, 2],
    ],
    [
      [0, 0],
      [0, 2],
    ],
    [
      [1, 1],
      [1, 1],
    ],
  ],
};
const shape = [house.blocks.length, house.blocks[0].length, house.blocks[0][0].length];
// Nested lists are flattened in row-major order.
const file = encodeRecords([encode({ ...house, shape })], { compression: 'gzip' });

for await (const { name, shape: size, blocks, palette } of readExamples(file, spec, { int64: 'number' })) {
  const [height, length, width] = size.data;
  const at = (y, z, x) => palette[blocks[(y * length + z) * width + x]];
  console.log(`${name}: ${height} x ${length} x ${width}, ${at(0, 1, 1)} at 0, 1, 1, and ${at(1, 0, 0)} at 1, 0, 0`);
}
