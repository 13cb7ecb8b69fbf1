import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begun last, each of them would go on alone when all others are through. */
const LONGEST = [
  'power-cuts',
  'payment-books',
  'week-away',
  'lost-disk',
  'two-clouds',
  'big-list',
  'lost-link',
  'list-kills',
  'restored-edge',
  'cloud-backup',
].map((name) => `${name}.test.ts`);

/**
 * The order in which files of tests are begun. Vitest's own begins with those that took longest the last time, and where
 * there was none, as on a fresh machine, with those that have most lines.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.indexOf(basename(moduleId));
  return place < 0 ? LONGEST.length : place;
}
