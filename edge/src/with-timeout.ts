/** Waits for work, but not for ever; work that is late goes on, and nobody hears what came of it. */
export async function withTimeout<Done, Late>(
  work: Promise<Done>,
  ms: number,
  whenLate: () => Late,
): Promise<Done | Late> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, deadline.then(whenLate)]);
  } finally {
    clearTimeout(timer);
  }
}
