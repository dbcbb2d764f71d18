/** Prints scalars as a table, as CSV and as JSON Lines. */
import type { ValueBlock } from '../../../events';
import type { Context } from '../../context';
import { shownJson } from '../../duckdb-json';
import { onDemand } from '../../on-demand';
import type { LineWriter } from '../../terminal/streams';
import { tableText } from '../../terminal/table';
import { lineText, plural } from '../../terminal/text';

/** Prints the values of blocks. */
export interface ScalarPrinter {
  /** Returns a promise if the caller should wait. */
  block(block: ValueBlock): Promise<void> | undefined;
  /** True if no more values are printed. */
  readonly full: boolean;
  end(): Promise<void> | undefined;
}

export const SCALAR_COLUMNS = ['run', 'tag', 'step', 'wall_time', 'value'] as const;
/** Maximum number of rows in a table, which needs all of them to compute its widths. */
const MAX_SHOWN = 1000;

/** Prints a line for each value. */
export function linePrinter(form: 'csv' | 'json', out: LineWriter): ScalarPrinter {
  const block = form === 'csv' ? csvBlocks(out) : jsonBlocks(out);
  return { full: false, block, end: () => undefined };
}

function csvBlocks(out: LineWriter): ScalarPrinter['block'] {
  const { ScalarCsv } = onDemand.events;
  const csv = new ScalarCsv(onDemand.csvStringify.stringify);
  // An error of writing is thrown by the next flush.
  out.line(ScalarCsv.header)?.catch(() => undefined);
  return (block) => out.line(csv.lines(block));
}

/** Runs and tags are quoted once. */
function jsonBlocks(out: LineWriter): ScalarPrinter['block'] {
  const { float64Json, textJson } = onDemand.example;
  let run = '';
  /** The beginnings of lines, by the numbers of the run's tags. */
  let heads: string[] = [];
  let tags: ValueBlock['tags'] = [];
  return (block) => {
    if (block.tags !== tags) {
      ({ tags } = block);
      heads = [];
      run = textJson(block.run);
    }
    const { rows, tagIds, steps, wallTimes, scalars } = block;
    let lines = '';
    for (let row = 0; row < rows; row++) {
      const tag = tagIds[row]!;
      const head = (heads[tag] ??= `{"run":${run},"tag":${textJson(tags[tag]!.name)},"step":`);
      if (row > 0) lines += '\n';
      lines += `${head}${steps[row]!},"wall_time":${float64Json(wallTimes[row]!)},"value":${float64Json(scalars[row]!)}}`;
    }
    return out.line(lines);
  };
}

/** Prints a table of the first values. */
export function tablePrinter({ out, reporter, streams }: Context): ScalarPrinter {
  const { float64Json } = onDemand.example;
  const shown: string[][] = [];
  let full = false;
  return {
    get full() {
      return full;
    },
    block({ run, tags, rows, tagIds, steps, wallTimes, scalars }) {
      for (let row = 0; row < rows && !full; row++) {
        full = shown.length === MAX_SHOWN;
        if (full) break;
        const numbers = [wallTimes[row]!, scalars[row]!].map((value) => shownJson(float64Json(value)));
        shown.push([lineText(run), lineText(tags[tagIds[row]!]!.name), String(steps[row]), ...numbers]);
      }
      return undefined;
    },
    end() {
      if (full) reporter.note(`only the first ${plural(MAX_SHOWN, 'value')}: --json, --csv and -o give all`);
      if (shown.length === 0) return undefined;
      return out.line(tableText(SCALAR_COLUMNS, shown, { right: [2, 3, 4], stdout: streams.stdout }));
    },
  };
}
