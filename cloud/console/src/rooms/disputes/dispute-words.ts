import { wordsOf } from '../../words/words.ts';

/** The words of contested stays and invoices. */
export const DISPUTE = wordsOf('dispute');
