import { describe, expect, it } from 'vitest';
import type { OpeningAnswer, OpeningStep } from '../../records/sites/opening-steps.ts';
import { hasEdgeOf, type OpeningFacts, openingSteps } from './opening-rule.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-21T12:30:00.000Z';
const EARLIER = '2026-11-21T11:30:00.000Z';

/** A site that was made a moment ago. */
const NEW: OpeningFacts = {
  now: NOW,
  address: null,
  openingHours: null,
  capacity: null,
  zones: 0,
  permitsOnly: false,
  seller: null,
  edge: null,
  code: null,
  cameras: [],
  lanes: [],
  terminals: [],
  kiosks: [],
  products: 0,
  isVatOpen: false,
  isInUse: false,
  testVisit: null,
  answers: new Map(),
};

/** A site with an edge, of which every step is done but the last. */
const READY: OpeningFacts = {
  ...NEW,
  address: 'Geirsgata 1',
  openingHours: 'Always open',
  capacity: 40,
  seller: { vatNumber: '12345' },
  edge: { connected: true },
  cameras: [{ state: 'ok', lastReadOn: EARLIER }],
  lanes: [
    { direction: 'entry', hasGate: true, gate: 'ok', triedOn: EARLIER },
    { direction: 'exit', hasGate: true, gate: 'ok', triedOn: EARLIER },
  ],
  terminals: [{ state: 'ok' }],
  kiosks: [{ state: 'ok' }],
  products: 1,
  testVisit: { endedOn: EARLIER, isVoid: true },
  answers: answered({ tariff: 'vat-right', signs: 'done', 'test-car': 'begun' }),
};

function answered(answers: Partial<Record<OpeningStep, OpeningAnswer>>) {
  return new Map(Object.entries(answers) as [OpeningStep, OpeningAnswer][]);
}

function stepOf(step: OpeningStep, changes: Partial<OpeningFacts>, facts = READY) {
  const found = openingSteps({ ...facts, ...changes }).find((one) => one.step === step);
  return found && `${found.state} ${found.reason}${found.accepts.map((one) => ` [${one}]`).join('')}`;
}

