import { openPort } from '../../base/serial-port.ts';
import type { ApduLink } from './apdu-line.ts';
import { SERIAL_TIMING, SerialApduLine, type SerialTiming } from './serial-line.ts';
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
