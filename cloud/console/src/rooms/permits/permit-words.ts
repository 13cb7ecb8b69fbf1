import { roomWords } from '../../words/words.ts';

export const PERMIT = roomWords('permits').permit;