describe('the steps of opening a site', () => {
  it('are all there at first, none of them done', () => {
    expect(openingSteps(NEW).map(({ step, state }) => `${step} ${state}`)).toEqual([
      'about to-do',
      'zones to-do',
      'seller to-do',
      'edge to-do',
      'enrolment to-do',
      'cameras to-do',
      'lanes to-do',
      'gates waiting',
      'terminal to-do',
      'tariff to-do',
      'signs to-do',
      'kiosk to-do',
      'test-car to-do',
      'live waiting',
    ]);
  });

  it('are fewer without an edge', () => {
    const steps = openingSteps({ ...NEW, answers: answered({ edge: 'without-edge' }) });
    expect(steps.map(({ step }) => step)).toEqual([
      'about',
      'zones',
      'seller',
      'edge',
      'cameras',
      'tariff',
      'signs',
      'test-car',
      'live',
    ]);
  });

  it('lead to a site that can be opened, and then is', () => {
    expect(stepOf('live', {})).toBe('to-do ready [done]');
    expect(
      stepOf('live', { answers: answered({ ...Object.fromEntries(READY.answers), live: 'done' }) }),
    ).toBe('done live');
    expect(stepOf('live', { capacity: null })).toBe('waiting steps-open');
  });

  it('are all possible to leave out that a site can do without', () => {
    const skipped = answered({
      zones: 'skipped',
      seller: 'no-vat-number',
      gates: 'skipped',
      terminal: 'skipped',
      tariff: 'skipped',
      signs: 'skipped',
      kiosk: 'skipped',
      'test-car': 'skipped',
    });
    const bare = { capacity: null, terminals: [], kiosks: [], products: 0, testVisit: null };
    const steps = openingSteps({ ...READY, ...bare, seller: { vatNumber: null }, answers: skipped });
    expect(steps.filter(({ state }) => state === 'skipped').map(({ step }) => step)).toEqual([
      'zones',
      'gates',
      'terminal',
      'tariff',
      'signs',
      'kiosk',
      'test-car',
    ]);
    expect(steps.at(-1)).toMatchObject({ step: 'live', state: 'to-do', accepts: ['done'] });
  });

  it.each<[OpeningStep, Partial<OpeningFacts>, string]>([
    ['about', { address: null }, 'to-do no-address'],
    ['about', { openingHours: null }, 'to-do no-hours'],
    ['zones', { capacity: null, zones: 2 }, 'done complete'],
    ['zones', { capacity: null }, 'to-do no-capacity [skipped]'],
    ['seller', { seller: null }, 'to-do no-seller'],
    ['seller', { seller: { vatNumber: null } }, 'to-do vat-number-unanswered [no-vat-number]'],
    ['enrolment', { edge: null }, 'to-do no-code'],
    ['enrolment', { edge: null, code: { expiresOn: LATER, usedOn: null } }, 'waiting code-valid'],
    ['enrolment', { edge: null, code: { expiresOn: NOW, usedOn: null } }, 'to-do code-expired'],
    ['enrolment', { edge: null, code: { expiresOn: NOW, usedOn: EARLIER } }, 'waiting code-used'],
    ['enrolment', { edge: { connected: false } }, 'again site-away'],
    ['cameras', { cameras: [{ state: 'ok', lastReadOn: null }] }, 'waiting no-reads'],
    ['cameras', { cameras: [{ state: 'silent', lastReadOn: EARLIER }] }, 'again device-alarm'],
    ['cameras', { edge: { connected: false } }, 'waiting site-away'],
    ['lanes', { lanes: [{ direction: 'exit', hasGate: true, gate: 'ok', triedOn: null }] }, 'to-do no-entry'],
    ['lanes', { lanes: [{ direction: 'entry', hasGate: true, gate: 'ok', triedOn: null }] }, 'to-do no-exit'],
    [
      'lanes',
      { lanes: [{ direction: null, hasGate: true, gate: 'ok', triedOn: null }] },
      'waiting not-reported',
    ],
    [
      'gates',
      { lanes: [{ direction: 'exit', hasGate: true, gate: 'ok', triedOn: null }] },
      'to-do not-tried [skipped]',
    ],
    [
      'gates',
      { lanes: [{ direction: 'exit', hasGate: true, gate: 'unreachable', triedOn: NOW }] },
      'again device-alarm',
    ],
    ['gates', { lanes: [{ direction: 'exit', hasGate: false, gate: null, triedOn: null }] }, 'done no-gates'],
    ['terminal', { terminals: [] }, 'to-do no-terminal [skipped]'],
    ['terminal', { terminals: [{ state: 'unknown' }] }, 'waiting not-reported'],
    ['terminal', { terminals: [{ state: 'unreachable' }] }, 'again device-alarm'],
    ['kiosk', { kiosks: [{ state: 'silent' }] }, 'again device-alarm'],
    ['kiosk', { edge: { connected: false } }, 'waiting site-away'],
    ['tariff', { products: 0 }, 'to-do no-product [skipped]'],
    ['tariff', { products: 0, permitsOnly: true }, 'done permits-only'],
    ['tariff', { answers: new Map() }, 'to-do vat-unchecked [vat-right]'],
    ['tariff', { isVatOpen: true }, 'to-do vat-undecided'],
    ['tariff', { isVatOpen: true, isInUse: true }, 'to-do vat-undecided'],
    ['signs', { answers: new Map() }, 'to-do not-up [done] [skipped]'],
    ['test-car', { answers: new Map() }, 'to-do not-begun [begun] [skipped]'],
    ['test-car', { testVisit: null }, 'waiting car-expected [begun] [skipped]'],
    ['test-car', { testVisit: { endedOn: null, isVoid: false } }, 'waiting car-inside [begun]'],
    ['test-car', { testVisit: { endedOn: NOW, isVoid: false } }, 'waiting visit-to-remove [begun]'],
    ['test-car', {}, 'done visit-removed [begun]'],
  ])('%s with %o: %s', (step, changes, expected) => {
    expect(stepOf(step, changes)).toBe(expected);
  });

  it('are done at a site that is in use, as far as cars show it; the page holds nothing up', () => {
    const inUse = { isInUse: true, answers: new Map(), testVisit: null };
    expect(stepOf('tariff', inUse)).toBe('done complete');
    expect(stepOf('test-car', inUse)).toBe('done in-use [begun]');
    expect(stepOf('live', inUse)).toBe('done in-use');
  });

  it('let a person choose about the edge until one has connected', () => {
    expect(stepOf('edge', {}, NEW)).toBe('to-do edge-unanswered [with-edge] [without-edge]');
    const withEdge = { answers: answered({ edge: 'with-edge' }) };
    expect(stepOf('edge', withEdge, NEW)).toBe('done with-edge [without-edge]');
    expect(stepOf('edge', { answers: answered({ edge: 'without-edge' }) })).toBe('done with-edge');
    expect(hasEdgeOf({ ...NEW, ...withEdge })).toBe(true);
    expect(hasEdgeOf(NEW)).toBeNull();
  });
});
