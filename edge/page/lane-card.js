import { barrier, icon, verdict } from './drawings.js';
import { element } from './element.js';
import { plateSign } from './plate-sign.js';
import { agoText, clockTime, fill, lengthText } from './words.js';

/** @typedef {import('../src/local-api/lane-routes.ts').PageLane} PageLane */
/** @typedef {NonNullable<PageLane['car']>} PageCar */
/** @typedef {import('../src/local-api/lane-routes.ts').PagePassage} PagePassage */
/** @typedef {import('../src/local-api/lane-routes.ts').PageBoard} PageBoard */
/** @typedef {import('../src/camera/camera-watch.ts').CameraView} CameraView */
/** @typedef {import('./command-dialog.js').Act} Act */
/** @typedef {{words: import('./words.js').Words, language: import('./words.js').Language, timeZone: string, now: string}} Setting */

/**
 * The card of one lane. What moves or has the focus stays the same element.
 *
 * @param {(act: Act) => void} ask
 * @returns {{root: HTMLElement, show: (lane: PageLane, more: {board: PageBoard, cameras: readonly CameraView[], lost: boolean}, setting: Setting) => void}}
 */
export function createLaneCard(ask) {
  const name = element('h2', {});
  const direction = element('p', { class: 'direction' });
  const gateWords = element('span', {});
  const error = element('p', { class: 'error', hidden: '' });
  const order = element('p', { class: 'order', hidden: '' });
  const stateWords = element('p', { class: 'state' });
  const car = createCarPanel();
  const earlier = element('ol', { class: 'earlier' });
  const buttons = createButtons(ask);
  const camera = element('footer', {});
  const gate = element('p', { class: 'gate' }, barrier(), gateWords);
  const head = element('header', {}, element('div', {}, direction, name), gate);
  const root = element(
    'article',
    { class: 'lane' },
    head,
    order,
    error,
    stateWords,
    car.root,
    buttons.root,
    earlier,
    camera,
  );

  return {
    root,
    show(lane, { board, cameras, lost }, setting) {
      const { page } = setting.words;
      Object.assign(root.dataset, { gate: lane.gate.state, lane: lane.id, state: lane.state });
      root.id = `lane-${lane.id}`;
      name.textContent = lane.name;
      direction.replaceChildren(icon(lane.direction), page.directions[lane.direction]);
      gateWords.textContent = setting.words.states.gate[lane.gate.state];
      showText(error, lane.gate.lastError === null ? '' : errorWords(page.gateErrors, lane.gate.lastError));
      showText(order, lane.gate.order === null ? '' : orderWords(lane.gate.order, setting));
      const here = carHere(lane);
      stateWords.replaceChildren(...stateParts(lane, here, setting));
      car.show(here, { lane, more: board.more[lane.id], setting });
      const lines = [...(lane.car && here === null ? [lane.car] : []), ...lane.earlier];
      const shown = lines.filter(({ passageId }) => board.seenAt[passageId] === undefined);
      earlier.hidden = shown.length === 0;
      earlier.setAttribute('aria-label', page.earlier);
      earlier.replaceChildren(...shown.map((passage) => earlierRow(passage, board, setting)));
      buttons.show(lane, here, { setting, lost });
      camera.replaceChildren(...cameraLines(cameras, setting));
    },
  };
}

/**
 * One sentence for screen readers.
 *
 * @param {PageLane} lane
 * @param {PagePassage} passage
 * @param {Setting['words']} words
 */
export function passageSentence(lane, passage, words) {
  const { page, reasons, flags, states } = words;
  const marks = flagsOf(passage).map((flag) => flags[flag]);
  const outcome = states.passage[passage.outcome];
  return `${lane.name}: ${[passage.plate ?? page.noPlate, outcome, reasons[passage.reason], ...marks].join(', ')}.`;
}

/**
 * The car that stands there now; null: none, or it has gone.
 *
 * @param {PageLane} lane
 */
function carHere({ state, since, car }) {
  return state !== 'idle' && car !== null && since === car.cameAt ? car : null;
}

/**
 * The car that stands there: its picture, its plate, what happens and why, and what is due.
 *
 * @returns {{root: HTMLElement, show: (car: PageCar | null, more: {lane: PageLane, more: PageBoard['more'][string] | undefined, setting: Setting}) => void}}
 */
