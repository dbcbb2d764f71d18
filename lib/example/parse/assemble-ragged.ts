/** Ragged features: partitions cut values into rows, from the innermost outwards. */
import { quoted, type Partition, type RaggedDetails } from '../spec';
import {
  DenseTensor,
  RaggedTensor,
  wordsOf,
  type AnyRagged,
  type DType,
  type Int64As,
  type RowSplits,
  type Shape,
} from '../../tensor';
import { numbersOf } from './column-numbers';
import { valuesOf, type ColumnData } from './columns';
import { FeatureFault } from './feature-fault';
import { rowOf } from './assemble-sparse';
import { cutRows, MAX_EMPTY_ROWS, type PartitionFault } from './partition-rows';
import { tooLarge } from './too-large';

interface RaggedColumns {
  readonly name: string;
  readonly details: RaggedDetails;
  readonly values: ColumnData;
  /** Of the partitions that have a key, in their order. */
  readonly partitions: readonly ColumnData[];
}

/** Rows of a batch: record → rows (in feature lists record → steps, step → rows), then the partitions. */
export function batchRagged(columns: RaggedColumns): AnyRagged {
  const { steps } = columns.values;
  const { bounds, levels, values } = composeRagged(columns);
  return newRagged(columns.details, values, steps === undefined ? [bounds, ...levels] : [steps, bounds, ...levels]);
}

/** Rows of the one record that there is: the partitions, in feature lists step → rows before them. */
export function elementRagged(columns: RaggedColumns): AnyRagged {
  const { details, values: data } = columns;
  const { bounds, levels, values } = composeRagged(columns);
  return newRagged(details, values, data.steps === undefined ? levels : [bounds, ...levels]);
}

interface Composed {
  /** Record or step → rows of the outermost level. */
  readonly bounds: Int32Array;
  /** The outermost first. */
  readonly levels: readonly Int32Array[];
  readonly values: DenseTensor<DType, Shape, Int64As>;
}

function composeRagged(columns: RaggedColumns): Composed {
  const { details, values: data, partitions } = columns;
  checkAlignment(columns);
  const column = valuesOf(data);
  const inner: number[] = [];
  const levels: Int32Array[] = [];
  let bounds: Int32Array = data.splits as Int32Array;
  let keyed = partitions.length;
  for (const partition of details.partitions.toReversed()) {
    const own = partition.by === 'uniformRowLength' ? undefined : partitions[--keyed]!;
    const cut = cutRows({
      by: partition.by,
      length: partition.by === 'uniformRowLength' ? partition.length : 0,
      bounds,
      values: own === undefined ? NONE : numbersOf(own),
      splits: own?.splits ?? bounds,
      records: data.steps,
    });
    if ('unit' in cut) throw faultOf(columns, partition, cut);
    if ('empty' in cut) {
      const rows = (data.steps ?? bounds).length - 1;
      throw tooLarge(columns.name, rows, cut.empty, 'empty rows', MAX_EMPTY_ROWS);
    }
    // Innermost uniform partitions are dimensions of the values.
    if (partition.by === 'uniformRowLength' && levels.length === 0) inner.unshift(partition.length);
    else levels.unshift(cut.splits);
    bounds = cut.bounds;
  }
  const size = inner.reduce((product, length) => product * length, 1);
  const values = new DenseTensor<DType, Shape, Int64As>(details.dtype, [column.length / size, ...inner], column);
  return { bounds, levels, values };
}

const NONE = new Float64Array(0);

/** Feature lists of values and of partitions have the same number of steps in every record. */
function checkAlignment({ name, details, values, partitions }: RaggedColumns): void {
  const { steps } = values;
  if (steps === undefined) return;
  const keys = details.partitions.flatMap((partition) => (partition.by === 'uniformRowLength' ? [] : [partition.key]));
  for (let row = 1; row < steps.length; row++) {
    const wanted = steps[row]! - steps[row - 1]!;
    partitions.forEach(({ steps: own }, k) => {
      const found = (own as Int32Array)[row]! - (own as Int32Array)[row - 1]!;
      if (found === wanted) return;
      const expected = `as many steps in ${quoted(keys[k]!)} as the values have: ${wanted}`;
      throw new FeatureFault(row - 1, name, expected, String(found));
    });
  }
}

function faultOf({ name, values }: RaggedColumns, partition: Partition, fault: PartitionFault): FeatureFault {
  const { unit, expected, found } = fault;
  const where = partition.by === 'uniformRowLength' ? 'the values' : `${partition.by} ${quoted(partition.key)}`;
  const { steps } = values;
  if (steps === undefined) return new FeatureFault(unit, name, `${expected} (${where})`, found);
  const row = rowOf(steps, unit);
  const step = unit - steps[row]!;
  return new FeatureFault(row, name, `${expected} (${where}, step ${step})`, found);
}

function newRagged(
  { rowSplitsDtype }: RaggedDetails,
  values: DenseTensor<DType, Shape, Int64As>,
  levels: readonly Int32Array[],
): AnyRagged {
  const rowSplits: readonly RowSplits[] = rowSplitsDtype === 'int64' ? levels.map(toInt64) : levels;
  return new RaggedTensor<DType, Shape, Int64As>(values, rowSplits);
}

function toInt64(splits: Int32Array): BigInt64Array {
  const wide = new BigInt64Array(splits.length);
  const words = wordsOf(wide);
  for (let i = 0; i < splits.length; i++) words[2 * i] = splits[i]!;
  return wide;
}
