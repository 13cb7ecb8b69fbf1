import { roomWords } from '../../../words/words.ts';

/** Words of the editor of tariffs. */
export const EDITOR = roomWords('tariff').editor;

/** Words for what drivers read of a tariff. */
export const READING = roomWords('tariff').reading;

/** The contradictions in a tariff, by the codes of the rules. */
export const FINDINGS = roomWords('tariff').findings;

/** Words that name the place of something in a tariff. */
export const PLACES = roomWords('tariff').places;

/** Words for public holidays by country. */
export const HOLIDAY_LIST = roomWords('tariff').holidayList;