function createCarPanel() {
  const picture = element('img', { hidden: '', width: '640', height: '360' });
  picture.addEventListener('error', () => picture.toggleAttribute('hidden', true));
  const text = element('div', { class: 'about' });
  const root = element('div', { class: 'car', hidden: '' }, picture, text);
  let shown = '';

  return {
    root,
    show(car, { lane, more, setting }) {
      root.hidden = car === null;
      if (car === null) {
        shown = '';
        return;
      }
      const src = car.picture === 'none' ? null : `/api/pictures/${encodeURIComponent(car.photoId)}`;
      if (src === null) picture.hidden = true;
      else if (picture.getAttribute('src') !== src) {
        picture.setAttribute('src', src);
        picture.hidden = false;
      }
      picture.alt = fill(setting.words.page.picture, { plate: car.plate ?? setting.words.page.noPlate });
      root.classList.toggle('fresh', shown !== '' && shown !== car.passageId);
      shown = car.passageId;
      text.replaceChildren(...carParts(car, { lane, more, setting }).filter((part) => part !== null));
    },
  };
}

/**
 * @param {PageCar} car
 * @param {{lane: PageLane, more: PageBoard['more'][string] | undefined, setting: Setting}} about
 */
function carParts(car, { lane, more, setting }) {
  const { page, reasons, states } = setting.words;
  const { outcome } = car;
  const instruction = lane.state === 'waiting' ? (more?.instruction ?? null) : null;
  const inside = car.enteredAt !== null && lane.direction === 'exit' ? car.enteredAt : null;
  return [
    plateSign(car.plate, page.noPlate),
    element(
      'p',
      { class: `decision ${outcome}` },
      verdict(outcome),
      states.passage[outcome],
      ' · ',
      element('span', { title: car.reason }, reasons[car.reason]),
    ),
    more?.due ? element('p', { class: 'due' }, fill(page.due, { amount: more.due[setting.language] })) : null,
    inside
      ? element('p', { class: 'inside' }, fill(page.insideSince, { time: clockTime(inside, setting) }))
      : null,
    flagList(car, setting),
    instruction ? element('p', { class: 'message' }, messageWords(instruction, setting)) : null,
  ];
}

/**
 * Open, hold, release.
 *
 * @param {(act: Act) => void} ask
 * @returns {{root: HTMLElement, show: (lane: PageLane, car: PageCar | null, more: {setting: Setting, lost: boolean}) => void}}
 */
function createButtons(ask) {
  /** @type {{lane: PageLane, car: PageCar | null} | undefined} */
  let at;
  const makeButton = (/** @type {Act['action']} */ action) => {
    const button = element('button', { type: 'button', class: 'button' });
    button.addEventListener('click', () => {
      if (!at) return;
      const { lane, car } = at;
      const meant = action === 'open' ? car : null;
      const passageId = meant?.passageId ?? null;
      ask({ action, laneId: lane.id, lane: lane.name, passageId, plate: meant?.plate ?? null });
    });
    return button;
  };
  const [open, hold, release] = [makeButton('open'), makeButton('hold'), makeButton('release')];
  const root = element('div', { class: 'acts', role: 'group' }, open, hold, release);

  return {
    root,
    show(lane, here, { setting, lost }) {
      const { acts } = setting.words.page;
      const car = lane.opensForCar ? here : null;
      at = { lane, car };
      root.setAttribute('aria-label', fill(acts.group, { lane: lane.name }));
      open.textContent = car?.plate ? fill(acts.openFor, { plate: car.plate }) : acts.open;
      open.classList.toggle('primary', lane.state === 'waiting');
      hold.textContent = acts.hold;
      release.textContent = acts.release;
      const mode = lane.gate.order?.mode ?? 'automatic';
      hold.hidden = mode === 'held-open';
      release.hidden = mode === 'automatic';
      for (const button of [open, hold, release]) button.disabled = lost;
    },
  };
}

/**
 * What the lane does, in one line.
 *
 * @param {PageLane} lane
 * @param {PageCar | null} here
 * @param {Setting} setting
 */
function stateParts({ state, since }, here, { words, now }) {
  const { page, states } = words;
  const ms = since === null ? 0 : Date.parse(now) - Date.parse(since);
  if (state === 'waiting')
    return [element('strong', {}, fill(page.waits, { length: lengthText(ms, { words }) }))];
  if (here !== null) return [element('strong', {}, states.lane.now)];
  if (state === 'now') return [element('strong', {}, page.gateMoves)];
  if (since === null) return [element('strong', {}, page.nobodyYet), ` ${page.nobodyYetMore}`];
  return [`${states.lane.idle} · ${fill(page.lastCar, { ago: agoText(ms, { words }) })}`];
}

/**
 * @param {Setting['words']['page']['gateErrors']} words
 * @param {string} problem
 */
function errorWords(words, problem) {
  /** @type {Record<string, string>} */
  const known = words;
  return known[problem] ?? problem;
}

/**
 * Who set the gate, since when, until when, and why.
 *
 * @param {NonNullable<PageLane['gate']['order']>} order
 * @param {Setting} setting
 */
