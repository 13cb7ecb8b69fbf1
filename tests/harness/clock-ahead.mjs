// This file is loaded into a program with a clock that a test sets ahead, so that leases and pauses end
// without a wait. The file that CLOCK_AHEAD_FILE names has the milliseconds. The program itself has no part
// in it.
import { readFileSync } from 'node:fs';

const CHECK_EVERY_MS = 50;
const System = Date;
let ahead = 0;

function read() {
  try {
    ahead = Number(readFileSync(process.env.CLOCK_AHEAD_FILE ?? '', 'utf8'));
  } catch {
    // The file is not set yet.
  }
}
read();
setInterval(read, CHECK_EVERY_MS).unref();

const now = () => System.now() + ahead;
globalThis.Date = new Proxy(System, {
  apply: () => new System(now()).toString(),
  construct: (_target, args, newTarget) =>
    Reflect.construct(System, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
