import type { Driver } from '@hlid/protocol/pages/driver-api';
import { describe, expect, it } from 'vitest';
import type { CardToStore } from '../driver-storage.ts';
import { type DriverAction, type DriverState, firstDriverState, nextDriverState } from './driver-state.ts';

const CAPS = { currency: 'ISK', stayMinor: 5000, dayMinor: 10_000 };
const DRIVER: Driver = {
  email: 'jon@example.is',
  language: 'is',
  state: 'active',
  pausedFor: null,
  caps: CAPS,
  electronicId: false,
  card: { type: 'visa', lastFour: '1111', expires: '2030-12' },
  checking: false,
  vehicles: [{ plate: 'MKJ45', proof: 'payment', provedAt: '2026-11-21T12:30:00.000Z' }],
};
const CARD: CardToStore = { payment: crypto.randomUUID(), email: 'Jon@example.is', caps: CAPS };
const session = { token: 'token', expiresAt: '2027-02-21T12:30:00.000Z', driver: DRIVER };

const from = (state: DriverState, ...actions: DriverAction[]) => actions.reduce(nextDriverState, state);
const START = firstDriverState('en', { link: null, token: null });
const FOLLOWED = firstDriverState('en', { link: 'secret', token: 'old' });
const PRESSED = { type: 'call', call: { do: 'open', link: 'secret' } } as const;
const OPENED = from(FOLLOWED, PRESSED, {
  type: 'opened',
  session,
  card: null,
});

describe('logging in', () => {
  it('is by the mailed link, which counts more than an old token', () => {
    // A program that opens the link uses nothing up.
    expect(FOLLOWED).toMatchObject({ token: null, call: null, step: { at: 'enter', link: 'secret' } });
    const first = from(FOLLOWED, PRESSED);
    expect(first).toMatchObject({ token: null, call: { do: 'open', link: 'secret' } });
    expect(OPENED).toMatchObject({ token: 'token', language: 'is', call: null, step: { at: 'home' } });
    const refused = from(first, { type: 'refused', fault: 'expired' });
    expect(refused).toMatchObject({ call: null, step: { at: 'login', notice: 'expired' } });
  });

  it('sends one link for one touch, to the typed address', () => {
    const typed = from(START, { type: 'typed', email: 'jon@example.is' });
    const login = { type: 'call', call: { do: 'login', email: 'jon@example.is' } } as const;
    const asked = from(typed, login);
    expect(from(asked, login)).toBe(asked);
    expect(from(asked, { type: 'sent' }).step).toEqual({ at: 'sent', email: 'jon@example.is' });
  });

  it('stores the card of a payment only for the address that it was meant for', () => {
    const first = firstDriverState('en', { link: 'secret', token: null });
    const theirs = from(first, { type: 'opened', session, card: CARD });
    expect(theirs.call).toEqual({ do: 'store', card: CARD });
    const others = from(first, { type: 'opened', session, card: { ...CARD, email: 'anna@example.is' } });
    expect(others).toMatchObject({ call: null, step: { at: 'home' } });
  });

  it('is asked for again where the token has ended', () => {
    const ended = from(OPENED, { type: 'logged-out', notice: 'logged-out' });
    expect(ended).toMatchObject({ token: null, call: null, step: { at: 'login', notice: 'logged-out' } });
  });
});

describe('what cannot be undone', () => {
  const asked = from(OPENED, { type: 'confirm', what: { do: 'delete-card' } });

  it('is confirmed first', () => {
    expect(asked).toMatchObject({ call: null, step: { at: 'confirm' } });
    expect(from(asked, { type: 'back' }).step.at).toBe('home');
    const sent = from(asked, { type: 'call', call: { do: 'delete-card' } });
    expect(sent.call).toEqual({ do: 'delete-card' });
    expect(from(sent, { type: 'back' })).toBe(sent);
    const gone = from(sent, { type: 'driver', driver: { ...DRIVER, card: null } });
    expect(gone).toMatchObject({ call: null, step: { at: 'home', driver: { card: null } } });
  });

  it('stays where it is when it is refused, and shows why', () => {
    const sent = from(asked, { type: 'call', call: { do: 'delete-card' } });
    const refused = from(sent, { type: 'refused', fault: 'too-many-requests' });
    expect(refused).toMatchObject({ call: null, step: { at: 'confirm', notice: 'too-many-requests' } });
  });
});

it('changes limits only where there are some, since they name the currency', () => {
  expect(from(OPENED, { type: 'edit-caps' }).step).toMatchObject({ at: 'caps', caps: CAPS });
  const none = from(OPENED, { type: 'driver', driver: { ...DRIVER, caps: null } });
  expect(from(none, { type: 'edit-caps' })).toBe(none);
});
