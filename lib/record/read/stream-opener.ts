import { isRanged, MemorySource, type ByteSource, type Identity, type RangedSource } from '../../io';
import { FedStream } from './fed-stream';
import { FileStream } from './file-stream';
import type { Portion, Requests, SourceStart, StreamOpener } from './input-stream';
import { RangeStream } from './range-stream';
import type { ReadPlan } from './read-options';

/** Opens the native handles of one reader, one for each kind of input. */
export interface RequestsOpener<P extends Portion> {
  /**
   * Opens the regular file of `bytes` at the path `at`, to read from `start` on. `membersAhead`: native code may inflate
   * gzip members in parallel.
   */
  ofFile(
    file: string,
    bytes: number,
    start: SourceStart | undefined,
    at: string,
    membersAhead: boolean,
    identity?: Identity,
  ): Requests<P>;
  /** Opens a handle that is fed with the bytes of `source`, in order. */
  ofFed(source: ByteSource, start: SourceStart | undefined): Requests<P>;
  /** Opens a source of which any range can be read. `reach`: how far ahead native code may want ranges, in bytes. */
  ofRanges(source: RangedSource, start: SourceStart | undefined, reach: number, identity?: Identity): Requests<P>;
}

/** Returns the opener of the streams of a reader: each input is read by the stream that fits it. */
export function streamOpener<P extends Portion>(
  plan: ReadPlan,
  requests: RequestsOpener<P>,
  findStart?: StreamOpener<P>['findStart'],
): StreamOpener<P> {
  return {
    openFile: (file, bytes, start, at, identity) =>
      new FileStream(file, bytes, plan.ahead, (members) => requests.ofFile(file, bytes, start, at, members, identity)),
    findStart,
    openBytes: (source, start, identity) =>
      readsByRanges(source)
        ? new RangeStream(source, plan, (reach) => requests.ofRanges(source, start, reach, identity))
        : new FedStream(source, start?.position ?? start?.offset ?? 0, requests.ofFed(source, start)),
  };
}

/** True if `source` is read by ranges. Bytes in memory are at hand: they are fed. */
function readsByRanges(source: ByteSource): source is ByteSource & RangedSource {
  return isRanged(source) && !(source instanceof MemorySource);
}
