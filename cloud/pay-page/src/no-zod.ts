/**
 * Stands for zod in this bundle, where zod would be a third of the budget. Schemas of `protocol` can be defined with it,
 * and nothing can be parsed: the page checks the answers of its own cloud by hand (pay-cloud.ts).
 */
const schema: unknown = new Proxy(() => undefined, {
  get: (_target, name) => {
    if (name === 'parse' || name === 'safeParse') throw new Error('The payment page has no schemas.');
    return name === Symbol.toPrimitive ? () => '' : schema;
  },
  apply: () => schema,
});

export const z = schema;
