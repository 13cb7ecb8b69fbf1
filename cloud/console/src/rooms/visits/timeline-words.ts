import { roomWords } from '../../words/words.ts';

/**
 * The texts of the entries of a visit's timeline, by kind and code. Codes without a text are shown as they
 * are.
 */
export const TIMELINE = roomWords('visits').timeline;
