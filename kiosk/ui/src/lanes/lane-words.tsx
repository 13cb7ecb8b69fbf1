import type { LaneWords } from '@hlid/protocol/words/lanes/lane-texts';
import { createContext, useContext } from 'react';

/** The language in which lanes are shown, and its texts: each page provides those that it has loaded. */
export const LaneWordsContext = createContext<LaneWords | null>(null);

export function useLaneWords(): LaneWords {
  const words = useContext(LaneWordsContext);
  if (words === null) throw new Error('There is no LaneWordsContext above.');
  return words;
}
