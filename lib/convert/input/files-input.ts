/** Inputs of most formats: files and streams, each of them one input, as the caller gave them. */
import type { FoundInput, InputFormat, InputOption, InputReader, PreparedInput, ReadSettings } from '../format';
import type { Survey } from '../../table';
import { partOfList } from '../job/parts';
import { inputsOf, type Inputs } from './inputs';

/** The work of a format on such inputs. The members are those of {@link FoundInput}, for any `inputs`. */
export interface FileReading {
  readonly uses: readonly InputOption[];
  readonly noSpec?: string | undefined;
  /** @throws TypeError for inputs that cannot be read in this format. Default: it takes all. */
  check?(inputs: Inputs): void;
  readsTwice?(settings: ReadSettings): boolean;
  /** Copies `inputs`, streams among them, to the new file `path`. Default: `check` takes files only. */
  readonly copied?: ((inputs: Inputs, settings: ReadSettings, path: string) => Promise<Inputs>) | undefined;
  prepared(inputs: Inputs, settings: ReadSettings, progress: (bytes: number) => void): Promise<PreparedInput>;
  units(inputs: Inputs, settings: ReadSettings): InputReader;
  survey?(inputs: Inputs, settings: ReadSettings, progress: (bytes: number) => void): Promise<Survey>;
}

/** Returns the format whose inputs `reading` reads. */
export function filesInput(reading: FileReading): InputFormat {
  return {
    find(given) {
      reading.check?.(given);
      return Promise.resolve(foundFiles(given, reading));
    },
  };
}

function foundFiles(inputs: Inputs, reading: FileReading): FoundInput {
  const { uses, noSpec } = reading;
  return {
    inputs,
    uses,
    noSpec,
    partOf: (part) => foundFiles(inputsOf(partOfList(inputs.files, part)), reading),
    readsTwice: (settings) => reading.readsTwice?.(settings) === true,
    copied:
      reading.copied && (async (settings, path) => foundFiles(await reading.copied!(inputs, settings, path), reading)),
    prepared: (settings, progress) => reading.prepared(inputs, settings, progress),
    units: (settings) => reading.units(inputs, settings),
    survey: reading.survey && ((settings, progress) => reading.survey!(inputs, settings, progress)),
  };
}
