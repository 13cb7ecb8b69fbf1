import { roomWords } from '../../words/words.ts';

export const VISIT = roomWords('visits').visit;

/** What people do with visits. */
export const ACT = roomWords('visits').act;

/** The place of the car when a visit is reopened. */
export const REOPEN = roomWords('visits').reopen;
