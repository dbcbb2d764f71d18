/** The commands by name, in the order of the help. A run loads the one that it runs, so that it starts fast. */
import type { CommandDefinition } from './context';

/** The modules of the commands, by the names that `require` takes here. */
interface Modules {
  './commands/cat': typeof import('./commands/cat');
  './commands/compare': typeof import('./commands/compare');
  './commands/convert': typeof import('./commands/convert');
  './commands/count': typeof import('./commands/count');
  './commands/diff/diff': typeof import('./commands/diff/diff');
  './commands/extract/extract': typeof import('./commands/extract/extract');
  './commands/get': typeof import('./commands/get');
  './commands/grep': typeof import('./commands/grep');
  './commands/head': typeof import('./commands/head');
  './commands/index-files': typeof import('./commands/index-files');
  './commands/info': typeof import('./commands/info');
  './commands/merge': typeof import('./commands/merge');
  './commands/repair': typeof import('./commands/repair');
  './commands/sample': typeof import('./commands/sample');
  './commands/scalars/scalars': typeof import('./commands/scalars/scalars');
  './commands/schema': typeof import('./commands/schema');
  './commands/sql': typeof import('./commands/sql');
  './commands/stats': typeof import('./commands/stats');
  './commands/tail': typeof import('./commands/tail');
  './commands/validate': typeof import('./commands/validate');
  './commands/verify/verify': typeof import('./commands/verify/verify');
  './commands/view': typeof import('./commands/view');
}

declare const require: <N extends keyof Modules>(name: N) => Modules[N];

type Table = Readonly<Record<string, () => CommandDefinition>>;

/** The commands by the heading of their group. */
export const COMMAND_GROUPS: Readonly<Record<string, Table>> = {
  'See records:': {
    head: () => require('./commands/head').headCommand,
    tail: () => require('./commands/tail').tailCommand,
    cat: () => require('./commands/cat').catCommand,
    get: () => require('./commands/get').getCommand,
    sample: () => require('./commands/sample').sampleCommand,
    grep: () => require('./commands/grep').grepCommand,
    sql: () => require('./commands/sql').sqlCommand,
    scalars: () => require('./commands/scalars/scalars').scalarsCommand,
    view: () => require('./commands/view').viewCommand,
  },
  'Describe and check:': {
    count: () => require('./commands/count').countCommand,
    info: () => require('./commands/info').infoCommand,
    schema: () => require('./commands/schema').schemaCommand,
    stats: () => require('./commands/stats').statsCommand,
    validate: () => require('./commands/validate').validateCommand,
    verify: () => require('./commands/verify/verify').verifyCommand,
    diff: () => require('./commands/diff/diff').diffCommand,
    compare: () => require('./commands/compare').compareCommand,
  },
  'Make other files:': {
    convert: () => require('./commands/convert').convertCommand,
    repair: () => require('./commands/repair').repairCommand,
    merge: () => require('./commands/merge').mergeCommand,
    extract: () => require('./commands/extract/extract').extractCommand,
    index: () => require('./commands/index-files').indexCommand,
  },
};
