import { isatty } from 'node:tty';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import type { SerialPort } from 'serialport';

const GONE_CHECK_MS = 500;

export interface SerialPortOptions {
  path: string;
  baudRate: number;
  stopBits: 1 | 2;
}

/** A port that is open. */
export interface SerialBytes {
  onBytes(listener: (chunk: Uint8Array) => void): void;
  /** Called for every close, also when the cable is pulled out. */
  onClosed(listener: () => void): void;
  write(bytes: Uint8Array): void;
  close(): Promise<void>;
}

/** Rejects with Fault 'link-lost' where there is no such port, or it is taken. */
export async function openPort(line: SerialPortOptions): Promise<SerialBytes> {
  // The library is native code: it is loaded only where there is such a terminal.
  const { SerialPort } = await import('serialport');
  const port = new SerialPort({ ...line, dataBits: 8, parity: 'none', autoOpen: false });
  // A write into a port that has gone raises an error; `close` reports the end of the port.
  port.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    port.open((error) => (error ? reject(new Fault('link-lost', messageOf(error))) : resolve()));
  });
  closeWhenGone(port);
  return {
    onBytes: (listener) => void port.on('data', listener),
    onClosed: (listener) => void port.on('close', listener),
    write: (bytes) => void port.write(bytes),
    close: () =>
      new Promise((resolve) => {
        if (port.isOpen) port.close(() => resolve());
        else resolve();
      }),
  };
}

/**
 * Closes the port when its device has gone. The library does not notice that while it reads: it then reads the end of
 * the file again and again, for ever.
 */
function closeWhenGone(port: SerialPort): void {
  const check = setInterval(() => {
    if (port.isOpen && isHungUp(port)) port.close();
  }, GONE_CHECK_MS);
  check.unref();
  port.once('close', () => clearInterval(check));
}

/** A device that has gone is no terminal any more, though its descriptor is still open. Windows has no descriptors. */
function isHungUp({ port }: SerialPort): boolean {
  return port !== undefined && 'fd' in port && port.fd !== null && !isatty(port.fd);
}
