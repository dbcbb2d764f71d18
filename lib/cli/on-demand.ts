/** Rooms and packages that some commands need. They are loaded at their first use, so that the other commands start fast. */
/* eslint-disable @typescript-eslint/no-require-imports -- loaded when they are needed */

export const onDemand = {
  get cliProgress() {
    return require('cli-progress') as typeof import('cli-progress');
  },
  get cliTable() {
    return require('cli-table3') as typeof import('cli-table3');
  },
  get convert() {
    return require('../convert') as typeof import('../convert');
  },
  get csvStringify() {
    return require('csv-stringify/sync') as typeof import('csv-stringify/sync');
  },
  get dataset() {
    return require('../dataset') as typeof import('../dataset');
  },
  get schema() {
    return require('../schema') as typeof import('../schema');
  },
  get sql() {
    return require('../sql') as typeof import('../sql');
  },
  get view() {
    return require('../view') as typeof import('../view');
  },
} as const;
