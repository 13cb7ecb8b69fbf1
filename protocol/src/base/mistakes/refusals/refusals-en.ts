import { type RefusalWords, refusalWords } from '../refusal-file.ts';
import { REFUSAL_FILE_EN } from './refusal-file-en.ts';

/** Every refusal in English, by its code. */
export const REFUSALS_EN: RefusalWords = refusalWords(REFUSAL_FILE_EN, 'en');
