/** Returns the result of a call of Node with a callback: for calls on descriptors, which have no promises. */
export function settled<T>(call: (done: (error: Error | null, value?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => {
      if (error === null) resolve(value as T);
      else reject(error);
    });
  });
}
