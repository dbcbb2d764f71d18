// Waits for the end of the iterator, and tells that it saw it.
import { appendFileSync } from 'node:fs';

export default (value, { signal, data }) =>
  value === 0
    ? value
    : new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          appendFileSync(data, `${signal.reason.name}\n`);
          resolve(value);
        });
      });
