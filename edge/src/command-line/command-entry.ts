/** An option beside `--help`; a flag where it takes no value. */
export interface OptionEntry {
  name: string;
  /** What stands for its value in a usage line; null: a flag. */
  value: string | null;
  about: string;
}

export interface CommandEntry {
  /** As it is typed: `camera parse`. */
  name: string;
  /** What follows the name, without options. */
  operands: string;
  /** One line, for the list of all. */
  summary: string;
  /** What else there is to know. */
  about: string;
  /** What it prints unless told: JSON where scripts use it first, words for people elsewhere. */
  prints: 'json' | 'text';
  /** Beside `--text` and `--json`, which all take. */
  options: readonly OptionEntry[];
  examples: readonly string[];
}

/** All options of a command. */
export function optionsOf({ prints, options }: CommandEntry): OptionEntry[] {
  const usual = ', as it is unless told';
  const text = `for people: words${prints === 'text' ? usual : ' instead of JSON'}`;
  const json = `for scripts: JSON${prints === 'json' ? usual : ''}`;
  return [...options, { name: 'text', value: null, about: text }, { name: 'json', value: null, about: json }];
}
