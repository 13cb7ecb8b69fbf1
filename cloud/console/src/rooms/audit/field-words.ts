import { roomWords } from '../../words/words.ts';

/** What people call the fields of the API. A field without a name here is not shown to them. */
export const FIELD_WORDS: Readonly<Record<string, string>> = roomWords('audit').fieldWords;

/** What people call the codes that stand in these fields, besides states. */
export const CODE_WORDS: Readonly<Record<string, string>> = roomWords('audit').codeWords;
