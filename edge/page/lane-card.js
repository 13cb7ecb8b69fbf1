import { barrier, verdict, way } from './drawings.js';
import { element } from './element.js';
import { clockTime, fill } from './words.js';

/** @typedef {import('../src/lane/lane-status.ts').LaneView} LaneView */
/** @typedef {import('../src/passage/passage-view.ts').PassageView} PassageView */
/** @typedef {import('../src/camera/camera-watch.ts').CameraView} CameraView */
/** @typedef {{words: import('./words.js').Words, language: import('./words.js').Language, timeZone: string, now: string}} Setting */

/**
 * The card of one lane. The barrier stays the same element, so that its movement is animated.
 *
 * @returns {{root: HTMLElement, show: (lane: LaneView, cameras: readonly CameraView[], setting: Setting) => void}}
 */
export function createLaneCard() {
  const name = element('h2', {});
  const direction = element('p', { class: 'direction' });
  const gateWords = element('span', {});
  const error = element('p', { class: 'error', hidden: '' });
  const override = element('p', { class: 'override', hidden: '' });
  const message = element('p', { class: 'message', hidden: '' });
  const passages = element('div', { class: 'passages' });
  const camera = element('footer', {});
  const gate = element('p', { class: 'gate' }, barrier(), gateWords);
  const head = element('header', {}, element('div', {}, direction, name), gate);
  const root = element('article', { class: 'lane' }, head, error, override, message, passages, camera);
  /** @type {string | null} */
  let shownFirst = null;

  return {
    root,
    show(lane, cameras, setting) {
      const { page } = setting.words;
      root.dataset['gate'] = lane.gate.state;
      root.dataset['lane'] = lane.id;
      name.textContent = lane.name;
      direction.replaceChildren(way(lane.direction), page.directions[lane.direction]);
      gateWords.textContent = page.gates[lane.gate.state];
      const problem = lane.gate.lastError;
      error.hidden = problem === null;
      error.textContent = problem === null ? '' : errorWords(page.gateErrors, problem);

      override.hidden = lane.gate.override === null;
      override.textContent = lane.gate.override === null ? '' : overrideWords(lane.gate.override, setting);

      const instruction = lane.instruction ?? null;
      message.hidden = instruction === null;
      message.textContent = instruction === null ? '' : messageWords(instruction, setting);

      const [latest, ...earlier] = lane.passages;
      if (latest === undefined) passages.replaceChildren(nobodyYet(page));
      else {
        const outcome = outcomeOf(latest, lane.gate);
        const first = element(
          'div',
          { class: `latest ${outcome}` },
          ...latestParts(latest, outcome, setting),
        );
        if (shownFirst !== null && shownFirst !== keyOf(latest)) first.classList.add('fresh');
        const list = element('ol', { 'aria-label': page.earlier });
        for (const passage of earlier) list.append(earlierRow(passage, setting));
        passages.replaceChildren(first, list);
      }
      shownFirst = latest === undefined ? '' : keyOf(latest);
      camera.replaceChildren(...cameraLines(cameras, setting));
    },
  };
}

/**
 * One sentence for screen readers.
 *
 * @param {LaneView} lane
 * @param {PassageView} passage
 * @param {Setting['words']} words
 */
export function passageSentence(lane, passage, words) {
  const { page, reasons, flags } = words;
  const marks = flagsOf(passage).map((flag) => flags[flag]);
  const outcome = page.outcomes[outcomeOf(passage)];
  return `${lane.name}: ${[passage.plate ?? page.noPlate, outcome, reasons[passage.reason], ...marks].join(', ')}.`;
}

/**
 * The outcome of a passage. The gate's state may be newer than the passage's.
 *
 * @param {PassageView} passage
 * @param {LaneView['gate']} [gate] for the latest passage of its lane
 */
function outcomeOf({ open, flags, at, gate: answer }, gate) {
  if (!open) return 'kept-closed';
  if (answer === 'refused' || answer === 'unreachable') return 'not-opened';
  if (answer === 'unknown') return 'unconfirmed';
  const doubtful = gate !== undefined && gate.lastError !== null && gate.since >= at;
  return doubtful || flags.includes('gate-unconfirmed') ? 'unconfirmed' : 'opened';
}

