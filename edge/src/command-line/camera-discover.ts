import { messageOf } from '@hlid/protocol/base/fault';
import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { ProbeTextSchema } from '../onvif/onvif-options.ts';
import { SECONDS } from './duration.ts';
import type { Shell } from './shell.ts';

export const cameraDiscover = defineCommand({
  name: 'camera discover',
  summary: 'Find the ONVIF devices of the network: addresses, names, profiles (M sends plates)',
  about: 'HLID_ONVIF_PROBE=HOST:PORT probes one address, for networks that block multicast.',
  options: { seconds: SECONDS },
  examples: ['camera discover', 'camera discover --seconds 10'],
  run: ({ options, json }, shell: Shell) => discover(options.seconds, { json, shell }),
});

async function discover(
  seconds: number | null,
  { json, shell }: { json: boolean; shell: Shell },
): Promise<ExitCode> {
  const { discoverDevices } = await import('../onvif/discover.ts');
  const probe = ProbeTextSchema.optional().safeParse(shell.environment['HLID_ONVIF_PROBE']);
  if (!probe.success) {
    shell.complain('HLID_ONVIF_PROBE is no address such as 192.168.1.64:3702');
    return EXIT.wrongUsage;
  }
  let devices: Awaited<ReturnType<typeof discoverDevices>>;
  try {
    devices = await discoverDevices({
      ...probe.data,
      ...(seconds !== null && { waitMs: seconds * 1000 }),
    });
  } catch (error) {
    shell.complain(`The network cannot be probed: ${messageOf(error)}`);
    return EXIT.failed;
  }
  if (json) {
    shell.print(JSON.stringify({ devices }));
    return EXIT.done;
  }
  if (devices.length === 0) shell.print('No ONVIF device has answered.');
  for (const { name, hardware, addresses, profiles } of devices) {
    const what = [name, hardware].filter(Boolean).join(', ') || 'a device without a name';
    shell.print(`${what}${profiles.length > 0 ? ` (profiles ${profiles.join(', ')})` : ''}`);
    for (const address of addresses) shell.print(`  ${address}`);
  }
  return EXIT.done;
}
