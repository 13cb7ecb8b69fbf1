import { listenToBoard } from './board-link.js';
import { nextState } from './board-state.js';
import { drawing, element } from './element.js';
import { plateSign } from './plate-sign.js';

/** @typedef {NonNullable<import('./board-state.js').BoardState['board']['more'][string]['instruction']>} Instruction */

/** The lane beside which this screen stands. */
const laneId = new URLSearchParams(location.search).get('lane');
const place = document.getElementById('display');

/** @type {import('./board-state.js').BoardState | null} */
let state = null;
let shown = '';

/** @param {import('./board-link.js').BoardEvent} event */
function onEvent(event) {
  state = nextState(state, event);
  if (state === null) return;
  const { site, board } = state;
  const lane = board.lanes.find(({ id }) => id === laneId) ?? null;
  const instruction = lane === null ? null : (board.more[lane.id]?.instruction ?? null);
  draw(site.name, lane?.name ?? null, instruction);
}

/**
 * @param {string} site
 * @param {string | null} lane null: there is no such lane
 * @param {Instruction | null} instruction null: no car is there
 */
function draw(site, lane, instruction) {
  // What a driver is reading stays as it is.
  const content = JSON.stringify([site, lane, instruction]);
  if (content === shown) return;
  shown = content;
  if (instruction !== null) place?.replaceChildren(...instructionParts(instruction));
  else place?.replaceChildren(element('p', { class: 'name' }, lane === null ? `${site}: lane?` : site));
}

/** @param {Instruction} instruction */
function instructionParts(instruction) {
  const { text, plate, due, payByPhone, helpPhone, question } = instruction;
  const words = element(
    'div',
    { class: 'words' },
    element('h1', {}, text.is),
    element('p', { class: 'other', lang: 'en' }, text.en),
    plate !== null && plateSign(plate, ''),
    due !== null && element('p', { class: 'due' }, due.text.is),
    question !== undefined && element('img', { class: 'entry', src: question.picture, alt: '' }),
    question !== undefined && element('p', {}, question.text.is),
    question !== undefined && element('p', { class: 'other', lang: 'en' }, question.text.en),
    helpPhone !== null && element('p', { class: 'call' }, helpPhone),
  );
  return payByPhone === null ? [words] : [words, phonePart(payByPhone)];
}

/** @param {NonNullable<Instruction['payByPhone']>} payByPhone */
function phonePart({ address, qr: { size, path } }) {
  const code = drawing('qr', `0 0 ${size} ${size}`, ['path', { d: path }]);
  return element('div', { class: 'phone' }, code, element('p', { class: 'address' }, address));
}

listenToBoard({
  onEvent,
  // A screen that shows what was due some time ago would mislead.
  async onLost() {
    draw('…', '', null);
    return true;
  },
});
