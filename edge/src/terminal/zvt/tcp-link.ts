import { connect, type Socket } from 'node:net';
import { Fault } from '@hlid/protocol/base/fault';
import { createApduAssembler } from './apdu-frame.ts';
import type { ApduLine, ApduLink, LineListener } from './apdu-line.ts';
import type { TcpLine } from './zvt-options.ts';

const CONNECT_MS = 5000;
const KEEP_ALIVE_MS = 10_000;

/** ZVT over TCP: the terminal listens, messages follow each other without anything between. */
export function createTcpLink({ host, port }: TcpLine): ApduLink {
  return {
    place: `${host}:${port}`,
    async open(listener, signal) {
      const socket = await connected(host, port, signal);
      return tcpLine(socket, listener);
    },
  };
}

function connected(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    });
    const timer = setTimeout(() => fail('does not answer'), CONNECT_MS);
    const fail = (problem: string) => {
      settle();
      socket.destroy();
      reject(new Fault('link-lost', problem));
    };
    const onError = (error: Error) => fail(error.message);
    const onAbort = () => fail('given up');
    const onConnect = () => {
      settle();
      resolve(socket);
    };
    function settle(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError).off('connect', onConnect);
      socket.on('error', () => {});
    }
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', onError).once('connect', onConnect);
    if (signal.aborted) onAbort();
  });
}

function tcpLine(socket: Socket, listener: LineListener): ApduLine {
  const take = createApduAssembler();
  let closing = false;
  let problem = 'the terminal has closed the connection';
  socket.on('data', (chunk: Buffer) => {
    for (const apdu of take(chunk)) listener.onApdu(apdu);
  });
  socket.on('error', (error) => {
    problem = error.message;
  });
  socket.on('close', () => {
    if (!closing) listener.onClosed(problem);
  });
  return {
    send(apdu) {
      if (!socket.writable) return Promise.reject(new Fault('link-refused', 'the connection is closed'));
      return new Promise((resolve, reject) => {
        socket.write(apdu, (error) => {
          // Part of it may have gone out.
          if (error) reject(new Fault('link-lost', error.message));
          else resolve();
        });
      });
    },
    async close() {
      closing = true;
      if (socket.destroyed) return;
      const closed = new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
      });
      socket.destroy();
      await closed;
    },
  };
}
