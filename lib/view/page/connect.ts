/**
 * Connects to the host: by a port of Electron if the page is in a window of an app, else by a WebSocket to its server.
 */
import { unpackFrame, type Port } from '../protocol';
import { PORT_MESSAGE, type Shell } from './shell';

/** Resolves to a port that is open, or closed after a failure. */
export function connect(shell: Shell | undefined): Promise<Port> {
  return shell === undefined ? socketPort(new URL('channel', location.href)) : shellPort(shell);
}

/**
 * Returns the port of an app. A MessagePort cannot cross Electron's contextBridge, so the window posts it to itself.
 */
function shellPort(shell: Shell): Promise<Port> {
  return new Promise((resolve) => {
    const take = ({ source, data, ports: [port] }: MessageEvent): void => {
      if (source !== window || data !== PORT_MESSAGE || port === undefined) return;
      window.removeEventListener('message', take);
      resolve({
        post: (message) => port.postMessage(message),
        onMessage: (listener) => {
          port.addEventListener('message', (event: MessageEvent<unknown>) => listener(event.data));
          port.start();
        },
        onClose: (listener) => port.addEventListener('close', () => listener(), { once: true }),
        close: () => port.close(),
      });
    };
    window.addEventListener('message', take);
    shell.connect();
  });
}

function socketPort(url: URL): Promise<Port> {
  url.protocol = url.protocol.replace('http', 'ws');
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  const port: Port = {
    post: (message) => socket.send(JSON.stringify(message)),
    onMessage: (listener) =>
      socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => listener(unpackFrame(data))),
    onClose: (listener) => {
      if (socket.readyState === WebSocket.CLOSED) listener();
      else socket.addEventListener('close', () => listener(), { once: true });
    },
    close: () => socket.close(),
  };
  return new Promise((resolve) => {
    for (const event of ['open', 'close']) socket.addEventListener(event, () => resolve(port), { once: true });
  });
}
