/** Errors of frequent slips name the cure. */
import {
  encodeExample,
  fixedLen,
  parseExample,
  parseSingleExample,
  RecordWriter,
  writeRecords,
  type Spec,
} from '../../../lib';
import { thrown } from '../../support/thrown';

test('nested lists of numbers', () => {
  for (const options of [undefined, { numbers: 'infer' }] as const) {
    const error = thrown(() => encodeExample({ grid: [[1, 2], [3, 4]] } as never, options)); // prettier-ignore
    expect(error).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    expect((error as Error).message).toContain('"features.grid[0]"');
    expect((error as Error).message).toContain('exampleEncoder(spec) takes nested ones of numbers');
  }
});

test('an image that is one value, read by its shape', () => {
  const spec: Spec = { image: fixedLen([4, 4, 3], 'bytes') };
  const record = encodeExample({ image: new Uint8Array(48) });
  const advice = "fixedLen([], 'bytes') reads the one value, and decodeRaw() its bytes as numbers";
  for (const parse of [() => parseSingleExample(record, spec), () => parseExample([record], spec)]) {
    expect(thrown(parse)).toMatchObject({ code: 'TFR_FEATURE', message: expect.stringContaining(advice) as string });
  }
  const two = encodeExample({ image: ['a', 'b'] });
  expect(thrown(() => parseSingleExample(two, spec))).toMatchObject({
    message: expect.stringContaining("varLen('bytes') reads any number of values") as string,
  });
});

test('rows where records are written', async () => {
  const message = expect.stringContaining('(encodeExample() makes one of an object of values)') as string;
  await expect(writeRecords('never-written.tfrecord', [{ id: 1 }] as never)).rejects.toMatchObject({ message });
  await using writer = await RecordWriter.open('never-written.tfrecord');
  expect(thrown(() => writer.write({ id: 1 } as never))).toMatchObject({ message });
  expect(thrown(() => writer.write([1] as never))).not.toMatchObject({ message });
});
