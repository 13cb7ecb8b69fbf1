import type { LaneBoard } from '@hlid/protocol/site-link/site-board';
import { laneSentence } from './lane-text.ts';

/** The last announcement of each lane, by site and lane. */
export type Said = ReadonlyMap<string, string>;

/** What is new on the boards since they were last spoken of, in one text; empty: nothing. */
export function newsOf(
  said: Said,
  boards: readonly { siteId: string; lanes: readonly LaneBoard[] }[],
): { text: string; said: Said } {
  const next = new Map<string, string>();
  const news: string[] = [];
  for (const { siteId, lanes } of boards) {
    for (const lane of lanes) {
      const key = `${siteId} ${lane.id}`;
      const sentence = laneSentence(lane) ?? '';
      next.set(key, sentence);
      if (sentence !== '' && sentence !== said.get(key)) news.push(sentence);
    }
  }
  return { text: news.join(' '), said: next };
}
