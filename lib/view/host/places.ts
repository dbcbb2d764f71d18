import { RecordReader, type CompressionOption } from '../../record';
import type { TFRecordError } from '../../errors';

// Stand-in until lib/record/places lands: reads on from the last place, or from the start.
export interface PlacesProgress {
  readonly records: number;
  readonly compressedBytes: number;
  readonly totalBytes: number;
  readonly complete: boolean;
}
export interface PlacedRecord {
  readonly record: number;
  readonly offset: number;
  readonly data: Uint8Array;
  readonly error?: TFRecordError | undefined;
}
export class RecordPlaces {
  progress: PlacesProgress = { records: 0, compressedBytes: 0, totalBytes: 0, complete: false };
  readonly faults: TFRecordError[] = [];
  readonly done: Promise<void>;
  #closed = false;
  readonly #path: string;
  readonly #options: { compression: CompressionOption | undefined; maxRecordBytes: number | undefined };
  constructor(
    path: string,
    options: {
      compression?: CompressionOption | undefined;
      maxRecordBytes?: number | undefined;
      signal?: AbortSignal | undefined;
      onProgress?: ((progress: PlacesProgress) => void) | undefined;
    } = {},
  ) {
    this.#path = path;
    this.#options = { compression: options.compression, maxRecordBytes: options.maxRecordBytes };
    const run = async (): Promise<void> => {
      const reader = await RecordReader.open(path, {
        ...this.#options,
        onError: (error) => {
          if (!error.code.startsWith('TFR_')) return 'throw';
          this.faults.push(error);
          return 'skip';
        },
      });
      const note = (complete: boolean): void => {
        const { compressedBytes, totalBytes } = reader.stats;
        this.progress = { records, compressedBytes, totalBytes: totalBytes ?? 0, complete };
        options.onProgress?.(this.progress);
      };
      let records = 0;
      for await (const batch of reader.batches()) {
        if (this.#closed) break;
        records = batch.origin(batch.length - 1)!.record + 1;
        note(false);
        await new Promise(setImmediate);
      }
      await reader.close();
      note(true);
    };
    this.done = run();
    this.done.catch(() => undefined);
  }
  async read(
    first: number,
    count: number,
    { maxBytes = Infinity }: { signal?: AbortSignal | undefined; maxBytes?: number | undefined } = {},
  ): Promise<PlacedRecord[]> {
    const found: PlacedRecord[] = [];
    const errors = new Map<number, TFRecordError>();
    const reader = await RecordReader.open(this.#path, {
      ...this.#options,
      onError: (error) => {
        if (error.record !== undefined) errors.set(error.record, error);
        return 'skip';
      },
    });
    let bytes = 0;
    outer: for await (const batch of reader.batches()) {
      for (let i = 0; i < batch.length; i++) {
        const { record, offset } = batch.origin(i)!;
        if (record < first) continue;
        if (record >= first + count || bytes > maxBytes) break outer;
        bytes += batch.at(i)!.length;
        found.push({ record, offset, data: batch.at(i)! });
      }
    }
    await reader.close();
    for (const [record, error] of errors) {
      if (record < first || record >= first + count || record >= this.progress.records) continue;
      found.push({ record, offset: error.offset ?? 0, data: new Uint8Array(0), error });
    }
    return found.sort((a, b) => a.record - b.record);
  }
  async close(): Promise<void> {
    this.#closed = true;
    await this.done.catch(() => undefined);
  }
}
