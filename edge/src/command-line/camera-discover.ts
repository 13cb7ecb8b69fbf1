import { messageOf } from '@hlid/protocol/fault';
import { discoverDevices } from '../onvif/discover.ts';
import type { Command } from './command.ts';
import type { ExitCode, Shell } from './shell.ts';

/** Prints the ONVIF devices of the network. */
export async function cameraDiscover(
  { json, seconds }: Extract<Command, { kind: 'camera-discover' }>,
  shell: Shell,
): Promise<ExitCode> {
  // For a network that lets no multicast through: one address to be asked, `host:port`.
  const [group, port] = shell.environment['HLID_ONVIF_PROBE']?.split(':') ?? [];
  let devices: Awaited<ReturnType<typeof discoverDevices>>;
  try {
    devices = await discoverDevices({
      ...(group && { group }),
      ...(port && { port: Number(port) }),
      ...(seconds !== null && { waitMs: seconds * 1000 }),
    });
  } catch (error) {
    shell.complain(`The network cannot be asked: ${messageOf(error)}`);
    return 1;
  }
  if (json) {
    shell.print(JSON.stringify({ devices }));
    return 0;
  }
  if (devices.length === 0) shell.print('No ONVIF device has answered.');
  for (const { name, hardware, addresses, profiles } of devices) {
    const what = [name, hardware].filter(Boolean).join(', ') || 'a device without a name';
    shell.print(`${what}${profiles.length > 0 ? ` (profiles ${profiles.join(', ')})` : ''}`);
    for (const address of addresses) shell.print(`  ${address}`);
  }
  return 0;
}
