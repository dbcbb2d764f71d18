/** The way to the host: the preload's port in Electron, else a WebSocket to the server that the page came from. */
import { unpackFrame, type Port } from '../protocol';

declare global {
  interface Window {
    /** The API of Electron's preload. */
    readonly tfrecordViewer?: { readonly port: Port } | undefined;
  }
}

/** Resolves with a port when it can carry messages, or is closed. */
export async function connect(): Promise<Port> {
  return window.tfrecordViewer?.port ?? (await socketPort(new URL('channel', location.href)));
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
