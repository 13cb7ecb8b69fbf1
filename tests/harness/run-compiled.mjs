// Runs a program: `node run-compiled.mjs FOLDER/main.js [WORD …]`. Where the tests have written it as a script, it runs
// from its compiled form, which the first process that ends in good order leaves for the others.
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

const bundle = resolve(process.argv[2]);
const bundleUrl = pathToFileURL(bundle).href;
const filename = join(bundle, '../../compiled/main.cjs');
process.argv.splice(1, 1);
if (existsSync(filename)) runScript();
else await import(bundleUrl);

function runScript() {
  // A script that is written again has another time: what is compiled of the one before is not taken for it.
  const compiled = `${filename}.${statSync(filename).mtimeMs}`;
  const source = readFileSync(filename, 'utf8');
  const script = new Script(`(function (bundleUrl, require, module, exports) {'use strict';${source}\n})`, {
    filename,
    cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
  });
  // A command runs little of the program.
  const isDaemon = process.argv.length === 2;
  if (isDaemon && script.cachedDataRejected !== false) process.once('exit', () => keep(script, compiled));
  const module = { exports: {} };
  script.runInThisContext()(bundleUrl, createRequire(bundleUrl), module, module.exports);
}

function keep(script, compiled) {
  writeFileSync(`${compiled}.${process.pid}`, script.createCachedData());
  renameSync(`${compiled}.${process.pid}`, compiled);
}
