/** Schemas that others wrote beside their data. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  int64,
  readExamples,
  readSequenceExamples,
  sparse,
  specToJSON,
  varLen,
} from '../../../lib';
import { inferSchema, readSchema, type Schema } from '../../../lib/schema';
import { SchemaProto } from '../../../lib/schema/message/metadata';
import { REAL_FILES } from '../../support/records/real-data';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const fromText = (text: string): Promise<Schema> => readSchema(folder.put('schema.pbtxt', text));
const specOf = (schema: Schema): unknown => JSON.parse(JSON.stringify(schema.toSpecJSON()));

/** Writes a folder of TFDS. */
function tfds(name: string, features: unknown, more: Readonly<Record<string, unknown>> = {}): string {
  mkdirSync(folder.at(name), { recursive: true });
  if (features !== undefined) writeFileSync(folder.at(join(name, 'features.json')), JSON.stringify(features));
  writeFileSync(folder.at(join(name, 'dataset_info.json')), JSON.stringify({ name, ...more }));
  return folder.at(name);
}

describe('schema.pbtxt', () => {
  test('shapes, value counts and types, as TFX reads them', async () => {
    const schema = await fromText(`
      # A comment.
      feature { name: "scalar" type: INT presence { min_fraction: 1 min_count: 1 } shape {} }
      feature { name: "pair" type: FLOAT presence { min_fraction: 1.0 } shape { dim { size: 2 } } }
      feature { name: "some" type: FLOAT presence { min_fraction: 0.5 } shape { dim { size: 2 } } }
      feature { name: "words" type: BYTES value_count { min: 1 max: 3 } domain: "words" }
      feature { name: "old" type: BYTES lifecycle_stage: DEPRECATED }
      feature { name: "untyped" }
      string_domain { name: "words" value: "a" value: "b" }
      default_environment: "TRAINING"
    `);
    expect(schema.recordType).toBe('Example');
    expect(specOf(schema)).toEqual({
      scalar: { type: 'fixedLen', dtype: 'int64', shape: [] },
      pair: { type: 'fixedLen', dtype: 'float32', shape: [2] },
      some: { type: 'varLen', dtype: 'float32' },
      words: { type: 'varLen', dtype: 'bytes' },
    });
    expect(schema.features.map(({ name }) => name)).toEqual(['scalar', 'pair', 'some', 'words', 'untyped']);
    expect(schema.features[3]).toMatchObject({
      kind: 'bytes',
      valueCount: { min: 1, max: 3 },
      presence: undefined,
      domain: { type: 'text', values: ['a', 'b'] },
    });
    expect(schema.features[1]).toMatchObject({
      valueCount: { min: 2, max: 2 },
      presence: { minFraction: 1, minCount: 0 },
    });
    expect(String(schema)).toContain('words');
    expect(schema.toPbtxt()).toContain('lifecycle_stage: DEPRECATED');
  });

  test('domains of numbers and truth values', async () => {
    const { features } = await fromText(`
      feature { name: "i" type: INT int_domain { min: -9223372036854775808 } }
      feature { name: "f" type: FLOAT float_domain { max: 0.1 disallow_nan: true } }
      feature { name: "b" type: INT bool_domain {} }
      feature { name: "t" type: BYTES bool_domain { true_value: "y" false_value: "n" } }
      feature { name: "m" type: BYTES distribution_constraints { min_domain_mass: 0.9 } string_domain { value: "x" } }
      feature { name: "text" type: BYTES natural_language_domain {} }
    `);
    expect(features.map(({ domain }) => domain)).toEqual([
      { type: 'int64', min: -(2n ** 63n), max: undefined },
      { type: 'float32', min: undefined, max: Math.fround(0.1), disallowNaN: true, disallowInfinity: undefined },
      { type: 'int64', min: 0n, max: 1n },
      { type: 'text', values: ['y', 'n'], minMass: undefined },
      { type: 'text', values: ['x'], minMass: 0.9 },
      undefined,
    ]);
  });

  test('sparse features', async () => {
    const { spec } = await fromText(`
      feature { name: "x" type: INT int_domain { min: 0 max: 9 } }
      feature { name: "y" type: INT int_domain { min: 0 max: 4 } }
      feature { name: "free" type: INT }
      feature { name: "v" type: FLOAT }
      feature { name: "w" type: FLOAT }
      sparse_feature { name: "grid" index_feature { name: "x" } index_feature { name: "y" } value_feature { name: "v" } is_sorted: true }
      sparse_feature { name: "open" index_feature { name: "free" } value_feature { name: "w" } }
    `);
    const grid = sparse({ indexKey: ['x', 'y'], valueKey: 'v', dtype: 'float32', size: [10, 5], alreadySorted: true });
    // Without a size, the parts are read.
    expect(specToJSON(spec)).toEqual(specToJSON({ grid, free: varLen('int64'), w: varLen('float32') }));
    const record = encodeExample({ x: int64([1n, 2n]), y: int64([0n, 4n]), v: new Float32Array([0.5, 1.5]) });
    for await (const row of readExamples(tfrecord([record]), spec)) {
      expect(row['grid']).toMatchObject({ denseShape: [10, 5] });
    }
  });

  test('tensor representations', async () => {
    const { spec } = await fromText(`
      feature { name: "d" type: INT }
      feature { name: "s" type: BYTES shape { dim { size: 2 } } }
      feature { name: "v" type: FLOAT }
      feature { name: "i" type: INT }
      feature { name: "x" type: FLOAT }
      feature { name: "values" type: FLOAT }
      feature { name: "lengths" type: INT }
      feature { name: "rest" type: BYTES }
      tensor_representation_group { key: "" value {
        tensor_representation { key: "d" value { dense_tensor { column_name: "d" shape { dim { size: 2 } } default_value { int_value: -1 } } } }
        tensor_representation { key: "s" value { dense_tensor { column_name: "s" shape { dim { size: 2 } } } } }
        tensor_representation { key: "v" value { varlen_sparse_tensor { column_name: "v" } } }
        tensor_representation { key: "sp" value { sparse_tensor { dense_shape { dim { size: 7 } } index_column_names: "i" value_column_name: "x" } } }
        tensor_representation { key: "r" value { ragged_tensor { feature_path { step: "values" } partition { row_length: "lengths" } partition { uniform_row_length: 2 } row_partition_dtype: INT32 } } }
      } }
    `);
    expect(JSON.parse(JSON.stringify(specToJSON(spec)))).toEqual({
      d: { type: 'fixedLen', dtype: 'int64', shape: [2], default: [-1, -1] },
      s: { type: 'fixedLen', dtype: 'bytes', shape: [2] },
      v: { type: 'varLen', dtype: 'float32' },
      sp: { type: 'sparse', indexKey: ['i'], valueKey: 'x', dtype: 'float32', size: [7] },
      r: {
        type: 'ragged',
        dtype: 'float32',
        valueKey: 'values',
        partitions: [
          { by: 'rowLengths', key: 'lengths' },
          { by: 'uniformRowLength', length: 2 },
        ],
      },
      rest: { type: 'varLen', dtype: 'bytes' },
    });
  });

  test('feature lists', async () => {
    const schema = await fromText(`
      feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }
      feature { name: "##SEQUENCE##" type: STRUCT struct_domain {
        feature { name: "steps" type: FLOAT shape { dim { size: 2 } } }
        feature { name: "words" type: BYTES value_count { min: 0 max: 2 } group_presence { required: true } }
      } }
    `);
    expect(schema.recordType).toBe('SequenceExample');
    expect(specOf(schema)).toEqual({
      context: { id: { type: 'fixedLen', dtype: 'int64', shape: [] } },
      sequence: {
        steps: { type: 'fixedLenSequence', dtype: 'float32', shape: [2], allowMissing: true },
        words: { type: 'ragged', dtype: 'bytes' },
      },
    });
    const record = encodeSequenceExample({ context: { id: int64(1n) }, featureLists: { words: [['a', 'b'], []] } });
    for await (const { sequence } of readSequenceExamples(tfrecord([record]), schema.spec)) {
      expect(Object.keys(sequence)).toEqual(['steps', 'words']);
    }
  });

  test('older schemas ask for the older specs, newer ones for ragged tensors', async () => {
    const text = 'feature { name: "a" type: INT value_count { min: 1 max: 1 } }';
    expect(specOf(await fromText(`generate_legacy_feature_spec: true ${text}`))).toEqual({
      a: { type: 'fixedLen', dtype: 'int64', shape: [], default: -1 },
    });
    expect(specOf(await fromText(`represent_variable_length_as_ragged: true ${text}`))).toEqual({
      a: { type: 'ragged', dtype: 'int64', rowSplitsDtype: 'int64' },
    });
  });

  test('an inferred schema comes back from its text, and from its bytes', async () => {
    const records = [
      encodeExample({ id: int64(7n), name: ['x', 'y'] }),
      encodeExample({ id: int64(8n), name: ['x'], f: [0.5] }, { numbers: 'float' }),
    ];
    const inferred = await inferSchema(tfrecord(records));
    const text = inferred.toPbtxt();
    const bytes = SchemaProto.encode(SchemaProto.fromText(text));
    for (const content of [text, bytes]) {
      const schema = await readSchema(folder.put('round', content));
      expect(specOf(schema)).toEqual({
        f: { type: 'varLen', dtype: 'float32' },
        id: { type: 'fixedLen', dtype: 'int64', shape: [] },
        name: { type: 'varLen', dtype: 'bytes' },
      });
      expect(schema.features).toMatchObject(
        inferred.features.map(({ name, kind, domain, presence }) => ({ name, kind, domain, presence })),
      );
    }
  });

  test.each([
    ['feature { name: 1 }', 'TFR_DECODE'],
    ['no_such_field: 1', 'TFR_DECODE'],
    ['feature { name: "a" type: STRUCT }', 'TFR_SPEC'],
    [
      'tensor_representation_group { key: "" value { tensor_representation { key: "a" value { varlen_sparse_tensor { column_name: "gone" } } } } }',
      'TFR_SPEC',
    ],
  ])('%s is refused, naming the file', async (text, code) => {
    await expect(fromText(text)).rejects.toMatchObject({
      name: 'TFRecordError',
      code,
      file: folder.at('schema.pbtxt'),
    });
  });
});

