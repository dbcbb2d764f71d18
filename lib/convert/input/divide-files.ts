/** Divides the records of TFRecord files among the parts of a job. */
import { advice, worded, type Message } from '../../base';
import { divideFiles, type SizedFile } from '../../record';
import { partOfList, type Part } from '../job/parts';
import { inputsOf, type InputFile, type Inputs } from './inputs';

/**
 * Returns the inputs of `part`. If there are fewer files than parts, the records of files are divided, by the saved index of a
 * file where there is one.
 */
export async function dividedInputs(inputs: Inputs, part: Part): Promise<Inputs> {
  const { files } = inputs;
  if (files.length >= part.count || !files.every(isSized)) return inputsOf(partOfList(files, part));
  const slice = await divideFiles(files, part, true);
  const { first, last, begin, shares, undivided } = slice;
  const own = files.slice(first, last).map((file, i): InputFile => {
    const share = shares[i]!;
    return i === 0 && begin !== undefined ? { ...file, share, first: begin.record } : { ...file, share };
  });
  return { ...inputsOf(own), slice, notes: undivided.map(undividedNote) };
}

function isSized(file: InputFile): file is InputFile & SizedFile {
  return file.bytes !== undefined;
}

function undividedNote(file: string): Message {
  return worded`${file} is in one part, because a compressed file can be divided only by its index.${advice` Save that first: tfrecord index ${file}`}`;
}
