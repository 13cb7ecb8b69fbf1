import { roomWords } from '../../../words/words.ts';

/** Words about dry runs of a draft. */
export const DRY_RUN = roomWords('products').dryRun;
