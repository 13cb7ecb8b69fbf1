/** Up to Node.js 22, `AbortSignal.any` does not keep its sources: a timeout that nothing else holds never ends. */
const sourcesOf = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/** Aborts as soon as one of these does. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const any = AbortSignal.any([...signals]);
  sourcesOf.set(any, signals);
  return any;
}

/** Aborts after a time, and when another signal does. */
export function deadline(timeoutMs: number, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : anySignal([timeout, signal]);
}
