import { roomWords } from '../../words/words.ts';

/** What happened in a visit, by kind and code of an entry. Codes that have no words are shown as they are. */
export const TIMELINE = roomWords('visits').timeline;
