import { roomWords } from '../../words/words.ts';

/** Words of the reports. */
export const REPORT = roomWords('reports').report;
