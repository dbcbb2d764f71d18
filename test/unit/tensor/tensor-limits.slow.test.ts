/** A ragged tensor of two million rows that does not fit into a dense array. */
import { DenseTensor, RaggedTensor } from '../../../lib';
import { thrown } from '../../support/thrown';

const TOO_LARGE = { name: 'TFRecordError', code: 'TFR_RECORD_TOO_LARGE' };

describe('toDense of a shape that no array holds', () => {
  test('a ragged tensor of many rows, one of them long', () => {
    const splits = new Int32Array(70_001).fill(70_000, 1);
    const values = new DenseTensor('int64', [70_000], new BigInt64Array(70_000));
    expect(thrown(() => new RaggedTensor(values, [splits]).toDense())).toMatchObject(TOO_LARGE);
    const wide = new DenseTensor('int64', [2, 1000], new BigInt64Array(2000));
    const rows = new RaggedTensor(wide, [Int32Array.from({ length: 2_200_001 }, (_, i) => Math.min(i, 2))]);
    expect(thrown(() => rows.toDense())).toMatchObject(TOO_LARGE);
  });
});
