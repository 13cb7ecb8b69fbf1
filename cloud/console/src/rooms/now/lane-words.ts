import type { LaneWords } from '@hlid/protocol/words/lanes/lane-texts';
import { CODES, STATUS } from '../../words/codes.ts';
import { LANGUAGE, roomWords } from '../../words/words.ts';

/** Texts about lanes, which the lanes page of a site shows too. */
export const LANE: LaneWords = {
  language: LANGUAGE,
  texts: roomWords('lanes').LANES,
  codes: CODES,
  status: STATUS,
};
