import { roomWords } from '../../words/words.ts';

/** Words of the room about money. */
export const MONEY = roomWords('money').money;
