import { randomBytes } from 'node:crypto';
import { systemClock } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import { CAMERA_FORMATS, type CameraFormat, CameraFormatSchema } from '@hlid/protocol/camera/camera-formats';
import { ONVIF_OPTIONS } from '../../onvif/onvif-options.ts';
import { askLogin, askSelfSigned, readDeviceAddress } from './ask-device.ts';
import { lanesOfCamera } from './ask-lanes.ts';
import { askId, editList } from './edit-list.ts';
import { formatOf, ownAddresses, probeDevice } from './probe-device.ts';
import { entriesOf, type SetupContext, textOf, type Written, writtenIn } from './setup-context.ts';

const SERVICE_PATH = '/onvif/device_service';

/** The cameras, each at its lane. */
export async function askCameras(context: SetupContext): Promise<void> {
  await editList(context, {
    key: 'cameras',
    lineOf(camera) {
      const url = textOf(writtenIn(camera['onvif']), 'url');
      return [lanesOfCamera(camera).join(', '), url === null ? 'post' : `ONVIF, ${url}`].join(', ');
    },
    needsMore: () => lanesWithoutCamera(context).length > 0,
    ask: (at) => askCamera(context, at),
  });
}

function lanesWithoutCamera(context: SetupContext): string[] {
  const seen = new Set(entriesOf(context, 'cameras').flatMap(lanesOfCamera));
  return laneIds(context).filter((id) => !seen.has(id));
}

function laneIds(context: SetupContext): string[] {
  return entriesOf(context, 'lanes').flatMap((lane) => textOf(lane, 'id') ?? []);
}

async function askCamera(context: SetupContext, at: number | null): Promise<void> {
  const { interview, words, draft } = context;
  const present = at === null ? {} : (entriesOf(context, 'cameras')[at] ?? {});
  if (present['lanes'] !== undefined) {
    interview.say(words.severalLanes({ id: textOf(present, 'id') ?? '?' }));
    return;
  }
  await searchOnce(context);
  const lanes = laneIds(context);
  const lane = await interview.choose(
    words.cameraLane,
    lanes.map((value) => ({ value, words: value })),
    textOf(present, 'lane') ?? lanesWithoutCamera(context)[0] ?? lanes[0] ?? null,
  );
  const id = textOf(present, 'id') ?? (await askId(context, { key: 'cameras', preset: `cam-${lane}` }));
  const device = await askAddress(context, lane, present);
  const way = await interview.choose(
    words.way,
    (['post', 'onvif'] as const).map((value) => ({ value, words: words.ways[value] })),
    present['onvif'] === undefined ? 'post' : 'onvif',
  );
  const read =
    way === 'onvif'
      ? // A secret that is to be replaced, as in the file of the package, is not needed then.
        { ...(await askOnvif(context, device, present)), token: textOf(present, 'token') ?? undefined }
      : askPosting(present);
  if (at === null) draft.file.add(['cameras'], { id, lane, ...read });
  else draft.file.set(['cameras', at], { lane, ...read });
  if (way === 'post') await sayPushAddress(context, { id, token: textOf(read, 'token') ?? '', device });
}

/** The address at which a camera was found, with what is known of it. */
interface AskedDevice {
  /** Null: not known; the camera posts. */
  url: string | null;
  maker: string;
  ownAddress: string | null;
}

async function askAddress(context: SetupContext, lane: string, present: Written): Promise<AskedDevice> {
  const { interview, words, found } = context;
  for (;;) {
    const url = await interview.optional({
      ask: found && found.length > 0 ? words.cameraAddressOrNumber : words.cameraAddress,
      preset:
        textOf(writtenIn(present['onvif']), 'url') ??
        (present['id'] === undefined ? gateUrl(context, lane) : null),
      read(text) {
        const numbered = /^\d{1,3}$/.test(text) ? found?.[Number(text) - 1]?.addresses[0] : undefined;
        return readDeviceAddress(numbered ?? text, words.notAddress);
      },
    });
    if (url === null) return { url, maker: '', ownAddress: null };
    const probed = await probeDevice(url);
    const maker = makerFound(context, url) || (probed?.maker ?? '');
    if (probed) {
      interview.say(`  ${words.answersAs({ what: maker || words.unknownMaker })}`);
      return { url, maker, ownAddress: probed.ownAddress };
    }
    interview.say(`  ${words.noAnswer}`);
    if (await interview.confirm(words.useAnyway, false)) return { url, maker, ownAddress: null };
  }
}

