import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { EditedYaml } from './edit-yaml.ts';

const TEXT = `# Of the harbour.
site: { name: Harbour, timeZone: Atlantic/Reykjavik } # by the sea

lanes:
  # The old one.
  - id: in-1 # by the kiosk
    name: "In"
    gate:
      kind: http
      open: { url: http://10.0.0.1/relay } # with a timer
own: {kept: true}
`;

it('leaves a file as it is where nothing changes', () => {
  const file = new EditedYaml(TEXT);
  file.set(['site'], { name: 'Harbour' });
  file.set(['lanes', 0], { id: 'in-1', name: 'In' });
  expect(file.text()).toBe(TEXT.replace('{kept: true}', '{ kept: true }'));
});

it('changes values and keeps comments, order and unknown keys', () => {
  const file = new EditedYaml(TEXT);
  file.set(['site', 'name'], 'Höfnin');
  file.set(['lanes', 0], { name: 'In 1', gate: { open: { url: 'http://10.0.0.2/relay' } } });
  file.add(['lanes'], { id: 'out-1', name: undefined });
  expect(file.text()).toBe(`# Of the harbour.
site: { name: Höfnin, timeZone: Atlantic/Reykjavik } # by the sea

lanes:
  # The old one.
  - id: in-1 # by the kiosk
    name: "In 1"
    gate:
      kind: http
      open: { url: http://10.0.0.2/relay } # with a timer
  - id: out-1
own: { kept: true }
`);
});

it('replaces one thing by another, without the keys of the first', () => {
  const file = new EditedYaml(TEXT);
  file.replace(['lanes', 0, 'gate'], { kind: 'survision', url: 'http://10.0.0.3' });
  expect(file.get(['lanes', 0, 'gate'])).toEqual({ kind: 'survision', url: 'http://10.0.0.3' });
  file.set(['site', 'timeZone'], undefined);
  expect(file.get(['site'])).toEqual({ name: 'Harbour' });
});

it('begins a file, and a list in place of an empty one', () => {
  const file = new EditedYaml('# Begun.\n\ncameras: []\n');
  file.set(['site'], { name: '007' });
  file.add(['cameras'], { id: 'cam-1' });
  expect(file.text()).toBe('# Begun.\n\ncameras:\n  - id: cam-1\nsite:\n  name: "007"\n');
  const empty = new EditedYaml('');
  empty.set(['site', 'name'], 'Harbour');
  expect(empty.text()).toBe('site:\n  name: Harbour\n');
});

it('changes no other place that shares a value', () => {
  const file = new EditedYaml('a: &login { user: u, password: p }\nb: *login\n');
  file.set(['b', 'password'], 'q');
  expect([file.get(['a']), file.get(['b'])]).toEqual([
    { user: 'u', password: 'p' },
    { user: 'u', password: 'q' },
  ]);
});

it('keeps lists whose dashes stand below their key', () => {
  const text = 'lanes:\n- id: in-1\n  name: In\n';
  const file = new EditedYaml(text);
  file.set(['lanes', 0, 'name'], 'In 2');
  expect(file.text()).toBe(text.replace('In', 'In 2'));
});

it('keeps every comment of the example with every key, and what it says', () => {
  const example = readFileSync(
    fileURLToPath(new URL('../../../deploy/edge/edge.yaml', import.meta.url)),
    'utf8',
  );
  const file = new EditedYaml(example);
  file.set(['site', 'name'], 'Höfnin');
  file.remove(['lanes', 0, 'gateToggles']);
  const comments = (text: string) => text.match(/(?<=^|\s)#.*$/gm)?.map((comment) => comment.trim()) ?? [];
  const kept = comments(file.text());
  expect(comments(example).filter((comment) => !kept.includes(comment))).toEqual([
    expect.stringMatching(/a second command closes this gate/),
  ]);
  const { site, lanes, ...others } = parse(example);
  const { gateToggles: _removed, ...first } = lanes[0];
  expect(parse(file.text())).toEqual({
    site: { ...site, name: 'Höfnin' },
    lanes: [first, ...lanes.slice(1)],
    ...others,
  });
});
