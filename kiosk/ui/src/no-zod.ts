/**
 * Stands for zod in the bundles of pages, where zod would be a third of the budget. Schemas of `protocol` can be defined with
 * it, and nothing can be parsed: the program that serves the page checks what it sends.
 */
const schema: unknown = new Proxy(() => undefined, {
  get: (_target, name) => {
    if (name === 'parse' || name === 'safeParse') throw new Error('This page has no schemas.');
    return name === Symbol.toPrimitive ? () => '' : schema;
  },
  apply: () => schema,
});

export const z = schema;
