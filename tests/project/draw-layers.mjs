import { readFileSync, writeFileSync } from 'node:fs';
import { table as cloud } from '../../cloud/layers.mjs';
import { table as edge } from '../../edge/layers.mjs';
import { table as protocol } from '../../protocol/layers.mjs';

/**
 * Writes the lists of folders into ARCHITECTURE.md, between their markers: `npm run layers`. A test compares.
 *
 * @argument the file to write into, in place of ARCHITECTURE.md
 */
const [file = new URL('../../.github/ARCHITECTURE.md', import.meta.url)] = process.argv.slice(2);

let text = readFileSync(file, 'utf8');
for (const [program, { folders }] of Object.entries({ protocol, edge, cloud })) {
  const marked = new RegExp(`(<!-- layers of ${program} -->\n)[^]*?(<!-- end -->)`);
  if (!marked.test(text)) throw new Error(`no markers for the layers of ${program} in ${file}`);
  text = text.replace(marked, (_, begin, end) => `${begin}\n${rowsOf(program, folders)}\n\n${end}`);
}
writeFileSync(file, text);

/** A row for each folder, the highest first. */
function rowsOf(program, folders) {
  const rows = Object.entries(folders).reverse();
  return [
    '| Folder | What is in it |',
    '| --- | --- |',
    ...rows.map(([name, what]) => `| \`${program}/src/${name}/\` | ${what} |`),
  ].join('\n');
}
