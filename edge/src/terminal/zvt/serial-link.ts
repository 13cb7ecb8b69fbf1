import { Fault, messageOf } from '@hlid/protocol/base/fault';
import type { ApduLink } from './apdu-line.ts';
import { SERIAL_TIMING, SerialApduLine, type SerialBytes, type SerialTiming } from './serial-line.ts';
import type { SerialLine } from './zvt-options.ts';

/** ZVT over a serial port; it can be opened whether a terminal is there or not. */
export function createSerialLink(
  { path, baudRate, stopBits }: SerialLine,
  timing: SerialTiming = SERIAL_TIMING,
): ApduLink {
  return {
    place: path,
    async open(listener) {
      const port = await openPort({ path, baudRate, stopBits });
      return new SerialApduLine(port, listener, timing);
    },
  };
}

/** Rejects with Fault 'link-lost' where there is no such port, or it is taken. */
export async function openPort(line: SerialLine): Promise<SerialBytes> {
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
