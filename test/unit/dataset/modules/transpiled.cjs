// What compilers make of `export default`.
'use strict';

Object.defineProperty(exports, '__esModule', { value: true });
exports.default = (value) => -value;
