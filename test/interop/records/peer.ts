/** TensorFlow's writer and reader of record files, see peer.py. */
import { Peer } from '../peer';

export type TensorFlowCompression = '' | 'GZIP' | 'ZLIB';
/** A record to make: its size and whether it compresses, or its data in hex. */
export type Made = readonly [size: number, kind: 'noise' | 'text'] | string;

export interface WriteRequest {
  readonly op: 'write';
  readonly file: string;
  readonly compression: TensorFlowCompression;
  readonly records: readonly Made[];
  readonly options?: Readonly<Record<string, number>>;
  readonly flushAfter?: number;
}
export interface ReadRequest {
  readonly op: 'read';
  readonly file: string;
  readonly compression: TensorFlowCompression;
  readonly via?: 'iterator' | 'dataset';
}
/** The number of records, and the SHA-256 over every record's length (uint64) and data. */
export interface Digest {
  readonly records: number;
  readonly sha256: string;
}
export interface WriteAnswer extends Digest {
  readonly fileBytes: number;
}
export interface ReadAnswer extends Digest {
  /** Name of TensorFlow's error class; null after a clean end. */
  readonly error: string | null;
  readonly message: string | null;
}

export class RecordPeer extends Peer {
  constructor() {
    super('records/peer.py');
  }

  ask(request: WriteRequest): Promise<WriteAnswer>;
  ask(request: ReadRequest): Promise<ReadAnswer>;
  ask(request: WriteRequest | ReadRequest): Promise<WriteAnswer | ReadAnswer> {
    return this.exchange<WriteAnswer | ReadAnswer>(request);
  }
}
