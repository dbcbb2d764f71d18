/** Inputs of most formats: each file or stream that the caller gave is one input. */
import type {
  FoundInput,
  InputFormat,
  InputOption,
  InputReader,
  UnitReader,
  PreparedInput,
  ReadSettings,
} from '../format';
import type { SourceStart } from '../../record';
import type { Survey } from '../../table';
import { partOfList, type Part } from '../job/parts';
import { inputsOf, type Inputs } from './inputs';

/** How a format reads such inputs. The members are those of {@link FoundInput}, with `inputs` as an argument. */
export interface FileReading {
  readonly uses: readonly InputOption[];
  readonly noSpec?: string | undefined;
  /** @throws TypeError for inputs that cannot be read in this format. Default: accepts all. */
  check?(inputs: Inputs): void;
  /** Returns the inputs of one part of the job. Default: whole files. */
  readonly partOf?: ((inputs: Inputs, part: Part) => Promise<Inputs>) | undefined;
  readsTwice?(settings: ReadSettings): boolean;
  /**
   * Copies `inputs`, streams among them, to the new file `path`. Default: none, for formats whose `check` accepts only
   * files.
   */
  readonly copied?: ((inputs: Inputs, settings: ReadSettings, path: string) => Promise<Inputs>) | undefined;
  prepared(inputs: Inputs, settings: ReadSettings, progress: (bytes: number) => void): Promise<PreparedFiles>;
  units(inputs: Inputs, settings: ReadSettings, measured: boolean): UnitReader;
  counts?(inputs: Inputs, settings: ReadSettings): Promise<readonly number[] | undefined>;
  survey?(inputs: Inputs, settings: ReadSettings, progress: (bytes: number) => void): Promise<Survey>;
}

/** A {@link PreparedInput} whose readers always get their settings, which may differ from those of preparing it. */
export interface PreparedFiles extends Omit<PreparedInput, 'open'> {
  open(first: number, number: number, settings: ReadSettings, place?: SourceStart): InputReader;
}

/** Returns the format that reads inputs with `reading`. */
export function filesInput(reading: FileReading): InputFormat {
  return {
    find(given) {
      reading.check?.(given);
      return Promise.resolve(foundFiles(given, reading));
    },
  };
}

function wholeFiles(inputs: Inputs, part: Part): Promise<Inputs> {
  return Promise.resolve(inputsOf(partOfList(inputs.files, part)));
}

function foundFiles(inputs: Inputs, reading: FileReading): FoundInput {
  const { uses, noSpec } = reading;
  return {
    inputs,
    uses,
    noSpec,
    partOf: async (part) => foundFiles(await (reading.partOf ?? wholeFiles)(inputs, part), reading),
    readsTwice: (settings) => reading.readsTwice?.(settings) === true,
    copied:
      reading.copied && (async (settings, path) => foundFiles(await reading.copied!(inputs, settings, path), reading)),
    async prepared(settings, progress) {
      const prepared = await reading.prepared(inputs, settings, progress);
      return {
        table: prepared.table,
        native: prepared.native,
        open: (first, number = 0, own = settings, place) => prepared.open(first, number, own, place),
        close: async () => prepared.close?.(),
      };
    },
    units: (settings, measured) => reading.units(inputs, settings, measured),
    counts: reading.counts && ((settings) => reading.counts!(inputs, settings)),
    // A survey reads whole files.
    survey:
      inputs.slice === undefined && reading.survey !== undefined
        ? (settings, progress) => reading.survey!(inputs, settings, progress)
        : undefined,
  };
}
