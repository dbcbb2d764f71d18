import {
  countRecords,
  readRecords,
  readRecordsSync,
  RecordReader,
  TFRecordError,
  type Origin,
  type ReadOptions,
  type RecordSource,
} from '../../../lib';

/** The outcome of reading: every record, and the error at the end, if any. */
export interface Outcome {
  /** Payloads in hexadecimal; for the way that only counts, their number. */
  readonly records: readonly string[] | number | undefined;
  readonly code: string | undefined;
  readonly record: number | undefined;
  readonly offset: number | undefined;
  readonly file: string | undefined;
}

/** A way to read a source to its end. */
export interface WayToRead {
  readonly name: string;
  readonly sync: boolean;
  run(source: RecordSource, options: ReadOptions): Promise<Outcome>;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

async function outcome(
  records: string[],
  read: () => Promise<void> | void,
  place = (): Origin | undefined => undefined,
): Promise<Outcome> {
  try {
    await read();
    return { records, code: undefined, record: undefined, offset: undefined, file: undefined };
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    const { code, record, offset, file } = error;
    const last = place();
    // The last record handed out must precede the one at fault.
    if (last !== undefined && record !== undefined && last.record >= record) throw new Error('origin after the error');
    return { records, code, record, offset, file };
  }
}

export const WAYS_TO_READ: readonly WayToRead[] = [
  {
    name: 'records',
    sync: false,
    run(source, options) {
      const records: string[] = [];
      return outcome(records, async () => {
        for await (const record of readRecords(source, options)) records.push(hex(record));
      });
    },
  },
  {
    name: 'batches',
    sync: false,
    async run(source, options) {
      const records: string[] = [];
      let reader: RecordReader | undefined;
      return outcome(
        records,
        async () => {
          reader = await RecordReader.open(source, options);
          for await (const batch of reader.batches()) for (const record of batch) records.push(hex(record));
        },
        () => reader?.origin,
      );
    },
  },
  {
    name: 'sync',
    sync: true,
    run(source, options) {
      const records: string[] = [];
      return outcome(records, () => {
        for (const record of readRecordsSync(source as string, options)) records.push(hex(record));
      });
    },
  },
  {
    name: 'count',
    sync: false,
    async run(source, options) {
      let count: number | undefined;
      const result = await outcome([], async () => {
        count = await countRecords(source, options);
      });
      return { ...result, records: count };
    },
  },
];
