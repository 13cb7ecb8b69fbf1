/** On each answer of a cloud, or of an edge, with a simulated car park. */
const HEADER = 'hlid-training';

/**
 * Marks the page if its program has answered that its car park is simulated. The mark is loaded then: pages of real car
 * parks are smaller without it. If it cannot be loaded, the next answer tries again.
 */
export function noteTraining(headers: Headers): void {
  if (!headers.has(HEADER)) return;
  import('./training-mark.ts').then(
    ({ markAsTraining }) => markAsTraining(),
    () => undefined,
  );
}
