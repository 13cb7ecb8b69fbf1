// Loaded into a program that a test makes crash: by an uncaught exception, or because its memory is full.
process.on('SIGALRM', () => {
  throw new Error('A defect that nobody catches');
});
process.on('SIGVTALRM', () => {
  const kept = [];
  for (;;) kept.push(new Array(2_000_000).fill(kept.length));
});
