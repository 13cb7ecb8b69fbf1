// `node --import …/use-stand-in.mjs main.js`: a program that imports `electron` gets the stand-in.
import { register } from 'node:module';

const standIn = new URL('electron.mjs', import.meta.url).href;
const hooks = `export const resolve = (name, context, next) =>
  name === 'electron' ? { url: ${JSON.stringify(standIn)}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
