/** The options of reading logs, and what they mean for a reading. */
import { checkBoolean, checkInteger, checkOptions, invalidArgType, invalidArgValue, isList, isOneOf } from '../base';
import type { ClassifiedSource } from '../io';
import { READ_OPTION_NAMES, resolveReadOptions, type ReadOptions, type ReadPlan } from '../record';
import { EVENT_KINDS, type EventKind } from './event-values';
import type { LogPlan, LogRecords } from './log-reading';
import { tagMatcher } from './tag-patterns';

/** Options of {@link readEvents}, besides those of reading records. Unknown names throw. */
export interface EventOptions<K extends EventKind = EventKind> extends ReadOptions {
  /** The tags to read: names, in which `*` stands for any characters and `?` for one. Default: all. */
  readonly tags?: string | readonly string[] | undefined;
  /** The kinds of values to read. Others are not decoded. Default: all. */
  readonly kinds?: readonly K[] | undefined;
  /**
   * True to keep the values of steps that were logged again after a restart. Default false: they are left out as TensorBoard
   * does it, so the first value of a run is given after the run was read. Up to 8 MiB of values are held; the files of a
   * longer run are read twice, and a longer stream, which cannot be read twice, is held as a whole.
   */
  readonly keepRestarted?: boolean | undefined;
  /**
   * True to go on with values that are added to the files, and with new files and runs, until `signal` aborts or the
   * loop is left. A record that is cut at the end of a file is waited for. A restart leaves out nothing that was given
   * before. For paths of files only; compressed files are read once. A file that lost bytes, or was replaced by another one,
   * is an error, TFR_STATE_MISMATCH; if `onError` skips it, the file is read from its beginning. So is a file that was
   * written anew in its place, if the last record that was read is no longer there; other changes before it remain unseen.
   * `onError: 'salvage'` is refused. Default: false.
   */
  readonly follow?: boolean | undefined;
  /** With `follow`: time between two looks at the files, in ms, from 10 to 86,400,000. Default: 500. */
  readonly pollMs?: number | undefined;
}

const OPTION_NAMES = ['tags', 'kinds', 'keepRestarted', 'follow', 'pollMs', ...READ_OPTION_NAMES] as const;
const DEFAULT_POLL_MS = 500;
const DAY_MS = 86_400_000;

/** Options that were checked. */
interface EventPlan extends LogPlan {
  readonly follows: boolean;
  readonly pollMs: number;
}

/** Checks `options`. `open` opens the records of a reading. @throws TypeError or RangeError for wrong options */
export function resolveEventOptions(
  options: EventOptions | undefined,
  open: (source: ClassifiedSource, read: ReadPlan) => LogRecords,
): EventPlan {
  const { tags, kinds, keepRestarted, follow, pollMs, ...reading } = checkOptions(options, OPTION_NAMES);
  const follows = checkBoolean('options.follow', follow, false);
  return {
    follows,
    pollMs: checkInteger('options.pollMs', pollMs, 10, DAY_MS, DEFAULT_POLL_MS),
    read: resolveReadOptions(reading),
    open,
    choice: { kinds: new Set(checkKinds(kinds)), tag: tagMatcher(tags) },
    keepsObsolete: checkBoolean('options.keepRestarted', keepRestarted, false),
  };
}

function checkKinds(kinds: unknown): readonly EventKind[] {
  if (kinds === undefined) return EVENT_KINDS;
  const expected = `a list of ${EVENT_KINDS.map((kind) => `"${kind}"`).join(', ')}`;
  if (!isList(kinds)) throw invalidArgType('options.kinds', expected, kinds);
  return kinds.map((kind: unknown, i) => {
    if (typeof kind === 'string' && isOneOf(EVENT_KINDS, kind)) return kind;
    throw invalidArgValue(`options.kinds[${i}]`, expected, kind);
  });
}
