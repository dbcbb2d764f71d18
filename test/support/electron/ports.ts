/** Electron's ports in the main process, and its utility processes, as its documentation describes them. */
import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';

import { ROOT } from '../running/compiled-sources';

/** Receives the messages of a port that was handed over. */
export interface Destination {
  take(data: unknown): void;
  closed(): void;
}

export class MessagePortMain extends EventEmitter {
  partner!: MessagePortMain;
  #kept: unknown[] | undefined = [];
  #destination: Destination | undefined;
  #open = true;

  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (this.#destination !== undefined) throw new Error('This port was handed over.');
    if (transfer.length > 0) throw new Error('not needed here');
    this.send(message);
  }

  start(): void {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    for (const data of kept) this.#take(data);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.partner.#partnerClosed();
  }

  /** Makes the port one of another process, which gets what was kept. */
  handOver(destination: Destination): void {
    if (this.#destination !== undefined) throw new Error('This port was handed over already.');
    this.#destination = destination;
    for (const data of this.#kept ?? []) destination.take(data);
  }

  /** Sends to the other end, from wherever this one is. */
  send(message: unknown): void {
    const data: unknown = structuredClone(message);
    if (this.#open) setImmediate(() => this.partner.#take(data));
  }

  #take(data: unknown): void {
    if (!this.#open) return;
    if (this.#destination !== undefined) this.#destination.take(data);
    else if (this.#kept !== undefined) this.#kept.push(data);
    else this.emit('message', { data, ports: [] });
  }

  #partnerClosed(): void {
    setImmediate(() => {
      if (!this.#open) return;
      this.#open = false;
      if (this.#destination !== undefined) this.#destination.closed();
      else this.emit('close');
    });
  }
}

export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    this.port1.partner = this.port2;
    this.port2.partner = this.port1;
  }
}

interface FromChild {
  readonly port: number;
  readonly data?: unknown;
  readonly closed?: true;
  readonly cloned: number;
}

/** A child process whose messages are cloned. */
export class UtilityProcess extends EventEmitter {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** Bytes that Electron would have cloned for the messages of the process. */
  cloned = 0;
  readonly #ports = new Map<number, MessagePortMain>();
  #last = 0;

  constructor(script: string) {
    super();
    this.child = fork(join(__dirname, 'utility-process.cjs'), [script, ROOT], { serialization: 'advanced' });
    this.child.on('message', (message: FromChild) => {
      this.cloned += message.cloned;
      const port = this.#ports.get(message.port);
      if (message.closed === true) port?.close();
      else port?.send(message.data);
    });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        for (const port of this.#ports.values()) port.close();
        this.emit('exit', code ?? (signal === 'SIGKILL' ? 9 : 15));
        resolve();
      });
    });
  }

  postMessage(data: unknown, transfer: readonly MessagePortMain[] = []): void {
    const transferred = transfer.map(() => ++this.#last);
    this.#send({ port: 0, data, transferred });
    transfer.forEach((port, i) => {
      const id = transferred[i]!;
      this.#ports.set(id, port);
      port.handOver({
        take: (message) => this.#send({ port: id, data: message }),
        closed: () => this.#send({ port: id, closed: true }),
      });
    });
  }

  kill(): boolean {
    return this.child.kill();
  }

  #send(message: object): void {
    if (this.child.connected) this.child.send(message);
  }
}
