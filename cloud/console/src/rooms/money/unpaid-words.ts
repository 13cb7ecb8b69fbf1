import { roomWords } from '../../words/words.ts';

/** Words about visits that owe something, and how they are settled. */
export const UNPAID = roomWords('money').unpaid;
