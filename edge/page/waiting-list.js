import { element } from './element.js';
import { plateSign } from './plate-sign.js';
import { clockTime, fill, lengthText } from './words.js';

/** @typedef {import('./lane-card.js').Setting} Setting */
/** @typedef {import('./board-state.js').BoardState} BoardState */

/**
 * Who waits and for what, the longest waiting first, and what lanes have alerted people to.
 *
 * @param {HTMLElement} root
 * @returns {(state: BoardState | null, setting: Setting) => void} shows them
 */
export function createWaitingList(root) {
  const heading = element('h2', {});
  const waiting = element('ul', { role: 'list', class: 'waiting-cars' });
  const alerts = element('ul', { role: 'list', class: 'alerts-list' });
  root.replaceChildren(heading, waiting, alerts);

  return (state, setting) => {
    const board = state?.board;
    root.hidden = !board || board.waiting.length + board.alerts.length === 0;
    if (!board) return;
    const { page } = setting.words;
    heading.hidden = board.waiting.length === 0;
    heading.textContent = page.waiting.heading;
    waiting.replaceChildren(
      ...board.waiting.flatMap((id) => {
        const lane = board.lanes.find((one) => one.id === id);
        return lane?.car ? [waitingCar(lane, lane.car, board, setting)] : [];
      }),
    );
    alerts.replaceChildren(...board.alerts.map((alert) => alertItem(alert, board, setting)));
  };
}

/**
 * @param {BoardState['board']['lanes'][number]} lane
 * @param {NonNullable<BoardState['board']['lanes'][number]['car']>} car
 * @param {BoardState['board']} board
 * @param {Setting} setting
 */
function waitingCar({ id, name, since }, car, board, { words, ...setting }) {
  const due = board.more[id]?.due;
  const length = since === null ? '' : lengthText(Date.parse(setting.now) - Date.parse(since), { words });
  return element(
    'li',
    {},
    plateSign(car.plate, words.page.noPlate),
    element('a', { href: `#lane-${id}` }, name),
    element('span', {}, words.reasons[car.reason]),
    due ? element('strong', {}, due[setting.language]) : null,
    element('span', { class: 'length' }, length),
  );
}

/**
 * @param {BoardState['board']['alerts'][number]} alert
 * @param {BoardState['board']} board
 * @param {Setting} setting
 */
function alertItem({ laneId, alert, plate, at }, board, setting) {
  const { words } = setting;
  const lane = board.lanes.find(({ id }) => id === laneId)?.name ?? laneId;
  return element(
    'li',
    {},
    element('strong', {}, words.alerts[alert]),
    plate === null ? null : plateSign(plate, words.page.noPlate),
    element('span', {}, fill(words.page.waiting.alertAt, { lane, time: clockTime(at, setting) })),
  );
}
