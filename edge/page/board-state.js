/** @typedef {import('../src/local-api/lane-routes.ts').BoardState} BoardState */
/** @typedef {import('../src/local-api/lane-routes.ts').BoardEvents} BoardEvents */
/** @typedef {{[Name in keyof BoardEvents]: {name: Name, content: BoardEvents[Name]}}[keyof BoardEvents]} BoardEvent */

const SHOWN = 10;

/**
 * The board after an event; null as long as nothing is known.
 *
 * @param {BoardState | null} board
 * @param {BoardEvent} event
 * @returns {BoardState | null}
 */
export function nextBoard(board, event) {
  if (event.name === 'state') return event.content;
  if (board === null) return null;
  switch (event.name) {
    case 'passage': {
      const { laneId, passage } = event.content;
      return withLane(board, laneId, (lane) => {
        const place = lane.passages.findIndex(({ id, at }) => id === passage.id && at === passage.at);
        const others = lane.passages.filter(({ id }) => id !== passage.id);
        return { ...lane, passages: others.toSpliced(Math.max(place, 0), 0, passage).slice(0, SHOWN) };
      });
    }
    case 'gate':
      return withLane(board, event.content.laneId, (lane) => ({ ...lane, gate: event.content.gate }));
    case 'instruction':
      return withLane(board, event.content.laneId, (lane) => ({
        ...lane,
        instruction: event.content.instruction,
      }));
    case 'read':
      // Only for the technician's tools.
      return board;
    case 'link':
      return { ...board, link: event.content };
    case 'devices':
    case 'beat':
      return { ...board, ...event.content };
  }
}

/**
 * @param {BoardState} board
 * @param {string} laneId
 * @param {(lane: BoardState['lanes'][number]) => BoardState['lanes'][number]} change
 */
function withLane(board, laneId, change) {
  return { ...board, lanes: board.lanes.map((lane) => (lane.id === laneId ? change(lane) : lane)) };
}
