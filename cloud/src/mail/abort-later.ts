/** A signal that comes some time after another one, for work that is nearly done. `end` takes the wait back. */
export function abortLater(signal: AbortSignal, ms: number): { signal: AbortSignal; end(): void } {
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => later.abort(), ms);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    signal: later.signal,
    end() {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