describe('a folder of TensorFlow Datasets', () => {
  const tensor = (dtype: string, ...dimensions: number[]): object => ({
    tensor: { shape: { dimensions: dimensions.map(String) }, dtype },
  });
  const dict = (features: object): object => ({ featuresDict: { features } });
  const sequence = (feature: object, length = -1): object => ({ sequence: { feature, length: String(length) } });

  test('the features of newer versions', async () => {
    const schema = await readSchema(
      tfds('new', {
        pythonClassName: 'tensorflow_datasets.core.features.features_dict.FeaturesDict',
        ...dict({
          image: { image: { shape: { dimensions: ['28', '28', '1'] }, dtype: 'uint8', encodingFormat: 'png' } },
          label: { classLabel: { numClasses: '10' } },
          text: { text: {} },
          flag: {
            pythonClassName: 'tensorflow_datasets.core.features.scalar.Scalar',
            tensor: { shape: {}, dtype: 'bool', encoding: 'none' },
          },
          vector: tensor('float64', 3),
          packed: { tensor: { shape: { dimensions: ['-1', '4'] }, dtype: 'uint8', encoding: 'zlib' } },
          open: tensor('int32', -1, 2),
          any: { tensor: { shape: { dimensions: ['-1', '-1'] }, dtype: 'uint8', encoding: 'bytes' } },
          audio: { audio: { shape: { dimensions: ['-1'] }, dtype: 'int64' } },
          video: { video: { shape: { dimensions: ['-1', '64', '64', '3'] } } },
          objects: sequence(dict({ bbox: { boundingBox: {} }, label: { classLabel: { numClasses: '5' } } })),
          fixed: sequence(tensor('int64'), 3),
          steps: {
            pythonClassName: 'tensorflow_datasets.core.features.dataset_feature.Dataset',
            ...sequence(dict({ action: tensor('float32', 7) })),
          },
          nested: sequence(sequence(sequence(tensor('float32', 2)))),
          speech: { translation: { languages: ['de', 'en'] } },
          many: { translation: { languages: ['de'], variableLanguagesPerExample: true } },
        }),
      }),
    );
    const of = (type: string, dtype: string, shape: number[]): object => ({
      type,
      dtype,
      shape,
      ...(type === 'fixedLenSequence' && { allowMissing: true }),
    });
    expect(specOf(schema)).toEqual({
      image: of('fixedLen', 'bytes', []),
      label: of('fixedLen', 'int64', []),
      text: of('fixedLen', 'text', []),
      flag: of('fixedLen', 'int64', []),
      vector: of('fixedLen', 'float32', [3]),
      packed: of('fixedLen', 'bytes', []),
      open: of('fixedLenSequence', 'int64', [2]),
      'any/shape': of('fixedLen', 'int64', [2]),
      'any/value': of('fixedLen', 'bytes', []),
      audio: of('fixedLenSequence', 'int64', []),
      video: of('fixedLenSequence', 'bytes', []),
      'objects/bbox': of('fixedLenSequence', 'float32', [4]),
      'objects/label': of('fixedLenSequence', 'int64', []),
      fixed: of('fixedLen', 'int64', [3]),
      'steps/action': of('fixedLenSequence', 'float32', [7]),
      nested: {
        type: 'ragged',
        dtype: 'float32',
        valueKey: 'nested/ragged_flat_values',
        partitions: [
          { by: 'rowLengths', key: 'nested/ragged_row_lengths_0' },
          { by: 'rowLengths', key: 'nested/ragged_row_lengths_1' },
          { by: 'uniformRowLength', length: 2 },
        ],
      },
      'speech/de': of('fixedLen', 'text', []),
      'speech/en': of('fixedLen', 'text', []),
      'many/language': of('fixedLenSequence', 'text', []),
      'many/translation': of('fixedLenSequence', 'text', []),
    });
    expect(schema.features.find(({ name }) => name === 'label')).toMatchObject({
      presence: { minFraction: 1 },
      domain: { type: 'int64', min: 0n, max: 9n },
    });
  });

  test('the features of older versions', async () => {
    const of = (name: string, content: unknown): object => ({
      type: `tensorflow_datasets.core.features.${name}`,
      content,
    });
    const schema = await readSchema(
      tfds(
        'old',
        of('features_dict.FeaturesDict', {
          image: of('image_feature.Image', { shape: [null, null, 3], dtype: 'uint8', encoding_format: null }),
          'image/filename': of('text_feature.Text', {}),
          objects: of('sequence_feature.Sequence', {
            feature: of('features_dict.FeaturesDict', {
              bbox: of('bounding_boxes.BBoxFeature', {}),
              label: of('class_label_feature.ClassLabel', { num_classes: 20 }),
            }),
            length: null,
          }),
          t: of('feature.Tensor', { shape: [2], dtype: 'float32' }),
          s: of('scalar.Scalar', { dtype: 'int64' }),
        }),
      ),
    );
    expect(specOf(schema)).toMatchObject({
      image: { type: 'fixedLen', dtype: 'bytes' },
      'image/filename': { dtype: 'text' },
      'objects/bbox': { type: 'fixedLenSequence', dtype: 'float32', shape: [4] },
      'objects/label': { type: 'fixedLenSequence', dtype: 'int64' },
      t: { shape: [2] },
      s: { shape: [], dtype: 'int64' },
    });
  });

  test('nested sequences are read as nested lists', async () => {
    const { spec } = await readSchema(tfds('nested', dict({ a: sequence(sequence(tensor('int64'))) })));
    const record = encodeExample({
      'a/ragged_flat_values': int64([1n, 2n, 3n]),
      'a/ragged_row_lengths_0': int64([2n, 0n, 1n]),
    });
    for await (const row of readExamples(tfrecord([record]), spec)) {
      expect((row['a'] as { toArray(): unknown }).toArray()).toEqual([[1n, 2n], [], [3n]]);
    }
  });

  test('the root may be a translation, and no single feature', async () => {
    const { features } = await readSchema(tfds('root', { translation: { languages: ['de', 'en'] } }));
    expect(features.map(({ name }) => name)).toEqual(['de', 'en']);
    await expect(readSchema(tfds('single', { type: 'a.b.Text', content: {} }))).rejects.toMatchObject({
      code: 'TFR_SPEC',
    });
  });

  test('without features.json it is refused, naming it', async () => {
    const path = tfds('without', undefined);
    await expect(readSchema(path)).rejects.toMatchObject({
      code: 'TFR_DECODE',
      file: path,
      expected: 'features.json',
      message: expect.stringContaining('features.json') as string,
    });
    await expect(readSchema(join(path, 'dataset_info.json'))).rejects.toMatchObject({ code: 'TFR_DECODE' });
  });

  test.each<[string, object, string]>([
    ['a class of its own', { a: { pythonClassName: 'my.Molecule', content: {} } }, 'a'],
    ['complex numbers', { b: tensor('complex64') }, 'b'],
    ['sizes that are unknown within', { c: sequence(tensor('int64', -1)) }, 'c'],
    ['a shape that is none', { d: { tensor: { shape: 'x', dtype: 'int64' } } }, 'd'],
    ['two features of one name', { 'x/y': tensor('int64'), x: dict({ y: tensor('int64') }) }, 'x/y'],
  ])('%s: refused, naming the feature', async (_, features, feature) => {
    const path = tfds('wrong', dict(features));
    await expect(readSchema(path)).rejects.toMatchObject({
      code: 'TFR_SPEC',
      feature,
      file: join(path, 'features.json'),
    });
  });
});

