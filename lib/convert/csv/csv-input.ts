/** Reads CSV and TSV: a row becomes an Example. */
import { invalidArgValue } from '../../base';
import type { Framing } from '../../record';
import type { InputFormat, ReadSettings, UnitReader } from '../format';
import { copyRecords } from '../input/copy-input';
import { DecodingReader } from '../input/decoding-reader';
import { filesInput } from '../input/files-input';
import { FramedReader, silentPolicy } from '../input/framed-input';
import type { Inputs } from '../input/inputs';
import { SurveyedLines } from '../input/surveyed-lines';
import { columnsOfSpec } from './csv-columns';
import { RowDecoder, tableOf } from './row-decoder';
import { CSV_OPTIONS, RowSplitter, type Delimiter } from './row-splitter';
import { CsvSurvey } from './surveyed-columns';

/** The format called `name`. `usual` separates fields, unless the caller sets another delimiter. */
export function csvInput(name: string, usual: Delimiter): InputFormat {
  const framing = ({ csv }: ReadSettings): Framing => new RowSplitter(csv.delimiter ?? usual).framing;
  const units = (inputs: Inputs, settings: ReadSettings): UnitReader =>
    new FramedReader(inputs, 0, settings, { framing: framing(settings), policy: silentPolicy(settings.policy) });
  return filesInput({
    uses: CSV_OPTIONS,
    readsTwice: ({ spec }) => spec === undefined,
    async copied(inputs, settings, path) {
      if (inputs.files.length > 1) {
        const expected = `files, or one stream alone: ${name} of each begins with a header`;
        throw invalidArgValue('input', expected, undefined);
      }
      return copyRecords(inputs, settings, path, framing(settings));
    },
    units,
    async prepared(inputs, settings, progress) {
      const { spec, choice } = settings;
      const delimiter = settings.csv.delimiter ?? usual;
      // With a spec, the inputs are read once.
      const lines = spec === undefined ? new SurveyedLines(inputs) : undefined;
      const columns =
        spec === undefined
          ? await new CsvSurvey(inputs, settings, delimiter).run(units(inputs, settings), lines!, progress)
          : columnsOfSpec(spec, choice);
      return {
        table: spec === undefined ? tableOf([...columns.rules.values()]) : undefined,
        open(first, _number, own) {
          const decoder = new RowDecoder(columns, delimiter, inputs, own);
          return new DecodingReader(inputs, first, own, framing(own), decoder, lines?.again(first, own.policy));
        },
      };
    },
  });
}
