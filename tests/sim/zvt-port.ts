import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPort, type SerialBytes } from '@hlid/edge/base/serial-port';
import { createApduAssembler } from '@hlid/edge/terminal/zvt/apdu-frame';
import { hexOf } from '@hlid/edge/terminal/zvt/bcd-frame';
import { ACK, NAK } from '@hlid/edge/terminal/zvt/serial-frame';
import { SerialApduLine } from '@hlid/edge/terminal/zvt/serial-line';
import { waitFor } from '../harness/wait.ts';

/** Faults between the terminal and the till, each with the number of times. */
export interface LineFaults {
  /** ACKs of the terminal that are lost (serial). */
  loseAcks: number;
  /** Frames of the till that are answered with NAK, as if they had come spoilt (serial). */
  nak: number;
  /** Messages of the terminal that come twice (serial). */
  double: number;
  /** Every byte comes by itself. */
  byteByByte: boolean;
}

export interface TerminalPort {
  /** The connection in an edge's configuration. */
  tcp?: { host: string; port: number };
  serial?: { path: string };
  /** Resolves when it is sent; `false`: there is no till. */
  send(apdu: Uint8Array): Promise<boolean>;
  /** Ends the connection, as a pulled cable does. */
  cut(): void;
  /** The reaction of the line when the terminal loses its power: none, over a serial line. */
  powerOff(): void;
  close(): Promise<void>;
}

export interface PortListener {
  onApdu(apdu: Uint8Array): void;
  /** The till has connected. */
  onConnected(): void;
  /** The till is no longer connected. */
  onGone(): void;
}

/** The terminal listens; the newest connection counts. */
export async function openTcpPort(
  port: number,
  listener: PortListener,
  faults: LineFaults,
): Promise<TerminalPort> {
  let till: Socket | null = null;
  const server = createServer({ noDelay: true }, (socket) => {
    till?.destroy();
    till = socket;
    const take = createApduAssembler();
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      for (const apdu of take(chunk)) listener.onApdu(apdu);
    });
    socket.on('close', () => {
      if (till !== socket) return;
      till = null;
      listener.onGone();
    });
    listener.onConnected();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const cut = () => till?.destroy();
  return {
    tcp: { host: '127.0.0.1', port: address.port },
    async send(apdu) {
      const to = till;
      if (!to?.writable) return false;
      for (const piece of faults.byteByByte ? Array.from(apdu, (byte) => Uint8Array.of(byte)) : [apdu]) {
        await new Promise<void>((resolve) => to.write(piece, () => setImmediate(resolve)));
      }
      return true;
    },
    cut,
    powerOff: cut,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      await closed;
    },
  };
}

/** The longest wait for ACK; shorter than the till's. */
const ACK_MS = 400;

/** A pair of pseudo-terminals, joined by socat; ends with what ends it. */
export async function joinPair(folder: string) {
  const [ours, theirs] = [join(folder, 'terminal'), join(folder, 'till')];
  const pair = [ours, theirs].map((path) => `pty,raw,echo=0,link=${path}`);
  const socat = spawn('socat', pair, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => {
    socat.once('error', () => resolve()).once('exit', () => resolve());
  });
  await waitFor(() => existsSync(ours) && existsSync(theirs), { what: 'a pair of pseudo-terminals (socat)' });
  return {
    ours,
    theirs,
    async part() {
      socat.kill();
      await ended;
    },
  };
}

/** One end of a pair of pseudo-terminals; `cut` pulls the cable out, and plugs it in again. */
export async function openSerialPort(listener: PortListener, faults: LineFaults): Promise<TerminalPort> {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-zvt-'));
  let plugged = await plug();
  let changing: Promise<void> = Promise.resolve();

  async function plug() {
    const pair = await joinPair(folder);
    const bytes = faulty(await openPort({ path: pair.ours, baudRate: 9600, stopBits: 2 }), faults);
    const line = new SerialApduLine(
      bytes,
      { onApdu: listener.onApdu, onClosed: listener.onGone },
      { gapMs: 200, answerMs: ACK_MS },
    );
    listener.onConnected();
    return { pair, line };
  }

  async function unplug(): Promise<void> {
    await plugged.line.close();
    await plugged.pair.part();
  }

  return {
    serial: { path: plugged.pair.theirs },
    send: (apdu) =>
      plugged.line.send(apdu).then(
        () => true,
        () => false,
      ),
    cut() {
      changing = changing.then(async () => {
        await unplug();
        listener.onGone();
        plugged = await plug();
      });
    },
    powerOff() {},
    async close() {
      await changing;
      await unplug();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The port with what goes wrong on the wire. */
function faulty(port: SerialBytes, faults: LineFaults): SerialBytes {
  /** The bytes so far of the till's frame that is being swallowed; null: none. */
  let swallowing: number[] | null = null;
  return {
    ...port,
    onBytes(listener) {
      port.onBytes((chunk) => {
        if (faults.nak > 0 && (swallowing !== null || chunk[0] === 0x10)) {
          swallowing = [...(swallowing ?? []), ...chunk];
          // DLE ETX and two bytes of checksum end it.
          if (!/1003....$/.test(hexOf(Uint8Array.from(swallowing)))) return;
          swallowing = null;
          faults.nak--;
          port.write(Uint8Array.of(NAK));
          return;
        }
        listener(chunk);
      });
    },
    write(bytes) {
      if (bytes.length === 1 && bytes[0] === ACK && faults.loseAcks > 0) {
        faults.loseAcks--;
        return;
      }
      const times = bytes.length > 1 && faults.double > 0 ? 2 : 1;
      if (times === 2) faults.double--;
      for (let sent = 0; sent < times; sent++) {
        if (!faults.byteByByte) port.write(bytes);
        else for (const byte of bytes) port.write(Uint8Array.of(byte));
      }
    },
  };
}
