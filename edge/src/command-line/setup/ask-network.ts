import { z } from 'zod';
import { hashPin, makePin, PinHashSchema } from '../../base/pin-hash.ts';
import { numberBySchema } from './interview.ts';
import { ownAddresses } from './probe-device.ts';
import { type SetupContext, textOf, writtenIn } from './setup-context.ts';

const EVERY_ADDRESS = '0.0.0.0';
const LANES_PORT = 7072;

/** Asks for the addresses at which cameras and people on site reach this machine. */
export async function askNetwork(context: SetupContext): Promise<void> {
  const { interview, words, draft } = context;
  const cameraHost = await askOwnAddress(context, words.cameraHost, draft.file.get(['cameraHost']));
  const isUsual = cameraHost === EVERY_ADDRESS && draft.file.get(['cameraHost']) === undefined;
  if (!isUsual) draft.file.set(['cameraHost'], cameraHost);
  const onSite = writtenIn(draft.file.get(['onSite']));
  const network = writtenIn(onSite['network']);
  if (!(await interview.confirm(words.lanesPage, onSite['network'] !== undefined))) {
    draft.file.remove(['onSite', 'network']);
    return;
  }
  const host = await askOwnAddress(context, words.lanesHost, network['host']);
  const port = await interview.text({
    ask: words.lanesPort,
    preset: textOf(network, 'port') ?? String(LANES_PORT),
    read: numberBySchema(z.int().min(1).max(65_535), words.notNumber({ from: 1, to: 65_535 })),
  });
  draft.file.set(['onSite'], { network: { host, port } });
  if (PinHashSchema.safeParse(textOf(onSite, 'pin')).success) {
    interview.say(`  ${words.pinStays}`);
    return;
  }
  const pin = makePin();
  draft.file.set(['onSite', 'pin'], await hashPin(pin));
  interview.say(`  ${words.newPin({ pin })}`);
}

/** One of this machine's addresses, or all of them. */
async function askOwnAddress(
  { interview, words }: SetupContext,
  ask: string,
  present: unknown,
): Promise<string> {
  const known = typeof present === 'string' ? [present] : [];
  const addresses = [...new Set([EVERY_ADDRESS, ...ownAddresses(), ...known])];
  return await interview.choose(
    ask,
    addresses.map((value) => ({ value, words: value === EVERY_ADDRESS ? words.everyAddress : value })),
    known[0] ?? EVERY_ADDRESS,
  );
}
