import { expect, it } from 'vitest';
import { WatchedBoards } from './watched-boards.ts';

it('has the sites of all tabs, each once', () => {
  const watched = new WatchedBoards();
  expect(watched.set('one', ['harbour', 'airport'], 0)).toBe(true);
  expect(watched.set('two', ['harbour'], 0)).toBe(true);
  expect(watched.siteIds(0)).toEqual(['airport', 'harbour']);
  expect(watched.set('one', [], 1)).toBe(true);
  expect(watched.siteIds(1)).toEqual(['harbour']);
});

it('knows a repeated request from another one', () => {
  const watched = new WatchedBoards();
  expect(watched.set('one', ['harbour'], 0)).toBe(true);
  expect(watched.set('one', ['harbour'], 20_000)).toBe(false);
  expect(watched.set('one', ['airport'], 40_000)).toBe(true);
});

it('forgets a tab that is gone, and not one in the background', () => {
  const watched = new WatchedBoards();
  watched.set('gone', ['harbour'], 0);
  watched.set('hidden', ['airport'], 90_000);
  expect(watched.siteIds(149_000)).toEqual(['airport', 'harbour']);
  expect(watched.siteIds(151_000)).toEqual(['airport']);
});

it('asks for no more than a stream has', () => {
  const watched = new WatchedBoards();
  watched.set(
    'one',
    Array.from({ length: 60 }, (_, n) => `site-${n}`),
    0,
  );
  expect(watched.siteIds(0)).toHaveLength(50);
});
