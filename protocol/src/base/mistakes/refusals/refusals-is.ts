import { type RefusalWords, refusalWords } from '../refusal-file.ts';
import { BOOKS_IS } from './books-is.ts';
import { CALLS_IS } from './calls-is.ts';
import { INPUT_IS } from './input-is.ts';
import { MONEY_IS } from './money-is.ts';
import { PEOPLE_IS } from './people-is.ts';
import { SITES_IS } from './sites-is.ts';
import { TARIFFS_IS } from './tariffs-is.ts';
import { VISITS_IS } from './visits-is.ts';

/** Every refusal in Icelandic, by its code: sentences. */
export const REFUSALS_IS: RefusalWords = refusalWords(
  {
    ...INPUT_IS,
    ...CALLS_IS,
    ...PEOPLE_IS,
    ...VISITS_IS,
    ...MONEY_IS,
    ...BOOKS_IS,
    ...SITES_IS,
    ...TARIFFS_IS,
  },
  'is',
);