/** @param {PassageView} passage */
function keyOf(passage) {
  return `${passage.id} ${passage.at} ${passage.open}`;
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
 * @param {NonNullable<LaneView['gate']['override']>} override
 * @param {Setting} setting
 */
function overrideWords({ since, reason, lapsesAt }, setting) {
  const { page } = setting.words;
  const time = clockTime(since, setting);
  if (lapsesAt === null) return fill(page.overridden, { time, reason });
  return fill(page.overriddenUntil, { time, reason, until: clockTime(lapsesAt, setting) });
}

/**
 * @param {NonNullable<LaneView['instruction']>} instruction
 * @param {Setting} setting
 */
function messageWords({ text, helpPhone }, { words, language }) {
  const message = fill(words.page.driverMessage, { text: text[language] });
  return helpPhone === null ? message : `${message} ☎ ${helpPhone}`;
}

/** @param {Setting['words']['page']} page */
function nobodyYet(page) {
  const more = element('p', {}, page.nobodyYetMore);
  return element('div', { class: 'nobody' }, element('p', {}, element('strong', {}, page.nobodyYet)), more);
}

/**
 * @param {PassageView} passage
 * @param {ReturnType<typeof outcomeOf>} outcome
 * @param {Setting} setting
 */
function latestParts(passage, outcome, setting) {
  const { page, reasons } = setting.words;
  return [
    element('p', { class: 'outcome' }, verdict(outcome), page.outcomes[outcome], timeOf(passage, setting)),
    plateOf(passage, page.noPlate),
    element('p', { class: 'reason', title: passage.reason }, reasons[passage.reason]),
    flagList(passage, setting),
  ];
}

/**
 * @param {PassageView} passage
 * @param {Setting} setting
 */
function earlierRow(passage, setting) {
  const { page, reasons } = setting.words;
  const outcome = outcomeOf(passage);
  const text = page.outcomes[outcome];
  const sign = element('span', { title: text }, verdict(outcome), element('span', { class: 'unseen' }, text));
  const reason = element('span', { title: passage.reason }, reasons[passage.reason]);
  return element(
    'li',
    { class: outcome },
    sign,
    plateOf(passage, page.noPlate),
    timeOf(passage, setting),
    element('div', { class: 'explanation' }, reason, flagList(passage, setting)),
  );
}

/**
 * @param {PassageView} passage
 * @param {Setting} setting
 */
function timeOf(passage, setting) {
  return element('time', { datetime: passage.at }, clockTime(passage.at, setting));
}

/**
 * @param {PassageView} passage
 * @param {string} noPlate
 */
function plateOf({ plate }, noPlate) {
  return plate === null
    ? element('span', { class: 'plate none' }, noPlate)
    : element('span', { class: 'plate' }, plate);
}

/**
 * @param {PassageView} passage
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
 * @param {PassageView} passage
 */
function flagsOf({ flags, reason }) {
  return flags.filter((flag) => flag !== 'unreadable-plate' || reason !== 'need-plate');
}

/**
 * @param {readonly CameraView[]} cameras
 * @param {Setting} setting
 */
function cameraLines(cameras, { words, now }) {
  const { camera: texts } = words.page;
  if (cameras.length === 0) return [element('p', {}, texts.none)];
  return cameras.map(({ id, lastSeenAt, clockBehindMs }) => {
    const line = element('p', {}, seenWords(texts, id, lastSeenAt, now));
    if (lastSeenAt === null) line.classList.add('doubtful');
    if (clockBehindMs === 0) return line;
    const off = clockBehindMs > 0 ? texts.clockBehind : texts.clockAhead;
    const duration = durationText(Math.abs(clockBehindMs));
    line.append('; ', element('span', { class: 'doubtful' }, fill(off, { duration })));
    return line;
  });
}

/**
 * @param {Setting['words']['page']['camera']} texts
 * @param {string} id
 * @param {string | null} lastSeenAt
 * @param {string} now
 */
function seenWords(texts, id, lastSeenAt, now) {
  if (lastSeenAt === null) return fill(texts.notSeen, { id });
  const minutes = Math.floor((Date.parse(now) - Date.parse(lastSeenAt)) / 60_000);
  if (minutes < 1) return fill(texts.seenNow, { id });
  if (minutes < 60) return fill(texts.seenMinutesAgo, { id, n: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return fill(texts.seenHoursAgo, { id, n: hours });
  return fill(texts.seenDaysAgo, { id, n: Math.floor(hours / 24) });
}

/**
 * Hours, minutes and seconds as a clock writes them.
 *
 * @param {number} ms
 */
function durationText(ms) {
  const seconds = Math.round(ms / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
