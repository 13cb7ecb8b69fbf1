import { wordsOf } from './words.ts';

/** Words that every room needs. */
export const COMMON = wordsOf('common');
