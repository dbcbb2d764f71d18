/** Rooms and packages that some commands need. They are loaded at their first use, so that the other commands start fast. */

/** Their types, by the names that `require` takes here. */
interface Modules {
  '../convert': typeof import('../convert');
  '../convert/describe': typeof import('../convert/describe');
  '../dataset': typeof import('../dataset');
  '../events': typeof import('../events');
  '../example': typeof import('../example');
  '../messages': typeof import('../messages');
  '../schema': typeof import('../schema');
  '../schema/tfds': typeof import('../schema/tfds');
  '../sql': typeof import('../sql');
  '../view': typeof import('../view');
  'cli-progress': typeof import('cli-progress');
  'cli-table3': typeof import('cli-table3');
  'csv-stringify/sync': typeof import('csv-stringify/sync');
  pngjs: typeof import('pngjs');
  wavefile: typeof import('wavefile');
}

declare const require: <N extends keyof Modules>(name: N) => Modules[N];

export const onDemand = {
  get cliProgress() {
    return require('cli-progress');
  },
  get cliTable() {
    return require('cli-table3');
  },
  get convert() {
    return require('../convert');
  },
  get describe() {
    return require('../convert/describe');
  },
  get csvStringify() {
    return require('csv-stringify/sync');
  },
  get dataset() {
    return require('../dataset');
  },
  get events() {
    return require('../events');
  },
  get example() {
    return require('../example');
  },
  get messages() {
    return require('../messages');
  },
  get pngjs() {
    return require('pngjs');
  },
  get schema() {
    return require('../schema');
  },
  get tfds() {
    return require('../schema/tfds');
  },
  get sql() {
    return require('../sql');
  },
  get view() {
    return require('../view');
  },
  get wavefile() {
    return require('wavefile');
  },
} as const;
