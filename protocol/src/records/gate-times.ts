/** The minutes for which an operator may hold a gate open or keep it closed, as forms offer them. */
export const HOLD_MINUTES = [5, 15, 30, 60, 120, 240, 480, 1440] as const;

/** A hold without a chosen end. */
export const USUAL_HOLD_MINUTES = 60;

/** A closing without a chosen end. */
export const USUAL_CLOSE_MINUTES = 15;

/**
 * The longest time for which an operator may keep an exit closed before its lane decides again: a forgotten
 * closing must not trap a car.
 */
export const MAX_EXIT_CLOSED_MINUTES = 15;

/** The longest time after which a command lapses by itself: a day. */
export const MAX_LAPSE_MINUTES = 1440;
