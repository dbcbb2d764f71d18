/** Reads data sets of COCO: the JSON file of the instances, and a folder of pictures. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

import { codeOf, fromNodeError, fullPath, invalidArgValue, TFRecordError } from '../../../base';
import { noPictures, pictureFiles, type DataFolder, type DetectionFormat } from '../annotated';
import { detectionInput } from '../detection-input';
import { Instances } from './instances';

/** Number of pictures that show which folder they are in. */
const LOOKED_AT = 20;

const coco: DetectionFormat = {
  uses: ['labels'],
  async find(folder, { labels, signal }, _hasMap) {
    const path = labels === undefined ? await annotationsIn(folder) : fullPath(labels, undefined);
    const inFolder = relative(folder.path, path).split(sep).join('/');
    const isInside = !inFolder.startsWith('../') && inFolder !== path;
    const file = labels ?? `${folder.name}/${inFolder}`;
    const instances = await Instances.read(file, path, signal);
    const { images, orphans, sum } = instances;
    if (images.length === 0) throw noPictures(folder, `${file} lists none`);
    const names = images.map(({ name }) => name);
    const place = await placeOf(
      folder,
      names.filter((name) => name !== undefined).slice(0, LOOKED_AT),
      isInside ? inFolder : basename(path),
    );
    const paths = names.map((name) => (name === undefined ? '' : `${place}${name}`));
    const files = await pictureFiles(folder, paths);
    return { files, classes: instances.classes(), sum, orphans, notes: [], reader: () => instances };
  },
};

export const cocoInput = detectionInput('COCO', coco);

/** The path of the only file of instances in `folder`. @throws TypeError for several; TFRecordError ENOENT */
async function annotationsIn({ name, path }: DataFolder): Promise<string> {
  const found: string[] = [];
  for (const sub of ['', 'annotations']) {
    try {
      for (const entry of await readdir(join(path, sub))) {
        if (/\.json$/i.test(entry) && !entry.startsWith('.')) found.push(join(sub, entry));
      }
    } catch (error) {
      if (sub === '' || codeOf(error) !== 'ENOENT') throw fromNodeError(error, name, 'scandir');
    }
  }
  const instances = found.filter((each) => /^instances/i.test(basename(each)));
  const files = instances.length > 0 ? instances : found.filter((each) => !OTHERS.test(basename(each)));
  const [file, another] = files.sort();
  if (file === undefined) {
    const message = `ENOENT: no annotations in the folder '${name}': expected a file such as annotations/instances_train2017.json`;
    throw new TFRecordError('ENOENT', message, { file: name });
  }
  if (another === undefined) return join(path, file);
  throw invalidArgValue('options.labels', 'one of the files of annotations', files.join(', '));
}

/** Files of COCO with other annotations than instances. */
const OTHERS = /^(?:captions|person_keypoints|stuff|panoptic|image_info)/i;

/** The folder, with a slash at its end, in which the pictures `names` are. `annotations`: the path of their file. */
async function placeOf({ path }: DataFolder, names: readonly string[], annotations: string): Promise<string> {
  const split = basename(annotations).replace(/^instances_|\.json$/gi, '');
  const beside = dirname(annotations);
  const places = [beside === '.' ? '' : `${beside}/`, '', 'images/', `${split}/`, `images/${split}/`, 'data/'];
  for (const name of names) {
    for (const place of places) {
      const stats = await stat(join(path, place, name)).catch(() => undefined);
      if (stats?.isFile() === true) return place;
    }
  }
  return '';
}
