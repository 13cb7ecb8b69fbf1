const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves after so many seconds (null: never), or when the program is told to end. */
export function untilEnded(seconds: number | null): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, end);
      resolve();
    };
    const timer = seconds === null ? undefined : setTimeout(end, seconds * 1000);
    for (const signal of SIGNALS) process.once(signal, end);
  });
}
