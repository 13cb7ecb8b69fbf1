import { roomWords } from '../../words/words.ts';

export const VISIT = roomWords('visits').visit;

/** The names of acts on visits. */
export const ACT = roomWords('visits').act;

/** The place of the car when a visit is reopened. */
export const REOPEN = roomWords('visits').reopen;
