import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { openPort } from '@hlid/edge/base/serial-port';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { joinPair } from '../sim/zvt-port.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-port-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The port reads on only after `unplug`: its next read finds the end of the device's file. */
it('a serial port closes when its device is unplugged between two reads', async () => {
  const pair = await joinPair(folder);
  const watched = openSync(pair.theirs, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  const device = openSync(pair.ours, constants.O_WRONLY | constants.O_NOCTTY);
  const port = await openPort({ path: pair.theirs, baudRate: 9600, stopBits: 1 });
  const closed = new Promise<'closed'>((resolve) => port.onClosed(() => resolve('closed')));
  const parted = new Promise<void>((resolve) => {
    port.onBytes(() => {
      const ending = pair.part();
      const deadline = Date.now() + 10_000;
      while (isatty(watched) && Date.now() < deadline);
      resolve(ending);
    });
  });

  writeSync(device, 'X\r');
  await parted;

  expect(isatty(watched)).toBe(false);
  expect(await closed).toBe('closed');
  closeSync(watched);
  closeSync(device);
});
