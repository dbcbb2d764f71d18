'use strict';
module.exports = (value) => 2 * value;
