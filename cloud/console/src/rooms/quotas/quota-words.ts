import { roomWords } from '../../words/words.ts';

export const QUOTA = roomWords('quotas').quota;
