/** Texts about lanes, which the lanes page of a site shows too. */
export { LANE_IS as LANES } from '@hlid/protocol/words/lanes/is';
