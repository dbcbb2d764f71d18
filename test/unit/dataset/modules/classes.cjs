// What the values are in the worker: names of classes, and what their methods say.
'use strict';

const told = (value) => ({
  name: value.constructor.name,
  rows: value.toArray?.(),
  first: value.origin && value.at(0),
  origin: value.origin?.(0),
});

module.exports = (value) => (value.constructor === Object ? Object.values(value).map(told) : told(value));
