/** Records of a pipeline to columns, on a native thread. */
import { native } from '../../native';
import { callNative, viewOf, type Origin, type RecordList } from '../../record';
import { otherType, type OtherType } from '../feature';
import type { Int64As } from '../../tensor';
import type { Piece } from './columns';
import { noteRecord } from './note-type';
import { isTheBatch, parseFaultError } from './parse-fault';
import { composeBefore, takePiece, type ParsedBefore } from './parse-records';
import { giveBackParser, takeParser } from './parser';
import type { Plan } from './plan';
import type { TransientMemory } from '../columns';

/** Records in slabs, of one or more, and where each was read. */
export interface ListedRecords {
  readonly list: RecordList;
  readonly length: number;
  origin(row: number): Origin;
}

/**
 * What the records before the first at fault become. They are copied at the call, but for unseen ones: these stay as they
 * are until it settles. @throws TFRecordError for what is about the batch: its size
 */
export async function parseLater<T>(
  records: ListedRecords,
  plan: Plan,
  int64: Int64As,
  compose: (piece: Piece) => T,
  memory?: TransientMemory,
): Promise<ParsedBefore<T>> {
  const { list, length } = records;
  const parser = takeParser(plan, int64);
  try {
    if (length > 0) noteRecord(plan, recordIn(list, 0));
    const place = (row: number): Origin => records.origin(row);
    const fault = await callNative(place(0).file, () =>
      native().parserStart(parser, list.slabs, list.records, length, list.unseen),
    );
    const other = (row: number): OtherType | undefined => otherType(recordIn(list, row), plan.sequenceExample);
    const error =
      fault &&
      parseFaultError(plan, fault, place(fault.row), fault.row, isTheBatch(fault) ? undefined : other(fault.row));
    // What is about the batch comes before what is wrong with its records.
    const rows = fault === undefined ? length : isTheBatch(fault) ? 0 : fault.row;
    const piece = takePiece(parser, plan, int64, rows, { file: place(0).file, memory });
    return composeBefore({ piece, fault: error }, place, compose, other);
  } finally {
    giveBackParser(plan, int64, parser);
  }
}

/** Record `row` of `list`. */
function recordIn({ slabs, records }: RecordList, row: number): Uint8Array {
  const [slab, offset, length] = records.subarray(3 * row, 3 * row + 3) as unknown as readonly [number, number, number];
  return viewOf(slabs[slab]!, offset, offset + length);
}
