'use strict';

/**
 * `npm run test:slow`: the tests that `npm test` leaves out.
 *
 * @type {import('jest').Config}
 */
module.exports = { ...require('../jest.config.cjs'), testMatch: ['**/*.slow.test.ts'] };