test('a spec as JSON, of both kinds of records', async () => {
  const spec = { id: fixedLen([], 'int64'), tags: varLen('bytes'), type: varLen('bytes') };
  const schema = await readSchema(pathToFileURL(folder.put('spec.json', JSON.stringify(specToJSON(spec)))));
  expect(specOf(schema)).toEqual(specToJSON(spec));
  expect(schema.features).toMatchObject([
    { name: 'id', kind: 'int64', presence: { minFraction: 1 }, valueCount: { min: 1, max: 1 } },
    { name: 'tags', kind: 'bytes', presence: undefined },
    { name: 'type' },
  ]);
  const sequence = { context: {}, sequence: { l: { type: 'ragged', dtype: 'int64' } } };
  const other = await readSchema(folder.put('sequence.json', JSON.stringify(sequence)));
  expect([other.recordType, specOf(other)]).toEqual(['SequenceExample', sequence]);
});

test.each<[string, string | Uint8Array]>([
  ['JSON that is cut', '{"a": '],
  ['a name twice', '{"a": {"type": "varLen", "dtype": "int64"}, "a": {"type": "varLen", "dtype": "int64"}}'],
  ['other text', 'Once upon a time'],
  ['no bytes of a schema', Uint8Array.of(0xff, 0xff, 0xff)],
  ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)],
])('%s is no schema', async (_, content) => {
  const file = folder.put('none', content);
  await expect(readSchema(file)).rejects.toMatchObject({ name: 'TFRecordError', code: 'TFR_DECODE', file });
});

