import type { LaneBoard } from '../../site-link/site-board.ts';
import { type LaneWords, laneSentence } from './lane-texts.ts';

/** The last announcement of each lane, by site and lane. */
export type Announced = ReadonlyMap<string, string>;

/** The changes on the boards since the last announcements, in one text; empty: none. */
export function newsOf(
  announced: Announced,
  boards: readonly { siteId: string; lanes: readonly LaneBoard[] }[],
  words: LaneWords,
): { text: string; announced: Announced } {
  const next = new Map<string, string>();
  const news: string[] = [];
  for (const { siteId, lanes } of boards) {
    for (const lane of lanes) {
      const key = `${siteId} ${lane.id}`;
      const sentence = laneSentence(lane, words) ?? '';
      next.set(key, sentence);
      if (sentence !== '' && sentence !== announced.get(key)) news.push(sentence);
    }
  }
  return { text: news.join(' '), announced: next };
}
