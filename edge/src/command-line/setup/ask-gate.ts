import { systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { z } from 'zod';
import { createGate, type GateConfig, type LaneGateConfig, LaneGateSchema } from '../../gate/gate-kinds.ts';
import { OnvifDevices } from '../../onvif/onvif-devices.ts';
import { askLogin, askSelfSigned, readDeviceAddress } from './ask-device.ts';
import { numberBySchema } from './interview.ts';
import { type SetupContext, textOf, type Written, writtenIn } from './setup-context.ts';

const KINDS = [
  'hikvision',
  'axis',
  'survision',
  'onvif',
  'http',
  'none',
] as const satisfies LaneGateConfig['kind'][];

/** Asks how a lane's gate is moved, and tries it: what moves nothing at once, an opening with consent. */
export async function askGate(context: SetupContext, present: Written): Promise<Written> {
  const { interview, words } = context;
  let known = present;
  for (;;) {
    const kind = await interview.choose(
      words.gateKind,
      KINDS.map((value) => ({ value, words: words.gateKinds[value] })),
      KINDS.find((one) => one === known['kind']) ?? null,
    );
    if (kind === 'none') return { kind };
    const asked = await askOptions(context, kind, known['kind'] === kind ? known : {});
    // Settings that are not asked for stay, as long as they belong to the same kind.
    known = { ...(known['kind'] === kind ? known : {}), kind, ...asked };
    if (await tryGate(context, known)) return known;
  }
}

async function askOptions(
  context: SetupContext,
  kind: GateConfig['kind'],
  present: Written,
): Promise<Written> {
  if (kind === 'http') return await askRelay(context, present);
  const { interview, words } = context;
  const path = kind === 'onvif' ? '/onvif/device_service' : '';
  const url = await interview.text({
    ask: words.deviceAddress,
    preset: textOf(present, 'url'),
    read: (text) => readDeviceAddress(text, words.notAddress, path),
  });
  const selfSigned = await askSelfSigned(context, url, present);
  if (kind === 'survision') return { url, selfSigned };
  const login = await askLogin(context, present);
  if (kind === 'onvif') {
    const relay = await interview.optional({
      ask: words.relay,
      preset: textOf(present, 'relay'),
      read: (text) => ({ ok: true, value: text }),
    });
    return { url, selfSigned, ...login, relay: relay ?? undefined };
  }
  const [key, most] = kind === 'axis' ? (['port', 64] as const) : (['channel', 32] as const);
  const number = await interview.text({
    ask: words[key],
    preset: textOf(present, key) ?? '1',
    read: numberBySchema(z.int().min(1).max(most), words.notNumber({ from: 1, to: most })),
  });
  return { url, selfSigned, ...login, [key]: number };
}

/** Any relay with an HTTP interface. */
async function askRelay({ interview, words }: SetupContext, present: Written): Promise<Written> {
  const before = { open: writtenIn(present['open']), release: writtenIn(present['release']) };
  const readUrl = (text: string) =>
    /^https?:\/\/./.test(text) && URL.canParse(text)
      ? { ok: true as const, value: text }
      : { ok: false as const, wrong: words.notRelayUrl };
  const url = await interview.text({
    ask: words.relayUrl,
    preset: textOf(before.open, 'url'),
    read: readUrl,
  });
  const method = await interview.choose(
    words.method,
    (['GET', 'POST', 'PUT'] as const).map((value) => ({ value, words: value })),
    z.enum(['GET', 'POST', 'PUT']).safeParse(before.open['method']).data ?? 'GET',
  );
  const release = await interview.optional({
    ask: words.releaseUrl,
    preset: textOf(before.release, 'url'),
    read: readUrl,
  });
  return {
    mode: release === null ? 'pulse' : 'bistable',
    open: { ...before.open, method, url },
    release: release === null ? undefined : { ...before.release, method, url: release },
  };
}

/** @returns whether the answers are kept */
async function tryGate({ interview, words }: SetupContext, gate: Written): Promise<boolean> {
  const { data: config } = LaneGateSchema.safeParse(gate);
  // An unknown key, for example: `config check` names it.
  if (!config || config.kind === 'none') return true;
  const log = createLog('edge', 'silent');
  const devices = new OnvifDevices({ clock: systemClock, log });
  const driver = createGate(config, { onvif: devices });
  try {
    interview.say(words.checking);
    const checked = (await driver.check?.()) ?? 'unknown';
    // Some users may move the gate and read nothing: the login is what counts.
    const reached = checked === 'refused' && driver.login?.state() === 'ok' ? 'done' : checked;
    interview.say(`  ${words.reached[reached]}`);
    if (reached !== 'done' && reached !== 'connected')
      return !(await interview.confirm(words.changeAnswers, true));
    if (!(await interview.confirm(words.openNow, false))) return true;
    const outcome = await driver.pulse();
    interview.say(`  ${words.opened[outcome]}`);
    const isRight = outcome === 'done' && (await interview.confirm(words.didItMove, true));
    return isRight || !(await interview.confirm(words.changeAnswers, true));
  } finally {
    await driver.stop?.();
    await devices.stop();
  }
}
