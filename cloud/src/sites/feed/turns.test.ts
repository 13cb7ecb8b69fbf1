import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('runs one piece at a time, and other work in between', async () => {
  const turns = new Turns();
  const log: string[] = [];
  let over = false;
  const watch = () => {
    log.push('loop');
    if (!over) setImmediate(watch);
  };
  setImmediate(watch);
  const work = async (name: string) => {
    for (let piece = 0; piece < 3; piece++) {
      await turns.next();
      log.push(name);
    }
  };
  await Promise.all([work('a'), work('b'), work('c')]);
  over = true;
  expect(log.filter((entry) => entry !== 'loop')).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
  for (let at = 1; at < log.length; at++) expect([log[at - 1], log[at]]).toContain('loop');
});
