import { expect, it } from 'vitest';
import { help as english } from './en/help.ts';
import { help as icelandic } from './is/help.ts';

it.each([
  ['English', english],
  ['Icelandic', icelandic],
])('the help of each room is two sentences: %s', (_language, help) => {
  for (const [room, text] of Object.entries(help)) {
    expect(String(text).match(/[.?!](?= |$)/g), room).toHaveLength(2);
  }
});
