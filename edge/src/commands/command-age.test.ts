import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Command } from '@hlid/protocol/site-link/commands';
import { beforeEach, expect, it } from 'vitest';
import { CommandAge } from './command-age.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
let tick: number;
/** How far the site's clock is behind the cloud's. */
let behindMs: number;
let age: CommandAge;

beforeEach(() => {
  tick = 0;
  behindMs = 0;
  age = new CommandAge({ now: () => new Date(NOON + tick - behindMs) }, () => tick);
});

/** A command that the cloud sends now, and that takes this long to arrive. */
function command(onItsWayMs: number, more: Partial<Command> = {}): Command {
  const sentAt = NOON + tick;
  tick += onItsWayMs;
  return {
    v: 1,
    id: '01980000-0000-7000-8000-000000000001',
    action: 'open',
    laneId: 'in-1',
    by: 'account:someone',
    name: 'Someone',
    reasonCode: 'guest',
    passageId: null,
    lapseMinutes: null,
    reason: '',
    sentAt: utcTime(sentAt),
    expiresAt: utcTime(sentAt + 1000),
    echo: null,
    ...more,
  };
}

function echoOf(judged: ReturnType<typeof age.judge>): string {
  if (judged.fresh) throw new Error('was taken');
  return judged.echo;
}

it('accepts a command that was just sent', () => {
  expect(age.judge(command(80))).toEqual({ fresh: true });
});

it('refuses a command that was on its way for too long', () => {
  expect(age.judge(command(1001)).fresh).toBe(false);
});

it('accepts a command with a clock that is a minute off once the cloud repeats it, and the next one at once', () => {
  for (const off of [60_000, -60_000]) {
    behindMs = off;
    const echo = echoOf(age.judge(command(40)));
    expect(age.judge(command(60, { echo })).fresh).toBe(true);
    expect(age.judge(command(70)).fresh).toBe(true);
    // A late command is judged by the cloud's clock.
    expect(age.judge(command(1200)).fresh).toBe(false);
  }
});

it('does not take an echo that was long on its way, another command’s, its own twice, or a made-up one', () => {
  behindMs = 60_000;
  const late = echoOf(age.judge(command(40)));
  expect(age.judge(command(1001, { echo: late })).fresh).toBe(false);
  const others = echoOf(age.judge(command(40)));
  const id = '01980000-0000-7000-8000-000000000002';
  expect(age.judge(command(40, { echo: others, id })).fresh).toBe(false);
  expect(age.judge(command(40, { echo: others })).fresh).toBe(false);
  expect(age.judge(command(40, { echo: id })).fresh).toBe(false);
});

it('lets no command say that it lives for ever', () => {
  expect(age.judge(command(20_000, { expiresAt: '2030-01-01T00:00:00.000Z' })).fresh).toBe(false);
});
