import { systemClock } from '@hlid/node/clock';
import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { type OnvifEvent, triggerOf } from '../onvif/event-message.ts';
import { OnvifDevice, type OnvifState } from '../onvif/onvif-device.ts';
import { plateDocuments } from '../onvif/onvif-plate.ts';
import { CAMERA, type ChosenCamera, DEVICE_OPTIONS, withCamera } from './choose-camera.ts';
import { SECONDS, waitForEnd } from './duration.ts';
import type { Shell } from './shell.ts';
import { watchPosts } from './watch-posts.ts';

/** One thing that a camera has sent, as it is printed. */
type Line =
  | ({ what: 'plate' } & Pick<PlateRead, 'plate' | 'plateRaw' | 'score' | 'country' | 'direction' | 'late'>)
  | { what: 'relay' | 'input'; token: string; active: boolean }
  | { what: 'event'; topic: string; data: Record<string, string> }
  | { what: 'device'; state: OnvifState['state']; error: string | null }
  | { what: 'mended'; reason: string };

export const cameraWatch = defineCommand({
  name: 'camera watch',
  operand: CAMERA,
  summary: 'Print what a camera sends, as it comes',
  about: `Prints a line for each plate as the daemon would read it, for each relay and input, and for any other event by its
topic. For a camera that posts by itself: each read and why it opens nothing, each document that the daemon refuses and
why, and each passage of its lane. What a camera does wrong and is understood all the same is printed as mended. Ends with Ctrl-C, or after --seconds; reconnects when the connection is lost. CAMERA is
a camera of the configuration, or the address of any ONVIF device’s service.`,
  options: { seconds: SECONDS, ...DEVICE_OPTIONS },
  examples: [
    'camera watch cam-in-1',
    'HLID_ONVIF_PASSWORD=… camera watch http://192.168.1.64/onvif/device_service --user hlid',
  ],
  run(given, shell: Shell) {
    const { json } = given;
    const { seconds } = given.options;
    return withCamera(
      given,
      shell,
      (camera) => watchCamera(camera, { seconds, json, shell }),
      (camera) => watchPosts({ ...camera, json, seconds }, shell),
    );
  },
});

async function watchCamera(
  { plates: vendor, options }: ChosenCamera,
  { seconds, json, shell }: { seconds: number | null; json: boolean; shell: Shell },
): Promise<ExitCode> {
  const print = (line: Line) => {
    const at = systemClock.now().toISOString();
    shell.print(json ? JSON.stringify({ at, ...line }) : `${at.slice(11, 23)}  ${lineWords(line)}`);
  };
  const device = new OnvifDevice(options, {
    clock: systemClock,
    onState: ({ state, lastError }) => print({ what: 'device', state, error: lastError }),
    onMended: (reason) => print({ what: 'mended', reason }),
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
  await waitForEnd(seconds);
  const { state } = device.state();
  await device.stop();
  return state === 'ok' ? EXIT.done : EXIT.failed;
}

function plateOf({ plate, plateRaw, score, country, direction, late }: PlateRead): Line {
  return { what: 'plate', plate, plateRaw, score, country, direction, late };
}

function eventOf(event: OnvifEvent): Line {
  const trigger = triggerOf(event);
  if (trigger) return { what: trigger.kind, token: trigger.token, active: trigger.active };
  return { what: 'event', topic: event.topic, data: Object.fromEntries([...event.source, ...event.data]) };
}

function lineWords(line: Line): string {
  switch (line.what) {
    case 'plate': {
      const more = [line.country, line.direction, line.late ? 'late' : null].filter(Boolean).join(', ');
      return `plate   ${line.plate ?? 'unreadable'}  ${Math.round(line.score * 100)} %  ${more}`;
    }
    case 'relay':
    case 'input':
      return `${line.what.padEnd(7)} ${line.token}  ${line.active ? 'active' : 'inactive'}`;
    case 'event': {
      const items = Object.entries(line.data).map(([name, value]) => `${name}=${value}`);
      return `event   ${line.topic}  ${items.join(' ')}`;
    }
    case 'device':
      return `device  ${line.state}${line.error === null ? '' : `: ${line.error}`}`;
    case 'mended':
      return `mended  ${line.reason}`;
    default:
      return line satisfies never;
  }
}
