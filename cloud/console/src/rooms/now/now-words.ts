import { roomWords } from '../../words/words.ts';

/** Words of the room where lanes are watched. */
export const WORDS = roomWords('now').now;
