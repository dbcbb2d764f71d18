import { fullPath, invalidArgValue, TFRecordError, type Text } from '../../base';
import type { Inputs } from '../input/inputs';
import type { FindOptions, InputOption } from '../format';
import { statAll } from '../images/file-calls';
import type { PictureFiles } from '../images/picture-reader';
import { NO_FILE, PictureList, UNKNOWN } from '../images/picture-list';
import type { ObjectBox, PictureSize } from './box';
import type { Classes } from './label-map';

/** A picture with the boxes of its objects. */
export interface Annotated {
  readonly filename: string;
  readonly sourceId: string;
  /** The file with the annotations. */
  readonly file: string;
  /** The size that the file says. */
  readonly size: PictureSize | undefined;
  /** True if edges are pixels; false if they are shares of the picture. */
  readonly inPixels: boolean;
  readonly boxes: readonly ObjectBox[];
  /** Faults of boxes that could not be read. */
  readonly faults: readonly TFRecordError[];
}

/** Pictures with boxes, in the order of their records. */
export interface AnnotatedPictures {
  readonly files: PictureFiles;
  /** The classes, with their numbers, if no label map says them. */
  readonly classes: Classes;
  /** Changes when an annotation does. */
  readonly sum: string;
  /** Faults of annotations without a picture. */
  readonly orphans: readonly TFRecordError[];
  readonly notes: readonly Text[];
  /** Begins to read pictures. Readers of a job do not share it. */
  reader(): AnnotationReader;
}

export interface AnnotationReader {
  /** Loads what `of` needs for picture `i`. Undefined: it is there. Default: nothing is needed. */
  ahead?(i: number): Promise<void> | undefined;
  /** @throws TFRecordError if picture `i` has no record */
  of(i: number): Annotated;
}

/** A format of data sets for object detection. */
export interface DetectionFormat {
  /** Options that apply to it, besides the label map. */
  readonly uses: readonly InputOption[];
  /** `hasMap`: true if a label map says the numbers of all classes. */
  find(folder: DataFolder, options: FindOptions, hasMap: boolean): Promise<AnnotatedPictures>;
}

/** The folder of a data set. */
export interface DataFolder {
  /** As the caller gave it. */
  readonly name: string;
  readonly path: string;
}

/** The only folder of `given`. @throws TypeError */
export function dataFolder({ files, source }: Inputs, format: string): DataFolder {
  const [only] = files;
  if (only?.isFolder !== true || files.length > 1 || source.kind !== 'paths') {
    throw invalidArgValue('input', `one folder, to read ${format}`, files.at(-1)?.file);
  }
  return { name: only.file.replace(/(?<=[^/])\/+$/, ''), path: fullPath(only.file, source.folder) };
}

/** The pictures at `paths`, relative to `folder`. An empty path stands for a picture without a record. */
export async function pictureFiles({ name, path }: DataFolder, paths: readonly string[]): Promise<PictureFiles> {
  const root = Buffer.from(path.endsWith('/') ? path : `${path}/`);
  const list = new PictureList();
  for (let at = 0; at < paths.length; at += STATS) {
    const some = paths.slice(at, at + STATS).map((each) => Buffer.from(each));
    const found = await statAll(some.map((each) => Buffer.concat([root, each])));
    for (const [i, each] of some.entries()) {
      const stats = found[i]!;
      const isThere = each.length > 0 && 'mtimeMs' in stats;
      // Reading it reports that it is missing.
      list.add(
        each.toString('latin1'),
        !isThere ? UNKNOWN : stats.isFile() ? stats.size : NO_FILE,
        isThere ? stats.mtimeMs : 0,
      );
    }
  }
  return { folder: name, root, list };
}

/** Number of files that are inspected together. */
const STATS = 2048;

/**
 * The fault of `path`, the relative path of a file in a data set, which others wrote: it must lead to a file in
 * its folder, on every system. Undefined: nothing.
 */
export function wrongPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return 'no name';
  if (!path.isWellFormed()) return 'half a surrogate pair';
  if (/[\x00-\x1f\x7f\\]/.test(path)) return 'a control character or a backslash';
  if (/^(?:\/|[a-z]:)/i.test(path)) return 'an absolute path';
  if (path.split('/').some((part) => part === '..' || part === '.' || part === ''))
    return 'a part that is empty, . or ..';
  return path.length > MAX_PATH ? `${path.length} characters` : undefined;
}

const MAX_PATH = 1024;

/** The error for a folder without pictures. */
export function noPictures({ name }: DataFolder, why: string): TFRecordError {
  return new TFRecordError('ENOENT', `ENOENT: no pictures in the folder '${name}': ${why}`, { file: name });
}
