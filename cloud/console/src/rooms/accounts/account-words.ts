import { roomWords } from '../../words/words.ts';

export const ACCOUNT = roomWords('accounts').account;
