import { wordsOf } from '../../words/words.ts';

export const LOGIN = wordsOf('login');
