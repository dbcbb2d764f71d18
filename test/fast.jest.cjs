'use strict';

/**
 * `npm test`: all but `*.slow.test.ts`, in less than two minutes on two free cores.
 *
 * @type {import('jest').Config}
 */
module.exports = { ...require('../jest.config.cjs'), testMatch: ['**/!(*.slow).test.ts'] };
