import { roomWords } from '../../../words/words.ts';

/** Words about the versions of a product. */
export const VERSION = roomWords('products').versions;
