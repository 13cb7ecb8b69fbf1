import { wordsOf } from '../../words/words.ts';

export const FIND = wordsOf('find');
