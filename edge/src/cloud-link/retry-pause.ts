/** Pauses between tries: each about twice as long as the one before, up to a limit, never quite the same. */
export interface RetryPause {
  nextMs(): number;
  /** It worked: begin anew. */
  reset(): void;
}

export function createRetryPause(
  limits: { firstMs: number; maxMs: number },
  random: () => number = Math.random,
): RetryPause {
  let upcomingMs = limits.firstMs;
  return {
    nextMs() {
      const pauseMs = upcomingMs;
      upcomingMs = Math.min(upcomingMs * 2, limits.maxMs);
      // Half of it is chance, so that a broker that comes back is not met by every site at once.
      return Math.round(pauseMs * (0.5 + random() / 2));
    },
    reset() {
      upcomingMs = limits.firstMs;
    },
  };
}