function orderWords({ mode, since, lapsesAt, by, name, reasonCode, note, confirmed }, setting) {
  const { page, gateReasons, states } = setting.words;
  const { order: words } = page;
  const time = clockTime(since, setting);
  const set = { mode: states.gateMode[mode], time };
  const when =
    lapsesAt === null
      ? fill(words.since, set)
      : fill(words.until, { ...set, until: clockTime(lapsesAt, setting) });
  const person = by.startsWith('on-site:') ? words.onSite : (name ?? words.byHand);
  const reason = reasonCode === null || reasonCode === 'other' ? note : gateReasons[reasonCode];
  const more = reason === note || note === '' ? [reason] : [`${reason}: ${note}`];
  return [when, person, ...more, confirmed ? '' : words.unconfirmed]
    .filter((part) => part !== '')
    .join(' · ');
}

/**
 * @param {NonNullable<PageBoard['more'][string]['instruction']>} instruction
 * @param {Setting} setting
 */
function messageWords({ text, helpPhone }, { words, language }) {
  const message = fill(words.page.driverMessage, { text: text[language] });
  return helpPhone === null ? message : `${message} ☎ ${helpPhone}`;
}

/**
 * One line: when, which car, what happened and why; with the lane where the same car was seen before.
 *
 * @param {PagePassage} passage
 * @param {PageBoard} board
 * @param {Setting} setting
 */
function earlierRow(passage, board, setting) {
  const { page, reasons } = setting.words;
  const { outcome } = passage;
  const text = setting.words.states.passage[outcome];
  const sign = element('span', { title: text }, verdict(outcome), element('span', { class: 'unseen' }, text));
  const time = element('time', { datetime: passage.seenAt }, clockTime(passage.seenAt, setting));
  const also = otherLanes(passage, board).map((name) => fill(page.alsoAt, { lane: name }));
  const notes = [...flagsOf(passage).map((flag) => setting.words.flags[flag]), ...also];
  return element(
    'li',
    { class: outcome },
    sign,
    plateSign(passage.plate, page.noPlate),
    element(
      'span',
      { class: 'why' },
      element('span', { title: passage.reason }, reasons[passage.reason]),
      notes.length === 0 ? null : element('span', { class: 'notes' }, notes.join(' · ')),
    ),
    time,
  );
}

/**
 * The other lanes that saw the car of a passage before.
 *
 * @param {PagePassage} passage
 * @param {PageBoard} board
 */
function otherLanes({ passageId, visitId, plate }, { lanes, seenAt }) {
  const here = lanes.find(({ car, earlier }) =>
    [car, ...earlier].some((one) => one?.passageId === passageId),
  );
  return lanes.flatMap(({ name, car, earlier }) => {
    const seen = [car, ...earlier].some(
      (one) =>
        one !== null &&
        seenAt[one.passageId] === here?.id &&
        (one.visitId === null ? one.plate === plate : one.visitId === visitId),
    );
    return seen ? [name] : [];
  });
}

/**
 * @param {PagePassage} passage
 * @param {Setting} setting
 */
function flagList(passage, { words }) {
  const flags = flagsOf(passage);
  if (flags.length === 0) return null;
  return element('ul', { class: 'flags' }, ...flags.map((flag) => element('li', {}, words.flags[flag])));
}

/**
 * The flag of an unreadable plate repeats its reason.
 *
 * @param {PagePassage} passage
 */
function flagsOf({ flags, reason }) {
  return flags.filter((flag) => flag !== 'unreadable-plate' || reason !== 'need-plate');
}

/**
 * Only what is worth a line: an alarm stands above the lanes already.
 *
 * @param {readonly CameraView[]} cameras
 * @param {Setting} setting
 */
function cameraLines(cameras, { words, now }) {
  const { camera: texts } = words.page;
  if (cameras.length === 0) return [element('p', {}, texts.none)];
  return cameras.map(({ id, lastSeenAt, clockBehindMs }) => {
    const ago = lastSeenAt === null ? '' : agoText(Date.parse(now) - Date.parse(lastSeenAt), { words });
    const seen = lastSeenAt === null ? fill(texts.notSeen, { id }) : fill(texts.seen, { id, ago });
    const line = element('p', {}, seen);
    if (lastSeenAt === null) line.classList.add('doubtful');
    if (clockBehindMs === 0) return line;
    const off = clockBehindMs > 0 ? texts.clockBehind : texts.clockAhead;
    const duration = lengthText(Math.abs(clockBehindMs), { words });
    line.append('; ', element('span', { class: 'doubtful' }, fill(off, { duration })));
    return line;
  });
}

/**
 * @param {HTMLElement} line
 * @param {string} text
 */
function showText(line, text) {
  line.hidden = text === '';
  line.textContent = text;
}
