import { folderError, fullPath, objectScheme, workingFolder, type TFRecordError } from '../../base';
import {
  expandPath,
  Identity,
  isRanged,
  RemoteSource,
  specialFile,
  standardInput,
  type ByteSource,
  type ClassifiedSource,
} from '../../io';
import type { InputStream, Portion, SourceStart, StreamOpener } from './input-stream';

/** A file or stream to read that has not been opened yet. */
export interface Input {
  readonly file: string;
  /** The URL of an object, of which `file` may be a part: it may hold secrets. */
  readonly url?: string;
  /** The error in place of a file: `open` throws it. */
  readonly error?: TFRecordError | undefined;
  /** Opens the input. Rejects with a TFRecordError for an error of the file system, else with the source's own error. */
  open<P extends Portion>(opener: StreamOpener<P>, start?: SourceStart): Promise<InputStream<P>>;
  /** Size in bytes; undefined if it is unknown. */
  size(): Promise<number | undefined>;
  /** True if it may be opened before its turn whatever its size is, which is known only then. Default: if it has a size. */
  readonly opensEarly?: boolean;
  /** Ends an opening that is under way, which then rejects. Default: it ends soon by itself. */
  cancel?(): void;
}

/**
 * Returns the inputs of `source` in reading order, with patterns and shard sets expanded. Rejects with TFR_CLOSED soon
 * after `isOver` returns true.
 */
export async function inputsOf(source: ClassifiedSource, isOver: () => boolean): Promise<Input[]> {
  if (source.kind === 'bytes') return [bytesInput(source.source)];
  const inputs: Input[] = [];
  const folder = source.folder ?? workingFolder();
  for (const name of source.paths) {
    for (const { path, error } of await expandPath(name, isOver, folder)) inputs.push(pathInput(path, error, folder));
  }
  return [...(source.pick?.(inputs) ?? inputs)];
}

/** A start without an offset is in a compressed input: only an index says where to begin. */
function seekable(start: SourceStart | undefined): SourceStart | undefined {
  return start !== undefined && start.offset > 0 ? start : undefined;
}

/** A source that cannot be read from `start` on is read from its first byte. */
function bytesInput(source: ByteSource, error?: TFRecordError): Input {
  return {
    file: source.name,
    error,
    async open(opener, start) {
      if (error !== undefined) throw error;
      const known = (await source.known?.()) ?? source;
      if (!isRanged(known)) return opener.openBytes(known, undefined);
      const identity = opener.findStart && (await known.identity());
      const place = seekable(start) ?? (start && identity && opener.findStart?.(known.name, identity, start));
      return opener.openBytes(known, place, identity);
    },
    async size() {
      if (source.size !== undefined) return source.size;
      try {
        return (await source.identity())?.size;
      } catch {
        return undefined; // Opening reports the error.
      }
    },
  };
}

/** The size is known once the object is opened: a look at each object of a long list would be a request too many. */
function objectInput(source: RemoteSource, error: TFRecordError | undefined): Input {
  const input = bytesInput(source, error);
  let tell: (size: number | undefined) => void;
  const size = new Promise<number | undefined>((resolve) => (tell = resolve));
  return {
    ...input,
    url: source.url,
    opensEarly: true,
    async open(opener, start) {
      try {
        const stream = await input.open(opener, start);
        tell(stream.inputBytes);
        return stream;
      } catch (reason) {
        tell(undefined);
        throw reason;
      }
    },
    size: () => size,
    cancel: () => source.cancel(),
  };
}

/** Relative paths are relative to `folder`, even if the process has changed its directory since. */
function pathInput(file: string, error: TFRecordError | undefined, folder: string | undefined): Input {
  if (file === '-') return bytesInput(standardInput());
  if (objectScheme(file) !== undefined) return objectInput(new RemoteSource(file), error);
  const at = fullPath(file, folder);
  /** The look at the file that `open` will use. */
  let looked: Promise<Identity> | undefined;
  return {
    file,
    error,
    async open(opener, start) {
      if (error !== undefined) throw error;
      // Another opening looks again: the file may be another one by then.
      const looking = looked ?? Identity.of(file, at);
      looked = undefined;
      const identity = await looking;
      const { kind, size } = identity;
      if (kind === 'folder') throw folderError(file);
      if (kind === 'file') {
        const place = seekable(start) ?? (start && opener.findStart?.(at, identity, start));
        return opener.openFile(file, size, place, at, identity);
      }
      return opener.openBytes(specialFile(file, at, kind === 'pipe'), undefined);
    },
    async size() {
      if (error !== undefined) return undefined;
      const looking = (looked ??= Identity.of(file, at));
      try {
        const { kind, size } = await looking;
        return kind === 'file' ? size : undefined;
      } catch {
        if (looked === looking) looked = undefined;
        return undefined;
      }
    },
  };
}
