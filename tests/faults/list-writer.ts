// A site's real lists on a real database, written without end: changes, a snapshot, changes, … until a test
// kills the program. Argument: the folder of the database. It prints `writing` once it has begun.
import { argv } from 'node:process';
import { createTestSite } from '@hlid/edge/test/site';
import { createGeneratedFeed } from './generated-feed.ts';

const CHANGES_A_ROUND = 40;
/** The number of changes over which a snapshot jumps. */
const JUMP = 200;

const site = createTestSite({ folder: argv[2] ?? '' });
const generated = createGeneratedFeed();
const { feed } = site.core;
feed.sweep();
if (feed.position().n === 0) await feed.replace(generated.snapshot(1));
console.log('writing');
for (;;) {
  for (let change = 0; change < CHANGES_A_ROUND; change++) {
    feed.apply([generated.change(feed.position().n + 1)]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await feed.replace(generated.snapshot(feed.position().n + JUMP));
}
