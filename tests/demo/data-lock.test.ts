import { expect, it } from 'vitest';
import { lockFolder } from './data-lock.ts';

it('is held by one process at a time', async () => {
  const folder = `/nowhere/hlid-${process.pid}`;
  const unlock = await lockFolder(folder);
  expect(unlock).not.toBeNull();
  expect(await lockFolder(folder)).toBeNull();
  await unlock?.();
  const again = await lockFolder(folder);
  expect(again).not.toBeNull();
  await again?.();
});
