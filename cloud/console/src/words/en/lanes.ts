/** Texts about lanes, which the lanes page of a site shows too. */
export { LANE_EN as LANES } from '@hlid/protocol/words/lanes/en';