/** A camera that moves a gate usually reads the plates there, too. */
function gateUrl(context: SetupContext, lane: string): string | null {
  const gate = writtenIn(entriesOf(context, 'lanes').find((one) => one['id'] === lane)?.['gate']);
  return gate['kind'] === 'http' ? null : textOf(gate, 'url');
}

function makerFound({ found }: SetupContext, url: string): string {
  const { hostname } = new URL(url);
  const device = found?.find(({ addresses }) =>
    addresses.some((address) => URL.canParse(address) && new URL(address).hostname === hostname),
  );
  return device ? [device.maker, device.name, device.hardware].filter(Boolean).join(' ') : '';
}

/** Searches the network, once, if the technician agrees. */
async function searchOnce(context: SetupContext): Promise<void> {
  const { interview, words, probe } = context;
  if (context.found !== null) return;
  context.found = [];
  if (!(await interview.confirm(words.search, true))) return;
  interview.say(words.searching);
  try {
    const { discoverDevices } = await import('../../onvif/discover.ts');
    context.found = await discoverDevices(probe);
  } catch (error) {
    interview.say(`  ${words.notSearched({ reason: messageOf(error) })}`);
    return;
  }
  if (context.found.length === 0) interview.say(`  ${words.foundNone}`);
  context.found.forEach(({ maker, name, hardware, addresses }, at) => {
    const what = [maker, name, hardware].filter(Boolean).join(' ') || words.unknownMaker;
    interview.say(`  ${at + 1}  ${what}  ${addresses[0] ?? ''}`);
  });
}

/** Asks for the login, and tries it once for each time that it is typed. */
async function askOnvif(context: SetupContext, device: AskedDevice, present: Written): Promise<Written> {
  const { interview, words } = context;
  const before = writtenIn(present['onvif']);
  const url = await interview.text({
    ask: words.deviceAddress,
    preset: device.url === null ? null : withService(device.url),
    read: (text) => readDeviceAddress(text, words.notAddress, SERVICE_PATH),
  });
  const selfSigned = await askSelfSigned(context, url, before);
  for (;;) {
    const login = await askLogin(context, before);
    const onvif = { ...before, url, ...login, selfSigned };
    const { plates: _plates, ...options } = onvif as Written;
    const { data } = ONVIF_OPTIONS.safeParse(options);
    if (!data) return { onvif };
    const [{ OnvifSession }, { getInformation }] = await Promise.all([
      import('../../onvif/onvif-session.ts'),
      import('../../onvif/device-service.ts'),
    ]);
    interview.say(words.checking);
    const information = await getInformation(new OnvifSession(data, systemClock));
    if (information.ok) {
      const { maker, model } = information.value;
      interview.say(
        `  ${words.answersAs({ what: [maker, model].filter(Boolean).join(' ') || words.unknownMaker })}`,
      );
      return { onvif };
    }
    const isLogin = information.reason === 'login-refused' || information.reason === 'held-back';
    interview.say(`  ${isLogin ? words.loginRefused : words.noAnswer}`);
    if (!(await interview.confirm(words.tryOther, isLogin))) return { onvif };
  }
}

function withService(url: string): string {
  return new URL(url).pathname === '/' ? `${url.replace(/\/+$/, '')}${SERVICE_PATH}` : url;
}

/** A camera that posts gets a generated secret. */
function askPosting(present: Written): Written {
  return { token: textOf(present, 'token') ?? randomBytes(16).toString('hex'), onvif: undefined };
}

async function sayPushAddress(
  context: SetupContext,
  { id, token, device }: { id: string; token: string; device: AskedDevice },
): Promise<void> {
  const { interview, words, cameraPort } = context;
  const format = await interview.choose<CameraFormat>(
    words.maker,
    CameraFormatSchema.options.map((value) => ({ value, words: CAMERA_FORMATS[value].maker })),
    formatOf(device.maker) ?? 'hikvision',
  );
  const host = device.ownAddress || ownAddresses()[0] || 'THIS-MACHINE';
  interview.say(words.setInCamera);
  interview.say(`  http://${host}:${cameraPort}/cameras/${id}/${format}?token=${token}`);
}
