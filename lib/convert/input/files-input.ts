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
  prepared(inputs: Inputs, settings: ReadSettings, progress: (bytes: number) => void): Promise<PreparedFiles>;
  units(inputs: Inputs, settings: ReadSettings): InputReader;
  survey?(inputs: Inputs, settings: ReadSettings, progress: (bytes: number) => void): Promise<Survey>;
}

/** A {@link PreparedInput} that is always told the settings of the reader: they may be others than it was prepared with. */
export interface PreparedFiles extends Omit<PreparedInput, 'open'> {
  open(first: number, number: number, settings: ReadSettings): InputReader;
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
    async prepared(settings, progress) {
      const prepared = await reading.prepared(inputs, settings, progress);
      return {
        table: prepared.table,
        open: (first, number = 0, own = settings) => prepared.open(first, number, own),
        close: async () => prepared.close?.(),
      };
    },
    units: (settings) => reading.units(inputs, settings),
    survey: reading.survey && ((settings, progress) => reading.survey!(inputs, settings, progress)),
  };
}
