import { roomWords } from '../../words/words.ts';

/** Words about products. */
export const PRODUCT = roomWords('products').product;
