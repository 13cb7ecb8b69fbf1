import type { PassageView } from '@hlid/edge/passage/passage-view';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';

const COLOURS = { green: '\u001b[32m', red: '\u001b[31m', dim: '\u001b[2m', off: '\u001b[0m' };

/**
 * One readable line about a passage: time, plate, lane, the journey that the car makes, what the gate did, and why in
 * words and as a code.
 */
export function passageLine(
  passage: PassageView,
  lane: { name: string },
  options: { timeZone: string; colour: boolean; journey: string | null },
): string {
  const time = new Date(passage.at).toLocaleTimeString('en-GB', { timeZone: options.timeZone });
  const gate = passage.open ? 'OPEN  ' : 'closed';
  const flags = passage.flags
    .map((flag) => CODE_WORDS.en.flag[flag])
    .filter((words) => words !== CODE_WORDS.en.decision[passage.reason])
    .map((words) => `  (${words})`)
    .join('');
  const plate = (passage.plate ?? '?').padEnd(8);
  const words = `${CODE_WORDS.en.decision[passage.reason]} [${passage.reason}]`;
  const paint = (colour: keyof typeof COLOURS, text: string) =>
    options.colour ? `${COLOURS[colour]}${text}${COLOURS.off}` : text;
  return [
    time,
    plate,
    lane.name.padEnd(10),
    (options.journey ?? '').padEnd(13),
    paint(passage.open ? 'green' : 'red', gate),
    `${words}${paint('dim', flags)}`,
  ].join('  ');
}

/**
 * Decides whether a passage has news worth a line: each decision once, and a plate that was read better. Null: no news;
 * else the passage with the time of the news, which for a decision that was made again is now.
 */
export function createPassageLines(clock: { now(): Date }): (passage: PassageView) => PassageView | null {
  const reported = new Map<string, string>();
  return (passage) => {
    const update = JSON.stringify([passage.plate, passage.open, passage.reason]);
    if (reported.get(passage.id) === update) return null;
    const again = reported.delete(passage.id);
    reported.set(passage.id, update);
    const [oldest] = reported.keys();
    if (reported.size > 500 && oldest !== undefined) reported.delete(oldest);
    return again ? { ...passage, at: utcTime(clock.now()) } : passage;
  };
}
