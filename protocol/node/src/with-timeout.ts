/** Waits for work for at most `ms`, then returns `whenLate()`. Late work goes on, and its result is ignored. */
export async function withTimeout<Done, Late>(
  work: Promise<Done>,
  ms: number,
  whenLate: () => Late,
): Promise<Done | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, timeout.then(whenLate)]);
  } finally {
    clearTimeout(timer);
  }
}
