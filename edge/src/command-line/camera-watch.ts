import { systemClock } from '@hlid/node/clock';
import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import type { PlateRead } from '@hlid/protocol/plate-read';
import { plateDocuments } from '../camera/onvif-plate.ts';
import { type OnvifEvent, triggerOf } from '../onvif/event-message.ts';
import { createOnvifDevice, type OnvifState } from '../onvif/onvif-device.ts';
import { CAMERA_OPERAND, type ChosenDevice, chooseDevice, DEVICE_OPTIONS } from './choose-device.ts';
import { SECONDS } from './seconds-option.ts';
import type { Shell } from './shell.ts';
import { untilEnded } from './until-ended.ts';
import { watchPosts } from './watch-posts.ts';

/** One thing that a camera told, as it is printed. */
type Said =
  | ({ what: 'plate' } & Pick<PlateRead, 'plate' | 'plateRaw' | 'score' | 'country' | 'direction' | 'late'>)
  | { what: 'relay' | 'input'; token: string; active: boolean }
  | { what: 'event'; topic: string; data: Record<string, string> }
  | { what: 'device'; state: OnvifState['state']; error: string | null };

export const cameraWatch = defineCommand({
  name: 'camera watch',
  operand: CAMERA_OPERAND,
  summary: 'Print what a camera sends, as it comes',
  about: `A line for each plate as the daemon would read it, relay, input, and any other event by its topic. Of a camera that
posts by itself: what the running daemon makes of it, each read (and why it decides nothing), each document that is
refused (and why), each passage of its lane. Until Ctrl-C, or for so many seconds; a connection that is lost is made
again. CAMERA is a camera of the configuration, or the address of any ONVIF device’s service.`,
  options: { seconds: SECONDS, ...DEVICE_OPTIONS },
  examples: [
    'camera watch cam-in-1',
    'HLID_ONVIF_PASSWORD=… camera watch http://192.168.1.64/onvif/device_service --user hlid',
  ],
  run({ operand: camera, options, json }, shell: Shell) {
    const { user, seconds, 'self-signed': selfSigned } = options;
    const chosen = chooseDevice({ camera, user, selfSigned }, shell.environment);
    return watchCamera(chosen, { seconds, json, shell });
  },
});

/** Until the time is over, or it is interrupted. */
async function watchCamera(
  chosen: ChosenDevice,
  { seconds, json, shell }: { seconds: number | null; json: boolean; shell: Shell },
): Promise<ExitCode> {
  if (!chosen.ok) {
    if (chosen.posts) return await watchPosts({ ...chosen.posts, json, seconds }, shell);
    shell.complain(chosen.message);
    return EXIT.failed;
  }
  const { plates: vendor, options } = chosen;
  const print = (said: Said) => {
    const at = systemClock.now().toISOString();
    shell.print(json ? JSON.stringify({ at, ...said }) : `${at.slice(11, 23)}  ${inWords(said)}`);
  };
  const device = createOnvifDevice(options, {
    clock: systemClock,
    onState: ({ state, lastError }) => print({ what: 'device', state, error: lastError }),
  });
  device.listen({
    topics: null,
    onEvents(events, deviceTime) {
      const receivedAt = systemClock.now();
      for (const event of events) {
        const documents = plateDocuments([event], { vendor, deviceTime, receivedAt });
        for (const { reads } of documents) for (const read of reads) print(plateOf(read));
        if (documents.length === 0) print(eventOf(event));
      }
    },
  });
  device.start();
  await untilEnded(seconds);
  const { state } = device.state();
  await device.stop();
  return state === 'ok' ? EXIT.done : EXIT.failed;
}

function plateOf({ plate, plateRaw, score, country, direction, late }: PlateRead): Said {
  return { what: 'plate', plate, plateRaw, score, country, direction, late };
}

function eventOf(event: OnvifEvent): Said {
  const trigger = triggerOf(event);
  if (trigger) return { what: trigger.kind, token: trigger.token, active: trigger.active };
  return { what: 'event', topic: event.topic, data: Object.fromEntries([...event.source, ...event.data]) };
}

function inWords(said: Said): string {
  switch (said.what) {
    case 'plate': {
      const more = [said.country, said.direction, said.late ? 'late' : null].filter(Boolean).join(', ');
      return `plate   ${said.plate ?? 'unreadable'}  ${Math.round(said.score * 100)} %  ${more}`;
    }
    case 'relay':
    case 'input':
      return `${said.what.padEnd(7)} ${said.token}  ${said.active ? 'active' : 'inactive'}`;
    case 'event': {
      const items = Object.entries(said.data).map(([name, value]) => `${name}=${value}`);
      return `event   ${said.topic}  ${items.join(' ')}`;
    }
    case 'device':
      return `device  ${said.state}${said.error === null ? '' : `: ${said.error}`}`;
    default:
      return said satisfies never;
  }
}
