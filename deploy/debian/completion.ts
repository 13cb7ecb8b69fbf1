import type { Product } from './products.ts';

/** Completes commands and their options in bash. */
export function bashCompletion({ command, commands }: Product): string {
  const named = commands.commands.filter(({ name }) => name !== '');
  const firsts = [...new Set(named.map(({ name }) => name.split(' ')[0] ?? ''))];
  const nouns = firsts.filter((first) => named.some(({ name }) => name.startsWith(`${first} `)));
  const verbs = nouns.map((noun) => {
    const ofNoun = named.filter(({ name }) => name.startsWith(`${noun} `));
    return `    ${noun}) words='${ofNoun.map(({ name }) => name.split(' ')[1]).join(' ')}' ;;`;
  });
  const options = named.map(({ name, options: known }) => {
    const words = [...Object.keys(known), 'help'].map((key) => `--${key}`).join(' ');
    return `    '${name}'*) words='${words}' ;;`;
  });
  const own = `_${command.replaceAll('-', '_')}`;
  return `# bash completion for ${command}; made from the commands of the program.
${own}() {
  local current=\${COMP_WORDS[COMP_CWORD]} typed words=
  typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  if [[ $COMP_CWORD -eq 1 ]]; then
    words='${[...firsts, 'help', '--help', '--version'].join(' ')}'
  elif [[ $current == -* ]]; then
    case $typed in
${options.join('\n')}
    esac
  elif [[ $COMP_CWORD -eq 2 ]]; then
    case $typed in
${verbs.join('\n')}
    *) COMPREPLY=($(compgen -f -- "$current")); return ;;
    esac
  else
    COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F ${own} ${command}
`;
}
