import { wordsOf } from '../../words/words.ts';

/** The words of requests for the approval of a second person. */
export const APPROVAL = wordsOf('approval');
