import { Fault, messageOf } from '@hlid/protocol/base/fault';

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
