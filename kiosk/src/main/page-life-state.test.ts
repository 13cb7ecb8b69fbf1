import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followPage, newPageLife, type PageEvent, type PageLife, type PageStep } from './page-life-state.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WELL: PageEvent = { type: 'beat', shows: true, idle: false };
const IDLE: PageEvent = { type: 'beat', shows: true, idle: true };
const EMPTY: PageEvent = { type: 'beat', shows: false, idle: false };
const FAULT: PageEvent = { type: 'fault' };
const TICK: PageEvent = { type: 'tick' };

/** A page and what was done for it, with its own time. */
function newPage() {
  let life: PageLife = newPageLife(0);
  let now = 0;
  const steps: PageStep[] = [];
  const take = (event: PageEvent) => {
    const next = followPage(life, event, now);
    life = next.life;
    if (next.step !== 'none') steps.push(next.step);
    return next.step;
  };
  return {
    take,
    /** Passes this time: in each second the event and a tick. */
    pass(ms: number, event: PageEvent | null) {
      for (const end = now + ms; now < end; ) {
        now += SECOND;
        if (event) take(event);
        take(TICK);
      }
    },
    at: () => life.at,
    steps,
  };
}

describe('a page', () => {
  it('is left alone while it is well', () => {
    const page = newPage();
    page.pass(HOUR, WELL);
    expect(page.at()).toBe('running');
    expect(page.steps).toEqual([]);
  });

  it('is loaded again at once when it fails', () => {
    const page = newPage();
    page.pass(MINUTE, WELL);
    expect(page.take(FAULT)).toBe('load');
    expect(page.at()).toBe('loading');
    page.pass(MINUTE, WELL);
    expect(page.at()).toBe('running');
    expect(page.steps).toEqual(['load']);
  });

  it('is loaded again when it falls silent', () => {
    const page = newPage();
    page.pass(MINUTE, WELL);
    page.pass(20 * SECOND, null);
    expect(page.steps).toEqual([]);
    page.pass(2 * SECOND, null);
    expect(page.steps).toEqual(['load']);
  });

  it('is loaded again when it never comes up', () => {
    const page = newPage();
    page.pass(22 * SECOND, null);
    expect(page.steps).toEqual(['load']);
  });

  it('is loaded again when it runs with nothing on the screen', () => {
    const page = newPage();
    page.pass(MINUTE, WELL);
    page.pass(10 * SECOND, EMPTY);
    expect(page.steps).toEqual([]);
    page.pass(2 * SECOND, EMPTY);
    expect(page.steps).toEqual(['load']);
  });

  it('gives way to the help screen after four failures in a row, and is tried again', () => {
    const page = newPage();
    for (let times = 0; times < 4; times++) page.take(FAULT);
    expect(page.steps).toEqual(['load', 'load', 'load', 'help']);
    expect(page.at()).toBe('helping');
    // The help screen's own beats and faults are no news of the page.
    page.take(WELL);
    page.take(FAULT);
    expect(page.at()).toBe('helping');
    page.pass(61 * SECOND, WELL);
    expect(page.steps.slice(4)).toEqual(['load']);
    page.pass(MINUTE, WELL);
    expect(page.at()).toBe('running');
  });

  it('is always loaded at once when it fails now and then', () => {
    const page = newPage();
    for (let times = 0; times < 20; times++) {
      page.pass(2 * MINUTE, WELL);
      page.take(FAULT);
    }
    expect(page.steps).toEqual(Array(20).fill('load'));
  });

  it('ends the program when the help screen does not help', () => {
    const page = newPage();
    for (let times = 0; times < 5; times++) {
      for (let faults = 0; faults < 4; faults++) page.take(FAULT);
      expect(page.at()).toBe('helping');
      page.pass(61 * SECOND, null);
      expect(page.at()).toBe('loading');
    }
    for (let faults = 0; faults < 4; faults++) page.take(FAULT);
    expect(page.steps.at(-1)).toBe('leave');
  });

  it('has all its chances again once it was well meanwhile', () => {
    const page = newPage();
    for (let times = 0; times < 12; times++) {
      for (let faults = 0; faults < 4; faults++) page.take(FAULT);
      page.pass(62 * SECOND, null);
      page.pass(11 * MINUTE, WELL);
    }
    expect(page.steps).not.toContain('leave');
    expect(page.steps.filter((step) => step === 'help')).toHaveLength(12);
  });

  it('begins again after a day, but not in front of a driver', () => {
    const page = newPage();
    page.pass(25 * HOUR, WELL);
    expect(page.steps).toEqual([]);
    expect(page.take(IDLE)).toBe('load');
    page.pass(HOUR, IDLE);
    expect(page.steps).toEqual(['load']);
  });
});

it('is never left without a page for long, whatever happens', () => {
  const event = fc.constantFrom<PageEvent>(WELL, IDLE, EMPTY, FAULT, TICK);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(event, fc.integer({ min: 0, max: 90 * SECOND })), { maxLength: 60 }),
      (happens) => {
        let life = newPageLife(0);
        let now = 0;
        for (const [event, ms] of happens) {
          now += ms;
          const next = followPage(life, event, now);
          if (next.step === 'leave') return;
          expect(next.step).toBe(
            next.life.since === now && next.life.at === 'helping' && life.at !== 'helping'
              ? 'help'
              : next.step,
          );
          life = next.life;
        }
        // From any state, a page that comes up now is shown within two minutes.
        for (let seconds = 0; seconds < 120; seconds++) {
          now += SECOND;
          for (const event of [WELL, TICK]) life = followPage(life, event, now).life;
        }
        expect(life.at).toBe('running');
      },
    ),
  );
});
