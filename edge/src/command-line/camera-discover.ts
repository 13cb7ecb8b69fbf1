import { messageOf } from '@hlid/protocol/fault';
import { discoverDevices } from '../onvif/discover.ts';
import type { Command } from './command.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** Prints the ONVIF devices of the network. */
export async function cameraDiscover(
  { json, seconds }: Extract<Command, { kind: 'camera-discover' }>,
  terminal: Terminal,
): Promise<ExitCode> {
  // For a network that lets no multicast through: one address to be asked, `host:port`.
  const [group, port] = terminal.environment['HLID_ONVIF_PROBE']?.split(':') ?? [];
  let devices: Awaited<ReturnType<typeof discoverDevices>>;
  try {
    devices = await discoverDevices({
      ...(group && { group }),
      ...(port && { port: Number(port) }),
      ...(seconds !== null && { waitMs: seconds * 1000 }),
    });
  } catch (error) {
    terminal.complain(`The network cannot be asked: ${messageOf(error)}`);
    return 1;
  }
  if (json) {
    terminal.print(JSON.stringify({ devices }));
    return 0;
  }
  if (devices.length === 0) terminal.print('No ONVIF device has answered.');
  for (const { name, hardware, addresses, profiles } of devices) {
    const what = [name, hardware].filter(Boolean).join(', ') || 'a device without a name';
    terminal.print(`${what}${profiles.length > 0 ? ` (profiles ${profiles.join(', ')})` : ''}`);
    for (const address of addresses) terminal.print(`  ${address}`);
  }
  return 0;
}
