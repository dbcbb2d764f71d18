/** What the rooms use of `node:net`, for a page: devices are read through a socket in Node. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- `new` must fail
export class Socket {
  constructor() {
    throw new Error('Pages have no devices');
  }
}
