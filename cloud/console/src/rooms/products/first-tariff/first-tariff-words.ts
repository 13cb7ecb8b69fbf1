import { roomWords } from '../../../words/words.ts';

/** Words of a site's first prices. */
export const FIRST_TARIFF = roomWords('tariff').firstTariff;
