/** @typedef {import('../src/local-api/lane-routes.ts').BoardState} BoardState */
/** @typedef {import('../src/local-api/lane-routes.ts').BoardEvents} BoardEvents */
/** @typedef {'state' | 'board' | 'devices' | 'link' | 'beat'} Shown the others are for the technician's tools */
/** @typedef {{[Name in Shown]: {name: Name, content: BoardEvents[Name]}}[Shown]} BoardEvent */

/**
 * The state after an event; null as long as nothing is known.
 *
 * @param {BoardState | null} state
 * @param {BoardEvent} event
 * @returns {BoardState | null}
 */
export function nextState(state, event) {
  if (event.name === 'state') return event.content;
  if (state === null) return null;
  switch (event.name) {
    case 'board':
      return { ...state, at: event.content.at, board: event.content };
    case 'link':
      return { ...state, link: event.content };
    case 'devices':
    case 'beat':
      return { ...state, ...event.content };
  }
}
