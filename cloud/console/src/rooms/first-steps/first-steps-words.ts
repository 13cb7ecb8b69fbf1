import { roomWords } from '../../words/words.ts';

export const WORDS = roomWords('first-steps');
