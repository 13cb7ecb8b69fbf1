import { roomWords } from '../../../words/words.ts';

/** Words of the editor of tariffs. */
export const EDITOR = roomWords('tariff').editor;

/** Words for what drivers read of a tariff. */
export const READING = roomWords('tariff').reading;