test('wrong arguments and missing files', async () => {
  await expect(readSchema(1 as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  await expect(readSchema(folder.at('nowhere'))).rejects.toMatchObject({ code: 'ENOENT' });
  mkdirSync(folder.at('empty'));
  await expect(readSchema(folder.at('empty'))).rejects.toMatchObject({ code: 'TFR_DECODE', file: folder.at('empty') });
});

const sets = join(REAL_FILES, '..', 'sets');
const real = ((): string[] => {
  try {
    return readdirSync(sets);
  } catch {
    return [];
  }
})();
if (!real.includes('tfx-taxi')) {
  test.todo('real sets: no sets/tfx-taxi in TFRECORD_REAL_DATA or ../shared/data: skipped');
} else {
  test.each([
    ['tfx-taxi/schema.pbtxt', 'tfx-taxi/Split-eval/*', 5091],
    ['tfx-sequence', 'tfx-sequence/Split-eval/*', 4500],
    ['tfds-para_crawl/ende/1.2.0', 'tfds-para_crawl/ende/1.2.0/*.tfrecord*', 10],
  ])('the spec from %s parses its data', async (path, files, count) => {
    const { spec, recordType } = await readSchema(join(sets, path));
    const source = join(sets, files);
    let rows = 0;
    const reader = recordType === 'Example' ? readExamples(source, spec) : readSequenceExamples(source, spec);
    for await (const _ of reader) rows++;
    expect(rows).toBe(count);
  });
}
