// An ES module: adds what it was given, at once or later.
import { setImmediate } from 'node:timers/promises';

export default function add(value, { data: { addend, later } }) {
  return later && value % 3 !== 0 ? setImmediate(value + addend) : value + addend;
}
