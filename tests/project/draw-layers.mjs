import { readFileSync, writeFileSync } from 'node:fs';
import { table as cloud } from '../../cloud/layers.mjs';
import { table as edge } from '../../edge/layers.mjs';

/**
 * Writes the drawings of the layers into ARCHITECTURE.md, between their markers: `npm run layers`. A test compares.
 *
 * @argument the file to write into, in place of ARCHITECTURE.md
 */
const [file = new URL('../../.github/ARCHITECTURE.md', import.meta.url)] = process.argv.slice(2);
const LINE_WIDTH = 96;

let text = readFileSync(file, 'utf8');
for (const [program, { layers }] of Object.entries({ edge, cloud })) {
  const marked = new RegExp(`(<!-- layers of ${program} -->\n)[^]*?(<!-- end -->)`);
  if (!marked.test(text)) throw new Error(`no markers for the layers of ${program} in ${file}`);
  text = text.replace(
    marked,
    (_, begin, end) => `${begin}\n\`\`\`\n${draw(program, layers)}\n\`\`\`\n\n${end}`,
  );
}
writeFileSync(file, text);

/** A line for each layer, the highest first. */
function draw(program, layers) {
  const rows = [...Object.entries(layers).reverse(), ['foundation', [`the other files of ${program}/src`]]];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows
    .map(([name, places]) => `${name.padEnd(width)}${wrap(places, width)}`)
    .join('\n')
    .replace(/ +$/gm, '');
}

function wrap(places, indent) {
  let column = indent;
  return places.reduce((line, place) => {
    const fits = column + place.length <= LINE_WIDTH;
    column = (fits ? column : indent) + place.length + 2;
    return `${line}${fits ? '' : `\n${' '.repeat(indent)}`}${place}  `;
  }, '');
}
