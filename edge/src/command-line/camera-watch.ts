import type { PlateRead } from '@hlid/protocol/plate-read';
import { plateDocuments } from '../camera/onvif-plate.ts';
import { systemClock } from '../clock.ts';
import { type OnvifEvent, triggerOf } from '../onvif/event-message.ts';
import { createOnvifDevice, type OnvifState } from '../onvif/onvif-device.ts';
import { chooseDevice } from './choose-device.ts';
import type { Command } from './command.ts';
import type { ExitCode, Shell } from './shell.ts';
import { untilEnded } from './until-ended.ts';
import { watchPosts } from './watch-posts.ts';

/** One thing that a camera told, as it is printed. */
type Said =
  | ({ what: 'plate' } & Pick<PlateRead, 'plate' | 'plateRaw' | 'score' | 'country' | 'direction' | 'late'>)
  | { what: 'relay' | 'input'; token: string; active: boolean }
  | { what: 'event'; topic: string; data: Record<string, string> }
  | { what: 'device'; state: OnvifState['state']; error: string | null };

/** Prints what a camera tells, as it comes, until it has had its time or is interrupted. */
export async function cameraWatch(
  { json, choice, seconds }: Extract<Command, { kind: 'camera-watch' }>,
  shell: Shell,
): Promise<ExitCode> {
  const chosen = chooseDevice(choice, shell.environment);
  if (!chosen.ok) {
    if (chosen.posts) return await watchPosts({ ...chosen.posts, json, seconds }, shell);
    shell.complain(chosen.message);
    return 1;
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
  return state === 'ok' ? 0 : 1;
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
