import { element } from './element.js';
import { clockTime, countsAsOne, fill } from './words.js';

/** @typedef {import('./lane-card.js').Setting} Setting */
/** @typedef {import('../src/local-api/lane-routes.ts').BoardState} BoardState */
/** @typedef {BoardState['devices'][number]} Device */

/** States that are not urgent. */
const MILD = ['backlog', 'clock-off', 'low', 'outdated'];

/**
 * The alarms above the lanes, and all devices below them, folded.
 *
 * @param {HTMLElement} alarms
 * @param {HTMLElement} devices
 * @returns {(board: BoardState | null, setting: Setting) => void} shows them
 */
export function createDeviceBoard(alarms, devices) {
  const heading = element('h2', {});
  const alarmList = element('ul', { role: 'list' });
  alarms.replaceChildren(heading, alarmList);
  const summary = element('summary', {});
  const all = element('dl', {});
  devices.replaceChildren(element('details', {}, summary, all));
  let shown = '';

  return (board, setting) => {
    const known = board?.devices ?? [];
    // The list is drawn again only when devices have changed: it must not jump with every car.
    const showing = JSON.stringify([known, setting.language, setting.timeZone, setting.now.slice(0, 10)]);
    if (showing === shown) return;
    shown = showing;
    const wrong = known.filter(({ alarm }) => alarm);
    const words = setting.words.page.devices;

    alarms.hidden = wrong.length === 0;
    const one = countsAsOne(setting.language, wrong.length);
    heading.textContent = fill(one ? words.alarmOne : words.alarmMany, { n: wrong.length });
    alarmList.replaceChildren(...wrong.map((device) => alarmItem(device, board, setting)));

    devices.hidden = known.length === 0;
    summary.textContent = known.every(({ state }) => state === 'ok') ? words.allWell : words.all;
    all.replaceChildren(...known.map((device) => deviceItem(device, board, setting)));
  };
}

/**
 * @param {Device} device
 * @param {BoardState | null} board
 * @param {Setting} setting
 */
function alarmItem(device, board, setting) {
  const { devices: words, page } = setting.words;
  const item = element('li', { class: 'concern' });
  item.classList.toggle('mild', MILD.includes(device.state));
  const since = fill(page.devices.since, { time: clockTime(device.since, setting) });
  const what = `${nameOf(device, board, setting)}: ${words.states[device.state]}`;
  item.append(
    element('p', {}, element('span', { class: 'what' }, what), ` ${since}`),
    element('p', {}, adviceFor(device, setting)),
  );
  if (device.detail !== '') item.append(element('p', { class: 'detail' }, device.detail));
  return item;
}

/**
 * @param {Device} device
 * @param {BoardState | null} board
 * @param {Setting} setting
 */
function deviceItem(device, board, setting) {
  const { devices: words, page } = setting.words;
  const { state, since, alarm, detail, lastError } = device;
  const time = clockTime(since, setting);
  const item = element(
    'div',
    {},
    element('dt', {}, nameOf(device, board, setting)),
    element(
      'dd',
      {},
      element('span', { class: 'state' }, words.states[state]),
      ` ${fill(page.devices.since, { time })}`,
    ),
  );
  item.classList.toggle('alarm', alarm && !MILD.includes(state));
  item.classList.toggle('unheard', state === 'unknown' || MILD.includes(state));
  // What is wrong stands above the lanes.
  if (!alarm && detail !== '') item.append(element('dd', { class: 'detail' }, detail));
  if (lastError !== null) {
    const values = { time: clockTime(lastError.at, setting), detail: lastError.detail };
    item.append(element('dd', {}, fill(page.devices.lastError, values)));
  }
  return item;
}

/**
 * Its kind, its name, and its lane.
 *
 * @param {Device} device
 * @param {BoardState | null} board
 * @param {Setting} setting
 */
function nameOf({ kind, id }, board, { words }) {
  const name = words.devices.kinds[kind];
  if (id === 'site') return name;
  const laneId = kind === 'gate' ? id : board?.cameras.find((camera) => camera.id === id)?.laneId;
  const lane = board?.lanes.find((one) => one.id === laneId)?.name;
  if (kind === 'gate') return `${name} ${lane ?? id}`;
  return lane === undefined ? `${name} ${id}` : `${name} ${id} (${lane})`;
}

/**
 * @param {Device} device
 * @param {Setting} setting
 */
function adviceFor({ kind, state }, { words }) {
  /** @type {Record<string, string | undefined>} */
  const advice = { ...words.devices.advice };
  /** @type {Record<string, string | undefined>} */
  const ofKind = words.devices.adviceOfKind;
  return ofKind[`${kind}.${state}`] ?? advice[state] ?? '';
}
