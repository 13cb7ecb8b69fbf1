// Refuses a Node.js that package.json does not name, in one sentence, before anything with machine code is loaded:
// `node --import ./tests/runner/check-node.mjs …`. Plain Node, no packages.
import { readFileSync } from 'node:fs';

/** @returns why this project does not run on a version of Node.js; null: it does */
export function refuseNode(version, range) {
  const [, least = '', below = ''] = /^>=([\d.]+) <([\d.]+)$/.exec(range) ?? [];
  if (compare(version, least) >= 0 && compare(version, below) < 0) return null;
  const advice =
    compare(version, below) < 0 ? `${least} or newer` : `${least} or newer, but older than ${below}`;
  return `Hlið needs Node.js ${advice}; this is ${version}`;
}

function compare(one, other) {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number));
  const at = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return at === -1 ? 0 : left[at] - (right[at] ?? 0);
}

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const refusal = refuseNode(process.versions.node, engines.node);
if (refusal !== null) {
  console.error(`${refusal} (${process.execPath}).`);
  process.exit(1);
}
