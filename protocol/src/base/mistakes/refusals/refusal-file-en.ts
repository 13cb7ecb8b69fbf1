import { BOOKS_EN } from './books-en.ts';
import { CALLS_EN } from './calls-en.ts';
import { INPUT_EN } from './input-en.ts';
import { MONEY_EN } from './money-en.ts';
import { PEOPLE_EN } from './people-en.ts';
import { SITES_EN } from './sites-en.ts';
import { TARIFFS_EN } from './tariffs-en.ts';
import { VISITS_EN } from './visits-en.ts';

/**
 * The file of refusals in English, by code. It defines the codes and their parameters. A text that begins in small letters is read behind the name of its field, the
 * others are sentences.
 */
export const REFUSAL_FILE_EN = {
  ...INPUT_EN,
  ...CALLS_EN,
  ...PEOPLE_EN,
  ...VISITS_EN,
  ...MONEY_EN,
  ...BOOKS_EN,
  ...SITES_EN,
  ...TARIFFS_EN,
};
