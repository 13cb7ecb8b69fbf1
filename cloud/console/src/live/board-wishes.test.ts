import { expect, it } from 'vitest';
import { BoardWishes } from './board-wishes.ts';

it('has the sites of all tabs, each once', () => {
  const wishes = new BoardWishes();
  expect(wishes.set('one', ['harbour', 'airport'], 0)).toBe(true);
  expect(wishes.set('two', ['harbour'], 0)).toBe(true);
  expect(wishes.siteIds(0)).toEqual(['airport', 'harbour']);
  expect(wishes.set('one', [], 1)).toBe(true);
  expect(wishes.siteIds(1)).toEqual(['harbour']);
});

it('knows a repeated wish from another one', () => {
  const wishes = new BoardWishes();
  expect(wishes.set('one', ['harbour'], 0)).toBe(true);
  expect(wishes.set('one', ['harbour'], 20_000)).toBe(false);
  expect(wishes.set('one', ['airport'], 40_000)).toBe(true);
});

it('forgets a tab that is gone, and not one in the background', () => {
  const wishes = new BoardWishes();
  wishes.set('gone', ['harbour'], 0);
  wishes.set('hidden', ['airport'], 90_000);
  expect(wishes.siteIds(149_000)).toEqual(['airport', 'harbour']);
  expect(wishes.siteIds(151_000)).toEqual(['airport']);
});

it('asks for no more than a stream has', () => {
  const wishes = new BoardWishes();
  wishes.set(
    'one',
    Array.from({ length: 60 }, (_, n) => `site-${n}`),
    0,
  );
  expect(wishes.siteIds(0)).toHaveLength(50);
});
