/** Does the work now, and again a pause after each time it is done, until the returned function is called. */
export function every(pauseMs: number, work: (signal: AbortSignal) => Promise<void>): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = async () => {
    await work(ending.signal);
    if (!ending.signal.aborted) timer = setTimeout(turn, pauseMs);
  };
  void turn();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
